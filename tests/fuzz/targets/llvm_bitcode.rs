#![no_main]
//! See `lockstep_fuzz::llvm_bitcode`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| lockstep_fuzz::llvm_bitcode(bytes));
