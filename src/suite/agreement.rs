//! Compares the outcome of a file with its expectation.

use std::collections::BTreeMap;

use anyhow::{Context, bail};

use super::expectation::Expectation;
use crate::command::exit::ExitStatus;
use crate::pipeline::RunOutcome;
use crate::pipeline::input_fault::Culprit;
use crate::verdict::{KernelReport, Undecided};

/// The outcome of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observed {
    /// Every kernel verified.
    Verified,
    /// A kernel has a defect.
    Defect,
    /// A kernel is unknown and has findings that no run has confirmed; none has a defect.
    Possible,
    /// A kernel is unknown, none has a defect.
    Unknown,
    /// All kernels are unknown, since something that they do is not supported.
    Unsupported,
    /// Only defects were looked for, and none was found.
    NoDefectFound,
    /// The file does not compile.
    DoesNotCompile,
    /// It compiles, but has another fault, or its flags do not fit its kernels.
    InputError,
    /// The flags are at fault.
    CommandLine,
    /// A fault in Lockstep.
    Fault,
}

impl Observed {
    /// The outcome of a run.
    pub fn of(outcome: &RunOutcome) -> Self {
        let whole = RunOutcome { interrupted: None, ..outcome.clone() };
        match ExitStatus::of(&whole, false) {
            ExitStatus::Fault => Self::Fault,
            ExitStatus::Input(Culprit::Source) => Self::DoesNotCompile,
            ExitStatus::Input(_) => Self::InputError,
            ExitStatus::Defect | ExitStatus::Conditional => Self::Defect,
            ExitStatus::Unknown(Undecided::Unconfirmed) => Self::Possible,
            ExitStatus::Unknown(Undecided::NoDefectFound) => Self::NoDefectFound,
            ExitStatus::Unknown(_) if outcome.reports.iter().all(is_unsupported) => Self::Unsupported,
            ExitStatus::Unknown(_) => Self::Unknown,
            ExitStatus::Verified => Self::Verified,
            ExitStatus::Interrupted(_) => Self::Unknown,
        }
    }

    /// The word in the table and in explanations.
    pub fn name(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::Defect => "defect",
            Self::Possible | Self::Unknown | Self::Unsupported | Self::NoDefectFound => "unknown",
            Self::DoesNotCompile | Self::InputError => "input-error",
            Self::CommandLine => "command-line-error",
            Self::Fault => "fault",
        }
    }
}

fn is_unsupported(report: &KernelReport) -> bool {
    matches!(report.undecided(), Some(Undecided::NotRead | Undecided::NotLowered))
}

/// The comparison of an outcome with the expectation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// As expected.
    Agrees,
    /// Not as expected, but correct, for a documented reason.
    Explained,
    /// Undecided, although an outcome was expected.
    Unknown,
    /// Otherwise.
    Disagrees,
}

impl Agreement {
    /// The word in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Explained => "explained",
            Self::Unknown => "unknown",
            Self::Disagrees => "disagrees",
        }
    }
}

/// Correct verdicts that differ from the file's expectation, with the reason, by path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explanations(BTreeMap<String, (String, String)>);

impl Explanations {
    /// Reads lines `path verdict reason`; `#` begins a comment.
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        let mut explanations = BTreeMap::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let mut words = line.splitn(3, char::is_whitespace);
            let context = || format!("line {}: `path verdict reason` is expected", number + 1);
            let path = words.next().with_context(context)?;
            let verdict = words.next().with_context(context)?;
            let reason = words.next().with_context(context)?.trim();
            let all = [Observed::Verified, Observed::Defect, Observed::Unknown, Observed::InputError];
            if !all.iter().any(|observed| observed.name() == verdict) {
                bail!("line {}: `{verdict}` is no verdict", number + 1);
            }
            explanations.insert(path.to_owned(), (verdict.to_owned(), reason.to_owned()));
        }
        Ok(Self(explanations))
    }

    fn reason(&self, name: &str, observed: Observed) -> Option<String> {
        let (verdict, reason) = self.0.get(name)?;
        (verdict == observed.name()).then(|| reason.clone())
    }
}

/// Compares, and returns the explanation if one was needed.
///
/// `unknown` for an expected failure is counted apart: it agrees only if no input makes the kernel
/// fail, which an explanation says. An expected error agrees with the refusal of the same
/// construct: if GPUVerify's own parts give up, with an error about a source that compiles, or with
/// kernels that use an unsupported construct.
pub fn compare(
    name: &str,
    expectation: &Expectation,
    observed: Observed,
    explanations: &Explanations,
) -> (Agreement, Option<String>) {
    let is_unknown = observed.name() == Observed::Unknown.name();
    let agrees = match expectation {
        // If only defects are searched for, the best outcome is that there is none.
        Expectation::Pass => matches!(observed, Observed::Verified | Observed::NoDefectFound),
        // GPUVerify reports possible failures: the file is not about whether a run fails.
        Expectation::Fails => matches!(observed, Observed::Defect | Observed::Possible),
        Expectation::Unknown => is_unknown,
        Expectation::Error(code) => match code.as_str() {
            "CLANG_ERROR" => observed == Observed::DoesNotCompile,
            "COMMAND_LINE_ERROR" => matches!(observed, Observed::CommandLine | Observed::InputError),
            "BUGLE_ERROR" | "GPUVERIFYVCGEN_ERROR" => {
                matches!(observed, Observed::CommandLine | Observed::InputError | Observed::Unsupported)
            }
            _ => false,
        },
    };
    if agrees {
        return (Agreement::Agrees, None);
    }
    if let Some(reason) = explanations.reason(name, observed) {
        return (Agreement::Explained, Some(reason));
    }
    (if is_unknown { Agreement::Unknown } else { Agreement::Disagrees }, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_agrees_with_nothing_unless_explained() {
        let explanations = Explanations::parse("# why\na/k.cl unknown  no input makes it fail\n").unwrap();
        let fails = Expectation::Fails;
        assert_eq!(compare("b.cl", &fails, Observed::Defect, &explanations).0, Agreement::Agrees);
        assert_eq!(compare("b.cl", &fails, Observed::Possible, &explanations).0, Agreement::Agrees);
        assert_eq!(compare("b.cl", &fails, Observed::Unknown, &explanations).0, Agreement::Unknown);
        assert_eq!(compare("b.cl", &fails, Observed::Verified, &explanations).0, Agreement::Disagrees);
        assert_eq!(compare("a/k.cl", &fails, Observed::Verified, &explanations).0, Agreement::Disagrees);
        let (agreement, reason) = compare("a/k.cl", &fails, Observed::Unknown, &explanations);
        assert_eq!((agreement, reason.as_deref()), (Agreement::Explained, Some("no input makes it fail")));
        assert_eq!(compare("b.cl", &Expectation::Pass, Observed::Unknown, &explanations).0, Agreement::Unknown);
    }

    #[test]
    fn an_expected_error_agrees_with_the_refusal_of_the_same_thing() {
        use Observed::{CommandLine, Defect, DoesNotCompile, InputError, Unknown, Unsupported, Verified};
        let agrees = |code: &str, observed| {
            compare("a.cl", &Expectation::Error(code.into()), observed, &Explanations::default()).0 == Agreement::Agrees
        };
        for (code, refusals) in [
            ("CLANG_ERROR", &[DoesNotCompile][..]),
            ("COMMAND_LINE_ERROR", &[CommandLine, InputError]),
            ("BUGLE_ERROR", &[CommandLine, InputError, Unsupported]),
            ("GPUVERIFYVCGEN_ERROR", &[CommandLine, InputError, Unsupported]),
            ("TIMEOUT", &[]),
        ] {
            for observed in [CommandLine, Defect, DoesNotCompile, InputError, Unknown, Unsupported, Verified] {
                assert_eq!(agrees(code, observed), refusals.contains(&observed), "{code} {observed:?}");
            }
        }
    }

    #[test]
    fn explanations_say_what_they_must() {
        assert!(Explanations::parse("a.cl verified").is_err());
        assert!(Explanations::parse("a.cl right because").is_err());
    }
}
