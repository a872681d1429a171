//! Lets the binaries find the Z3 library that `./x setup` put into `third-party/`, as those of Lockstep itself do.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-arg=-Wl,-rpath,{}/../../third-party/z3/lib", env!("CARGO_MANIFEST_DIR"));
}
