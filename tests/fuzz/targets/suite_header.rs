#![no_main]
//! See `lockstep_fuzz::suite_header`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| lockstep_fuzz::suite_header(bytes));
