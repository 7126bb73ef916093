#!/bin/sh
# Becomes the binary of the platform's package. A launcher that stayed beside it would get the signals of the terminal, too.
name=${0##*/}
file=$0
while [ -L "$file" ]; do
    link=$(readlink "$file")
    case $link in
        /*) file=$link ;;
        *) file=${file%/*}/$link ;;
    esac
done
folder=$(CDPATH='' cd -P -- "$(dirname -- "$file")" && pwd)
system=$(uname -s | tr '[:upper:]' '[:lower:]')
while :; do
    for binary in "$folder/node_modules/aweave-debate-$system-"*"/bin/$name"; do
        if [ -x "$binary" ]; then
            exec "$binary" "$@"
        fi
    done
    [ -n "$folder" ] || break
    folder=${folder%/*}
done
echo "$name: the package aweave-debate-$system-… is not installed. Install aweave-debate again without --omit=optional;" \
    "there are packages for Linux with glibc and macOS, on x64 and arm64." >&2
exit 1
