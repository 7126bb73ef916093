//! Rebuilds the server when the files of the web app change, which are compiled into it.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../web/out");
}
