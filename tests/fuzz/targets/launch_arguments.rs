#![no_main]
//! See `lockstep_fuzz::launch_arguments`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| lockstep_fuzz::launch_arguments(bytes));
