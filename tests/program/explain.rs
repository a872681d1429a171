//! `lockstep explain`: the kernels of the manual pages have the findings that they are shown for.

use lockstep::findings::examples::example;
use lockstep::findings::manual::every_kind;
use lockstep::findings::undecided;
use serde_json::Value;

use crate::command::Folder;

/// The kinds without an example, each for a reason.
const WITHOUT: [&str; 7] = [
    // A search that unrolls the loop shows these as a failed assertion.
    "LS0108", "LS0109", // They depend on the effort, not on the kernel.
    "LS0201", "LS0202", "LS0206", // Every kernel without a defect has it with --findbugs.
    "LS0204", // A fault in Lockstep itself.
    "LS0205",
];

fn verify(file: &str, text: &str, flags: &str) -> Value {
    let folder = Folder::new(&[(file, text.as_bytes())]);
    let words: Vec<&str> = ["verify", file, "--format=json"].into_iter().chain(flags.split_whitespace()).collect();
    let output = folder.run(&words);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    report["kernels"][0].clone()
}

#[test]
fn examples_have_their_finding_and_the_mended_ones_are_verified() {
    for kind in every_kind() {
        let Some(example) = example(kind.code) else {
            assert!(WITHOUT.contains(&kind.code), "{} has no example", kind.code);
            continue;
        };
        assert!(!WITHOUT.contains(&kind.code), "{} has an example", kind.code);
        let wrong = verify(example.file, example.wrong, example.flags);
        let is_missing_answer = undecided::KINDS.iter().any(|undecided| undecided.code == kind.code);
        if is_missing_answer {
            assert_eq!(wrong["verdict"], "unknown", "{}: {wrong}", kind.code);
        } else {
            let codes: Vec<&str> = wrong["findings"]
                .as_array()
                .expect("findings")
                .iter()
                .filter_map(|found| found["code"].as_str())
                .collect();
            assert!(codes.contains(&kind.code) && wrong["verdict"] != "verified", "{}: {wrong}", kind.code);
        }
        let mended = verify(example.file, example.mended, example.flags);
        assert_eq!(mended["verdict"], "verified", "{}: {mended}", kind.code);
    }
}

#[test]
fn the_page_shows_both_kernels() {
    let output = Folder::new(&[]).run(&["explain", "race"]);
    let page = String::from_utf8_lossy(&output.stdout);
    let example = example("LS0101").expect("an example");
    for line in example.wrong.lines().chain(example.mended.lines()) {
        assert!(page.contains(line), "`{line}` is missing in:\n{page}");
    }
    assert!(page.contains("shown by `lockstep verify LS0101.cl`") && page.contains("\nMended:\n"), "{page}");
}
