#![no_main]
//! See `lockstep_fuzz::kernel_text`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| lockstep_fuzz::kernel_text(bytes));
