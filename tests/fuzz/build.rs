//! Makes the fuzz binaries find and link LLVM and Z3 as Lockstep itself does.

#[path = "../../build/link.rs"]
mod link;

use std::path::Path;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=../../build/link.rs");
    link::link(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
}
