//! The rules: each kind of finding and each kind of missing answer, with its manual page.

use lockstep_findings as finding;
use lockstep_findings::manual::{Kind, Page, capitalised, every_kind};
use lockstep_findings::undecided;

use super::schema::{Configuration, Help, Rule, RuleProperties, Text};

/// All rules, in the order of the codes.
pub fn rules() -> Vec<Rule> {
    every_kind().map(rule).collect()
}

/// The index of a rule among all rules.
pub fn index(code: &str) -> usize {
    every_kind().position(|kind| kind.code == code).expect("every code is that of a kind")
}

/// The severity of a rule's results. If nothing was to be proved, an empty search is no cause for
/// concern.
pub fn level(code: &str) -> &'static str {
    match code {
        undecided::no_defect_found::CODE => "note",
        _ if undecided::KINDS.iter().any(|kind| kind.code == code) => "warning",
        _ => "error",
    }
}

fn rule(kind: &Kind) -> Rule {
    let Page { title, summary, text } = kind.page();
    let level = level(kind.code);
    let (precision, tags) = nature(kind.code);
    Rule {
        id: kind.code,
        name: kind.name.split('-').map(capitalised).collect(),
        short_description: Text { text: title.clone() },
        full_description: Text { text: summary },
        help: Help { markdown: format!("# {title} ({})\n\n{text}\n", kind.code), text },
        default_configuration: Configuration { level },
        properties: RuleProperties {
            tags: tags.to_vec(),
            precision,
            severity: if level == "note" { "recommendation" } else { level },
        },
    }
}

/// The precision of a rule's results, and their tags. Findings are shown with a run that the proof
/// engine believes in, so few are false. The run of `LS0109` need not be reachable, and least is
/// known about the targets of pointers. A result for a kernel without an answer is always true.
fn nature(code: &str) -> (&'static str, &'static [&'static str]) {
    match code {
        code if finding::race::CODES.contains(&code) => {
            ("high", &["correctness", "concurrency", "gpu", "external/cwe/cwe-362"])
        }
        finding::barrier_divergence::CODE
        | finding::group_operation_divergence::CODE
        | finding::named_barrier::CODE => ("high", &["correctness", "concurrency", "gpu", "external/cwe/cwe-821"]),
        finding::endless_wait::CODE => ("high", &["correctness", "concurrency", "gpu", "external/cwe/cwe-835"]),
        finding::warp_divergence::CODE | finding::lane_not_in_mask::CODE | finding::inactive_source::CODE => {
            ("high", &["correctness", "concurrency", "gpu"])
        }
        finding::null_dereference::CODE => ("high", &["correctness", "memory", "gpu", "external/cwe/cwe-476"]),
        finding::out_of_bounds::CODE => ("high", &["correctness", "memory", "gpu", "external/cwe/cwe-119"]),
        finding::uninitialised_read::CODE => ("high", &["correctness", "memory", "gpu", "external/cwe/cwe-908"]),
        finding::constant_write::CODE | finding::misaligned_access::CODE => ("high", &["correctness", "memory", "gpu"]),
        finding::index_overflow::CODE => ("high", &["correctness", "memory", "gpu", "external/cwe/cwe-190"]),
        finding::assertion::CODE => ("high", &["correctness", "gpu", "external/cwe/cwe-617"]),
        finding::invariant_entry::CODE => ("high", &["correctness", "gpu"]),
        finding::invariant_step::CODE | finding::unknown_target::CODE => ("medium", &["correctness", "gpu"]),
        _ => ("very-high", &["unverified", "gpu"]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The maximum number of characters in a description on GitHub.
    const LIMIT: usize = 1024;

    #[test]
    fn every_rule_is_described_within_the_limits() {
        for (place, rule) in rules().iter().enumerate() {
            assert_eq!(index(rule.id), place);
            assert!(rule.name.starts_with(char::is_uppercase) && rule.name.chars().all(char::is_alphanumeric));
            for text in [&rule.short_description.text, &rule.full_description.text] {
                assert!(!text.is_empty() && text.chars().count() <= LIMIT, "{}: {text}", rule.id);
            }
            assert!(rule.help.markdown.contains(&rule.help.text) && !rule.help.text.is_empty());
            assert!(rule.properties.tags.contains(&"gpu"));
        }
    }

    #[test]
    fn only_findings_are_errors() {
        for kind in every_kind() {
            assert_eq!(level(kind.code) == "error", kind.code.starts_with("LS01"), "{}", kind.code);
        }
        assert_eq!(level(undecided::no_defect_found::CODE), "note");
    }
}
