//! The web app is compiled in: a change of its files is a change of the server.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../web/out");
}
