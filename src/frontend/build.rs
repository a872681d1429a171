//! Makes the tests of the front end link and find LLVM.

#[path = "../../build/link.rs"]
mod link;

use std::path::Path;

fn main() {
    println!("cargo:rerun-if-changed=../../build/link.rs");
    link::link(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
}
