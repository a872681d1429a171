//! LLVM IR to kernel IR. The only folder that names `inkwell`.
