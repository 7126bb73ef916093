#!/usr/bin/env bash
# Builds aw and aweave-server for release into target/dist. Two builds of one commit with one version of Rust give the
# same bytes, whatever folder they are in: no path of this machine gets into the binaries.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo_home=${CARGO_HOME:-$HOME/.cargo}
commit=$(rustc -vV | sed -n 's/^commit-hash: //p')
# The last prefix that fits is the one that rustc takes.
flags=(
    "--remap-path-prefix=$cargo_home=/cargo"
    "--remap-path-prefix=$(rustc --print sysroot)/lib/rustlib/src/rust=/rustc/$commit"
    "--remap-path-prefix=$PWD=/aweave"
    "--remap-path-prefix=$PWD/target=/target"
)
CARGO_ENCODED_RUSTFLAGS=$(IFS=$'\x1f' && echo "${flags[*]}")
export CARGO_ENCODED_RUSTFLAGS
export CFLAGS="${CFLAGS:-} -ffile-prefix-map=$cargo_home=/cargo -ffile-prefix-map=$PWD=/aweave"
exec cargo build --profile dist --locked --bins --target-dir target
