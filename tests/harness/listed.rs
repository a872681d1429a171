//! Checks kernels and whole programs for the verdicts that they ask for.
//!
//! A list names those that have another verdict today.

use std::path::Path;

use crate::harness::{Case, Failure, check_case, check_gap, ensure, expect_verdict, kernels, listed_gap, run};

/// The kernels whose verdict is not yet the one that they ask for, with a toolkit or without.
const KNOWN_GAPS: &str = include_str!("../known_gaps.txt");

/// Checks that the file's only kernel has the expected verdict, or the listed one.
pub fn check_kernel(case: &Case, path: &Path) -> Result<(), Failure> {
    match listed_gap(KNOWN_GAPS, |name| path.ends_with(name)) {
        Some(verdict) => check_gap(case, verdict, path),
        None => check_case(case, path),
    }
}

/// Checks that all kernels of a program with host code are verified, except the listed ones.
pub fn check_program(case: &Case, path: &Path) -> Result<(), Failure> {
    let kernels = kernels(&run(&case.flags, path)?)?;
    ensure(kernels.len() > 1, || format!("{} kernels are too few for a program", kernels.len()))?;
    for kernel in kernels {
        let name = kernel["name"].as_str().unwrap_or_default().to_owned();
        let listed = listed_gap(KNOWN_GAPS, |gap| {
            gap.split_once(':').is_some_and(|(file, of)| path.ends_with(file) && name == of)
        });
        expect_verdict(&kernel, listed.unwrap_or("verified")).map_err(|failure| format!("{name}: {failure}"))?;
    }
    Ok(())
}
