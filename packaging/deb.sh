#!/usr/bin/env bash
# Makes the Debian package from the installed files. It starts nothing: the unit is one for users to enable.
set -euo pipefail

architecture=$(dpkg --print-architecture)
root=$WORK/deb
# In Debian 1.2.3~rc.1 comes before 1.2.3.
debian_version=${VERSION/-/\~}-1
maintainer=${DEB_MAINTAINER:-The aweave debate authors <maintainers@aweave.invalid>}
docs=$root/usr/share/doc/aweave-debate
rm -rf "$root"
cp -R "$TREE" "$root"

# Debian has its own folders for completions, and compresses manual pages and changelogs.
mkdir -p "$root/usr/share/zsh/vendor-completions"
mv "$root/usr/share/zsh/site-functions/_aw" "$root/usr/share/zsh/vendor-completions/_aw"
rmdir "$root/usr/share/zsh/site-functions"
gzip -9n "$root"/usr/share/man/man1/*.1
mv "$docs/CHANGELOG.md" "$docs/changelog"
cat > "$docs/changelog.Debian" << EOF
aweave-debate ($debian_version) unstable; urgency=medium

  * Version $VERSION; its changes are in changelog.gz.

 -- $maintainer  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
EOF
gzip -9n "$docs/changelog" "$docs/changelog.Debian"

{
    echo 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/'
    echo 'Upstream-Name: aweave-debate'
    echo 'Comment: The packages linked into the binaries and their licences are in THIRD-PARTY-LICENSES.gz.'
    echo
    echo 'Files: *'
    sed -n 's/^Copyright (c) /Copyright: /p' "$docs/LICENSE-MIT"
    echo 'License: Expat or Apache-2.0'
    echo
    echo 'License: Apache-2.0'
    echo ' See /usr/share/common-licenses/Apache-2.0.'
    echo
    echo 'License: Expat'
    sed '1,/^Copyright/d; /./!d; s/^/ /' "$docs/LICENSE-MIT"
} > "$docs/copyright"
rm "$docs/LICENSE-MIT" "$docs/LICENSE-APACHE"
if [ -f "$docs/THIRD-PARTY-LICENSES" ]; then gzip -9n "$docs/THIRD-PARTY-LICENSES"; fi

# The changelog of a package for Debian begins with the request to package it; this one is not for Debian's archive.
overrides=$root/usr/share/lintian/overrides
install -d "$overrides"
echo 'aweave-debate: initial-upload-closes-no-bugs' > "$overrides/aweave-debate"

glibc=$(grep -aoh 'GLIBC_2\.[0-9]*' "$root/usr/bin/aw" "$root/usr/bin/aweave-server" | sort -Vu | tail -1)
mkdir "$root/DEBIAN"
cat > "$root/DEBIAN/control" << EOF
Package: aweave-debate
Version: $debian_version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --apparent-size --exclude=DEBIAN "$root" | cut -f1)
Depends: libc6 (>= ${glibc#GLIBC_}), libgcc-s1
Recommends: ca-certificates
Section: devel
Priority: optional
Description: debates between AI agents, decided by a person
 Two AI agents debate a plan before anyone implements it. The server
 aweave-server keeps the debates and serves a web app, in which a person
 follows them and decides. The command aw is for the agents and for you.
EOF
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) > "$root/DEBIAN/md5sums"
find "$root" -print0 | xargs -0 touch -h -d "@$SOURCE_DATE_EPOCH"
dpkg-deb --root-owner-group -Zxz --build "$root" "$DIST/aweave-debate_${debian_version}_$architecture.deb" > /dev/null
