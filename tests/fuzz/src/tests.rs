//! Runs the targets on changed seeds, as an ordinary test: an unguided fuzzer for a moment only.

use std::panic::{self, AssertUnwindSafe};

use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};

use crate::seeds;

/// The number of changes tried for each seed.
const CHANGES: usize = 20;

/// The number of files that seeds are taken from.
const FILES: usize = 12;

/// Tries a target on seeds as they are, and with bytes left out, doubled, or replaced by others of
/// the same file.
#[track_caller]
fn tried(target: fn(&[u8]), seeds: Vec<Vec<u8>>) {
    assert!(!seeds.is_empty());
    let mut random = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    for seed in seeds {
        target(&seed);
        for _ in 0..CHANGES {
            let changed = changed(&seed, &mut random);
            let outcome = panic::catch_unwind(AssertUnwindSafe(|| target(&changed)));
            assert!(outcome.is_ok(), "on this input:\n{}", String::from_utf8_lossy(&changed));
        }
    }
}

fn changed(seed: &[u8], random: &mut TestRng) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    let mut below =
        |limit: usize| usize::try_from(random.next_u64() % u64::try_from(limit.max(1)).expect("small")).expect("small");
    for _ in 0..=below(3) {
        let from = below(bytes.len());
        let length = below(24).min(bytes.len() - from);
        let part = bytes[from..from + length].to_vec();
        let to = below(bytes.len());
        match below(4) {
            0 => bytes.drain(from..from + length).for_each(drop),
            1 => bytes.splice(to..to, part).for_each(drop),
            2 => bytes.splice(to..(to + length).min(bytes.len()), part).for_each(drop),
            _ => {
                if let Some(byte) = bytes.get_mut(to) {
                    *byte = b"0123456789-*,.:=[]{}()\"v @"[below(26)];
                }
            }
        }
    }
    bytes
}

fn files() -> impl Iterator<Item = std::path::PathBuf> {
    let all = seeds::kernels("examples").expect("they are there");
    let step = all.len().div_ceil(FILES);
    all.into_iter().step_by(step)
}

#[test]
fn kernel_text() {
    tried(crate::kernel_text, files().flat_map(|path| seeds::texts(&path)).map(String::into_bytes).collect());
}

#[test]
fn llvm_module() {
    tried(crate::llvm_module, files().flat_map(|path| seeds::modules(&path)).collect());
}

#[test]
fn launch_arguments() {
    tried(crate::launch_arguments, seeds::LINES.iter().map(|line| line.as_bytes().to_vec()).collect());
}

#[test]
fn suite_header() {
    let lines = [
        "//pass\n//--local_size=64 --num_groups=[2,3]",
        "//xfail:NOT_ALL_VERIFIED\n//--blockDim=8 --gridDim=2 --no-inline",
    ];
    tried(crate::suite_header, lines.iter().map(|line| line.as_bytes().to_vec()).collect());
}
