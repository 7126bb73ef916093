#!/usr/bin/env bash
# Builds the container image from the installed files, and saves it as an archive that `podman load` and `docker load`
# read. The archive has Docker's format, as OCI's has no place for the health check, and is not compressed, since several
# versions of podman load no archive that is compressed with gzip.
set -euo pipefail
cd "$(dirname "$0")/.."

context=$WORK/image
root=$context/root
rm -rf "$context"
mkdir -p "$root/usr/bin" "$root/etc/ssl/certs" "$root/tmp" "$context/data/.aweave"
chmod 1777 "$root/tmp"
chmod 700 "$context/data/.aweave"
cp "$TREE/usr/bin/aw" "$TREE/usr/bin/aweave-server" "$root/usr/bin/"
mkdir -p "$root/usr/share"
cp -R "$TREE/usr/share/doc" "$root/usr/share/doc"
cp packaging/Containerfile "$context/"

# The libraries, at the paths where the loader looks for them.
ldd "$TREE/usr/bin/aw" "$TREE/usr/bin/aweave-server" | grep -o '/[^ ]*\.so[^ ]*' | sort -u | while read -r library; do
    install -D -m 755 "$(readlink -f "$library")" "$root$library"
done
# For TLS to PostgreSQL.
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
echo 'aweave:x:10001:10001::/data:/usr/bin/false' > "$root/etc/passwd"
echo 'aweave:x:10001:' > "$root/etc/group"

name=aweave-debate:$VERSION
archive=$DIST/aweave-debate-$VERSION-$TARGET.image.tar
buildah build --quiet --format docker --timestamp "$SOURCE_DATE_EPOCH" --label "org.opencontainers.image.version=$VERSION" \
    --label 'org.opencontainers.image.licenses=MIT OR Apache-2.0' --tag "$name" "$context" > /dev/null
buildah push --quiet "$name" "docker-archive:$archive:$name"
