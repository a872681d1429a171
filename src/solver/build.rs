//! Makes the tests of a package in a folder of `src/` link and find Z3.

#[path = "../../build/link.rs"]
mod link;

use std::path::Path;

fn main() {
    println!("cargo:rerun-if-changed=../../build/link.rs");
    link::link_z3(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
}
