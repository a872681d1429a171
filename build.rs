//! Makes the binaries link and find the Z3 library that `./x setup` put into `third-party/`.
//!
//! LLVM's development package asks for `-lz3` too and pulls in the distribution's old one. Searching our
//! folder first makes both requests find ours; a test asserts it.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let library = format!("{}/third-party/z3/lib", std::env::var("CARGO_MANIFEST_DIR").expect("set by cargo"));
    println!("cargo:rustc-link-search=native={library}");
    println!("cargo:rustc-link-arg=-Wl,-rpath,{library}");
}
