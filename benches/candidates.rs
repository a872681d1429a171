//! Inference with many candidates: a kernel whose work-items take turns to fill segments of more
//! and more arrays.
//!
//! Every array adds its own accesses, and these add their candidates. The aim is a program of 2,000
//! candidates within 10 seconds. A kernel has one program for two threads of a group and one for
//! two of different groups; the candidates of both are counted together here. `--without
//! shown-before` and `--without site-groups` show the benefit of these techniques. `cargo bench
//! --bench candidates -- NUMBER` measures the rows whose number of arrays contains NUMBER.

mod shared;

use std::fmt::Write as _;

use lockstep::report;
use shared::{Case, Words};

/// Numbers of arrays.
const ARRAYS: [usize; 5] = [5, 10, 25, 50, 100];

/// The techniques disabled in each column.
const COLUMNS: [(&str, &[&str]); 3] = [
    ("", &[]),
    ("without shown-before", &["--without", "shown-before"]),
    ("without site-groups", &["--without", "site-groups"]),
];

fn main() {
    let words = Words::read();
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    report::show("arrays  candidates   kept  verdict   queries   infer s   prove s     CPU s\n")
        .expect("the standard output can be written to");
    for arrays in ARRAYS.into_iter().filter(|arrays| words.want(&arrays.to_string())) {
        let path = folder.path().join("candidates.cl");
        std::fs::write(&path, source(arrays)).expect("a temporary file can be written");
        let flags = ["--local-size=64", "--num-groups=16"].map(str::to_owned).to_vec();
        let case = Case { name: format!("{arrays} arrays"), path, flags, defective: false };
        for (what, more) in COLUMNS {
            let more: Vec<String> = more.iter().map(|&word| word.to_owned()).collect();
            let cost = shared::run(&case, &more);
            report::show(&format!(
                "{arrays:>6} {:>11} {:>6}  {:<8} {:>8} {:>9.2} {:>9.2} {:>9.2}  {what}\n",
                cost.candidates_proposed,
                cost.candidates_kept,
                cost.verdict,
                cost.queries,
                cost.infer_seconds,
                cost.prove_seconds,
                cost.cpu_seconds
            ))
            .expect("the standard output can be written to");
        }
    }
}

/// Each group fills its own 1000 elements of each array, its work-items taking turns.
fn source(arrays: usize) -> String {
    let parameters: Vec<String> = (0..arrays).map(|array| format!("__global int *a{array}")).collect();
    let mut text = format!("__kernel void candidates({})\n{{\n", parameters.join(", "));
    text.push_str("    int first = get_group_id(0) * 1000;\n");
    text.push_str("    for (int i = get_local_id(0); i < 1000; i += get_local_size(0)) {\n");
    for array in 0..arrays {
        let _ = writeln!(text, "        a{array}[first + i] += {array};");
    }
    text.push_str("    }\n}\n");
    text
}
