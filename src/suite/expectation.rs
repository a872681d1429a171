//! The first two lines of a kernel file: the expectation and the flags.

use crate::command::flag_line;

/// The expectation of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// `//pass`: every kernel is verified.
    Pass,
    /// `//xfail:NOT_ALL_VERIFIED`: a kernel has a defect.
    Fails,
    /// `//xfail:` with another code: an error before there is a verdict.
    Error(String),
    /// `//unknown`: neither is shown.
    Unknown,
}

/// The first two lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The expectation.
    pub expectation: Expectation,
    /// The flags, as words.
    pub flags: Vec<String>,
}

impl Header {
    /// Reads the first two lines; `None` if the first contains no expectation.
    pub fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let first = lines.next()?.trim().strip_prefix("//")?.trim();
        let expectation = match first.split_once(':') {
            None if first.eq_ignore_ascii_case("pass") => Expectation::Pass,
            None if first == "unknown" => Expectation::Unknown,
            Some((word, code)) if word.eq_ignore_ascii_case("xfail") => match code.trim() {
                "NOT_ALL_VERIFIED" => Expectation::Fails,
                code => Expectation::Error(code.to_owned()),
            },
            _ => return None,
        };
        let flags = lines.next().and_then(|line| line.trim().strip_prefix("//")).unwrap_or("");
        // The command line refuses a line with an open quote as one word.
        let flags = flag_line::split(flags).unwrap_or_else(|_| vec![flags.trim().to_owned()]);
        Some(Self { expectation, flags })
    }
}

/// GPUVerify's annotations that stand alone, and the prefixes of those that come in families.
const ANNOTATIONS: &[&str] = &[
    "__invariant",
    "__global_invariant",
    "__requires",
    "__global_requires",
    "__ensures",
    "__global_ensures",
    "__assert",
    "__global_assert",
    "__assume",
    "__enabled",
    "__dominator_enabled",
    "__implies",
    "__read",
    "__write",
    "__no_read",
    "__no_write",
    "__read_implies",
    "__write_implies",
    "__all",
    "__exclusive",
    "__same_group",
    "__axiom",
    "__array_snapshot",
    "__atomic_has_taken_value",
    "__reads_from",
    "__writes_to",
    "__is_pow2",
    "__mod_pow2",
    "__add",
    "__ite",
    "__requires_fresh_array",
    "__read_permission",
    "__read_offset_bytes",
    "__write_offset_bytes",
];

const ANNOTATION_FAMILIES: &[&str] = &[
    "__candidate_",
    "__function_wide_",
    "__barrier_invariant",
    "__return_val_",
    "__old_",
    "__unsafe_",
    "__non_temporal_loads_",
    "__ptr_base",
    "__ptr_offset",
    "__other_",
    "__uniform_",
    "__distinct_",
    "__add_noovfl",
    "__spec",
    "bugle_",
    "DECLARE_UF_",
];

/// Whether a kernel file uses an annotation outside comments.
pub fn uses_annotations(text: &str) -> bool {
    let code = without_comments(text);
    code.split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|word| ANNOTATIONS.contains(&word) || ANNOTATION_FAMILIES.iter().any(|family| word.starts_with(family)))
}

fn without_comments(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    loop {
        let Some(start) = [rest.find("//"), rest.find("/*")].into_iter().flatten().min() else {
            code.push_str(rest);
            return code;
        };
        code.push_str(&rest[..start]);
        code.push(' ');
        let comment = &rest[start..];
        let length = if comment.starts_with("//") {
            comment.find('\n').unwrap_or(comment.len())
        } else {
            comment[2..].find("*/").map_or(comment.len(), |end| end + 4)
        };
        rest = &comment[length..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers() {
        let parse = |text: &str| Header::parse(text).map(|header| (header.expectation, header.flags.join("|")));
        let sizes = "--local_size=64|--num_groups=2".to_owned();
        let flags = "//--local_size=64   --num_groups=2\nkernel";
        assert_eq!(parse(&format!("//pass\n{flags}")), Some((Expectation::Pass, sizes.clone())));
        assert_eq!(parse(&format!("//PASS\r\n{flags}")), Some((Expectation::Pass, sizes.clone())));
        assert_eq!(parse(&format!("//xfail:NOT_ALL_VERIFIED\n{flags}")), Some((Expectation::Fails, sizes)));
        let bugle = Some((Expectation::Error("BUGLE_ERROR".into()), String::new()));
        assert_eq!(parse("//xfail:BUGLE_ERROR\nkernel"), bugle);
        let open = Some((Expectation::Pass, "--local_size=64 'a".to_owned()));
        assert_eq!(parse("//pass\n//--local_size=64 'a"), open, "one word, which the command line refuses");
        assert_eq!(parse("// a kernel\n//pass"), None);
        assert_eq!(parse(""), None);
    }

    /// Every annotation that Lockstep declares is counted as one.
    #[test]
    fn all_that_is_declared_counts() {
        let header = include_str!("../frontend/annotations.h");
        let code = without_comments(header);
        let names = code.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| word.starts_with("__"));
        let own = ["__clang", "__LOCKSTEP", "__lockstep", "__opencl", "__OPENCL", "__GPUVERIFY", "__VA_ARGS"];
        let language =
            ["__attribute__", "__global", "__local", "__constant", "__private", "__generic", "__SIZE_TYPE__"];
        let others = ["__asm__", "__COUNTER__", "__uninterpreted_function_"];
        let mut count = 0;
        for name in names {
            let apart = own.iter().any(|prefix| name.starts_with(prefix));
            if !apart && !language.contains(&name) && !others.contains(&name) {
                assert!(uses_annotations(&format!("{name}(x);")), "{name}");
                count += 1;
            }
        }
        assert!(count > 100, "{count}");
    }

    #[test]
    fn annotations_in_comments_do_not_count() {
        assert!(uses_annotations("void f() { __assert(x); }"));
        assert!(uses_annotations("for (; __candidate_invariant(x), i < n; )"));
        assert!(!uses_annotations("// __assert(x)\n/* __requires(y) */ void f() { __local int a; __assertion(); }"));
    }
}
