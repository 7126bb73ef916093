#!/usr/bin/env bash
# Makes every package of this machine's platform from one build, into dist/. A package whose tool is missing is left
# out; the script says so and goes on. `make dist` builds the web app first.
set -euo pipefail
cd "$(dirname "$0")/.."

echo 'dist: aw and aweave-server, which takes eight minutes on two cores'
# Before the variables below are exported: some crates are compiled again where one of them changes.
packaging/build.sh

VERSION=$(node packaging/version.mjs)
TARGET=$(rustc -vV | sed -n 's/^host: //p')
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2> /dev/null || echo 1704067200)}
DIST=$PWD/dist
WORK=$PWD/target/package
TREE=$WORK/tree
export VERSION TARGET SOURCE_DATE_EPOCH DIST WORK TREE LC_ALL=C TZ=UTC
umask 022

rm -rf "$DIST" "$WORK"
mkdir -p "$DIST" "$WORK"

left_out=()
# package NAME TOOL HOW_TO_GET_IT COMMAND…
package() {
    local name=$1 tool=$2 hint=$3
    shift 3
    if command -v "$tool" > /dev/null; then
        echo "dist: $name"
        "$@"
    else
        left_out+=("$name: needs $tool ($hint)")
    fi
}

# The installed files, as below /usr: the tarball, the .deb and the image take them from here.
make --no-print-directory -o build install DESTDIR="$TREE" PREFIX=/usr BINARIES=target/dist > /dev/null
# Cargo ignores `strip` of a profile for packages that the profile overrides, as it does `cli`.
if [ "$(uname -s)" = Linux ]; then strip --strip-all --remove-section=.comment "$TREE"/usr/bin/*; fi
docs=$TREE/usr/share/doc/aweave-debate
install -d "$docs"
install -m 644 LICENSE-MIT LICENSE-APACHE CHANGELOG.md "$docs"

python='apt-get install python3, or python.org'
package 'third-party licences' python3 "$python" python3 packaging/licenses.py "$docs/THIRD-PARTY-LICENSES"
package 'SBOM' python3 "$python" python3 packaging/sbom.py "$DIST/aweave-debate-$VERSION-$TARGET.cdx.json"
package 'tarball' python3 "$python" python3 packaging/tarball.py
package 'wheel' python3 "$python" python3 packaging/wheel.py
package 'npm packages' npm 'nodejs.org' node packaging/npm.mjs
if [ "$(uname -s)" = Linux ]; then
    package '.deb' dpkg-deb 'apt-get install dpkg' packaging/deb.sh
    package 'OCI image' buildah 'apt-get install buildah' packaging/image.sh
fi
if [ -f "$docs/THIRD-PARTY-LICENSES" ]; then
    cp "$docs/THIRD-PARTY-LICENSES" "$DIST/aweave-debate-$VERSION-$TARGET.licenses.txt"
fi

cd "$DIST"
if command -v sha256sum > /dev/null; then sha256sum -- * > "$WORK/sums"; else shasum -a 256 -- * > "$WORK/sums"; fi
mv "$WORK/sums" SHA256SUMS
ls -l
for line in "${left_out[@]+"${left_out[@]}"}"; do echo "left out: $line"; done
