//! Makes the binaries link and find LLVM and Z3 as those of Lockstep itself do.

#[path = "../../build/link.rs"]
mod link;

use std::path::Path;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=../../build/link.rs");
    link::link(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
}
