//! The `lockstep` command.
fn main() {
    println!("{}", z3::full_version());
    let c = inkwell::context::Context::create();
    println!("{:?} {:?}", inkwell::support::get_llvm_version(), c.create_module("x").to_string());
}
