//! LLVM IR to kernel IR. The only folder that names `inkwell`.

mod version;

pub use version::version;
