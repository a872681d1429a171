//! The families of candidate invariants: each file of `tests/families/` has sequential programs,
//! and behind them the candidates that the families propose.
//!
//! ```text
//! program "three" same-group;
//! …
//! //+ loop0 [recurrences] x == 3*k
//! //+ loop0 [bounds] 0 <=s x (broken)
//! ```
//!
//! Each candidate has its loop and its family. Families may guess, and a `(broken)` candidate does
//! not hold in some execution. The file `twins.rs` says more on the format.

use std::fmt::Write as _;
use std::path::Path;

use crate::Group;
use crate::filetests::broken_claims;
use crate::harness::Failure;
use crate::twins::{Annotated, Section, check_twins};

use lockstep_invariants::{ProposeOptions, add_sums, propose};
use lockstep_ir::sequential::{self, Expression, Loop, PrintOptions, print_expression};

fn candidates_are_as_stated(path: &Path, text: &str) -> Result<(), Failure> {
    check_twins(path, text, "program", |section, _| proposed(section))
}

fn proposed(section: &Section) -> Result<Annotated, Failure> {
    let program = sequential::verify(sequential::parse(&section.code)?).map_err(|problems| format!("{problems:?}"))?;
    let text = sequential::print(&program, &PrintOptions::default());
    let mut program = program.into_inner();
    let sums = add_sums(&mut program);
    let candidates = propose(&mut program, &sums, &ProposeOptions::default());
    let claims: Vec<(Loop, Expression)> =
        candidates.iter().map(|candidate| (candidate.loop_, candidate.condition)).collect();
    let broken = broken_claims(&program, &claims);
    let mut findings = String::new();
    for (index, candidate) in candidates.iter().enumerate() {
        let condition = print_expression(&program.expressions, candidate.condition);
        let note = if broken.contains(&index) { " (broken)" } else { "" };
        writeln!(findings, "//+ {} [{}] {condition}{note}", candidate.loop_, candidate.family)?;
    }
    Ok(Annotated { text: format!("{}\n{findings}", text.trim_end()), findings })
}

/// The tests, and the files of each.
pub fn groups() -> Vec<Group> {
    vec![Group::new(candidates_are_as_stated, "tests/families", r"\.txt$")]
}
