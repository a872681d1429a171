//! GPUVerify's options, under their own names.
//!
//! Every option of GPUVerify works here, has no effect and says so in a note, or is refused by
//! name. An option that works
//! is one of [`super::arguments`], under the same name or as an alias. [`translate`] rewrites the
//! others before the
//! command line is parsed. It also expands abbreviations and the options that GPUVerify passes on
//! to its tools.

use std::collections::BTreeSet;
use std::ffi::OsString;

use clap::CommandFactory;

use super::arguments::Arguments;

/// Treatment of an option.
#[derive(Clone, Copy)]
enum Meaning {
    /// Lockstep has this option.
    Ours,
    /// Lockstep has this option only to refuse the combinations that GPUVerify refuses; otherwise
    /// it has no effect, for
    /// this reason.
    Kept(&'static str),
    /// Lockstep calls it this.
    Renamed(&'static str),
    /// Each word of its value becomes a value of this option.
    Words(&'static str),
    /// Each word of its value is an option of GPUVerify's generator of verification conditions.
    Generator,
    /// It asks for the default.
    Default,
    /// It has no effect, for this reason.
    NoEffect(&'static str),
    /// It has a value and no effect, for this reason.
    NoEffectOfValue(&'static str),
    /// It is refused, with an alternative.
    Refused(&'static str),
}

use Meaning::{Default, Generator, Kept, NoEffect, NoEffectOfValue, Ours, Refused, Renamed, Words};

/// GPUVerify's long options.
const OPTIONS: &[(&str, Meaning)] = &[
    ("--help", Ours),
    ("--version", Ours),
    ("--findbugs", Ours),
    ("--verify", Default),
    ("--loop-unwind", Ours),
    ("--check-array-bounds", Default),
    ("--no-benign-tolerance", Ours),
    ("--only-divergence", Ours),
    ("--only-intra-group", Ours),
    ("--verbose", NoEffect("Lockstep runs no other programs whose output it could show")),
    ("--silent", Ours),
    ("--time", NoEffect("every report has the seconds of each kernel")),
    ("--time-as-csv", NoEffectOfValue("--format json has the seconds of each stage")),
    ("--timeout", Ours),
    ("--error-limit", NoEffectOfValue("the report shows all findings of a kernel")),
    ("--opencl", Renamed("--language=cl")),
    ("--cuda", Renamed("--language=cuda")),
    ("--bugle-lang", Renamed("--language")),
    ("--local_size", Ours),
    ("--global_size", Ours),
    ("--num_groups", Ours),
    ("--global_offset", Ours),
    ("--blockDim", Ours),
    ("--gridDim", Ours),
    ("--pointer-bitwidth", Renamed("--pointer-bits")),
    ("--adversarial-abstraction", Ours),
    ("--equality-abstraction", Kept("Lockstep chooses an abstraction for each array")),
    ("--asymmetric-asserts", Ours),
    ("--boogie-file", Ours),
    ("--math-int", NoEffect("integers have the widths of the source; see --math")),
    ("--no-annotations", Ours),
    ("--only-requires", Ours),
    ("--invariants-as-candidates", Ours),
    ("--no-barrier-access-checks", Ours),
    ("--no-inline", NoEffect("calls are inlined")),
    ("--only-log", Ours),
    ("--kernel-args", Ours),
    ("--kernel-arrays", Ours),
    ("--warp-sync", Ours),
    ("--race-instrumenter", NoEffectOfValue("there is only one way of race instrumentation")),
    ("--solver", NoEffectOfValue("Lockstep uses Z3")),
    ("--debug", NoEffect("Lockstep always shows its own faults")),
    ("--keep-temps", NoEffect("Lockstep writes no intermediate files; `lockstep inspect` prints the stages")),
    ("--gen-smt2", Refused("`lockstep inspect --stage smt2` prints the questions to the solver")),
    ("--clang-opt", Words("--clang-arg")),
    ("--opt-opt", NoEffectOfValue("LLVM's optimiser is not run")),
    ("--bugle-opt", NoEffectOfValue("Bugle is not run")),
    ("--vcgen-opt", Generator),
    ("--cruncher-opt", NoEffectOfValue("GPUVerify's inference is not run")),
    ("--boogie-opt", NoEffectOfValue("Boogie is not run")),
    ("--stop-at-opt", Refused("`lockstep inspect --stage kernel` prints the imported kernel")),
    ("--stop-at-gbpl", Refused("`lockstep inspect --stage predicated` prints the program of one thread")),
    ("--stop-at-bpl", Refused("`lockstep inspect --stage boogie` prints the program of two threads")),
    (
        "--stop-at-cbpl",
        Refused("`lockstep inspect --stage boogie --invariants` prints it with the inferred invariants"),
    ),
    ("--no-infer", Ours),
    ("--omit-infer", Ours),
    ("--infer-info", NoEffect("`lockstep inspect` prints the invariants")),
    ("--k-induction-depth", NoEffectOfValue("Lockstep does not use k-induction")),
    ("--json", Ours),
    ("--list-intercepted", Ours),
    ("--verify-intercepted", Ours),
    ("--verify-all-intercepted", Ours),
    ("--cache", NoEffectOfValue("Lockstep caches proofs by default")),
];

/// Options of GPUVerify's generator of verification conditions, without the `/` or `-` before them.
/// Most of them do the
/// same as an option of GPUVerify itself.
const GENERATOR_OPTIONS: &[(&str, Meaning)] = &[
    ("checkArrays", Renamed("--check-arrays")),
    ("checkArrayBounds", Default),
    ("noBenign", Renamed("--no-benign-tolerance")),
    ("onlyDivergence", Renamed("--only-divergence")),
    ("onlyIntraGroupRaceChecking", Renamed("--only-intra-group")),
    ("onlyLog", Renamed("--only-log")),
    ("noBarrierAccessChecks", Renamed("--no-barrier-access-checks")),
    ("asymmetricAsserts", Renamed("--asymmetric-asserts")),
    ("adversarialAbstraction", Renamed("--adversarial-abstraction")),
    ("equalityAbstraction", Renamed("--equality-abstraction")),
    ("doWarpSync", Renamed("--warp-sync")),
    ("kernelArgs", Renamed("--kernel-args")),
    ("noInfer", Renamed("--no-infer")),
    ("noCandidate", Renamed("--omit-infer")),
    ("atomics", NoEffect("an atomic access always races with a plain access")),
    (
        "nondeterminiseUninterpretedFunctions",
        NoEffect("an uninterpreted function is always a function of its arguments"),
    ),
    ("mathInt", NoEffect(INSIDE)),
    ("raceChecking", NoEffect(INSIDE)),
    ("print", NoEffect(INSIDE)),
    ("debugGPUVerify", NoEffect(INSIDE)),
    ("showStages", NoEffect(INSIDE)),
    ("showUniformityAnalysis", NoEffect(INSIDE)),
    ("noUniformityAnalysis", NoEffect(INSIDE)),
    ("showAccessBreaking", NoEffect(INSIDE)),
    ("showMayBePowerOfTwoAnalysis", NoEffect(INSIDE)),
    ("showArrayControlFlowAnalysis", NoEffect(INSIDE)),
    ("abstractHoudini", NoEffect(INSIDE)),
    ("noRefinedAtomics", NoEffect(INSIDE)),
    ("noRemovePrivateArrayAccesses", NoEffect(INSIDE)),
    ("noEliminateRedundantReadInstrumentation", NoEffect(INSIDE)),
    ("noOptimiseBarrierIntervals", NoEffect(INSIDE)),
    ("checkSingleNonInlinedImpl", NoEffect(INSIDE)),
    ("noPruneInfeasibleEdges", NoEffect(INSIDE)),
    ("noSafeBarrierIdentification", NoEffect(INSIDE)),
    ("printLoopStatistics", NoEffect(INSIDE)),
    ("displayLoopAbstractions", NoEffect("a finding names the iterations of the loops around its accesses")),
    ("sourceLanguage", NoEffect("the file extension decides the language; see --language")),
    ("blockHighestDim", NoEffect("the sizes fix the number of dimensions")),
    ("gridHighestDim", NoEffect("the sizes fix the number of dimensions")),
    ("disableInessentialLoopDetection", NoEffect(INSIDE)),
];

/// Why some options of the generator have no effect.
const INSIDE: &str = "it concerns the internals of GPUVerify";

/// GPUVerify's families of candidate invariants.
const CANDIDATES: &[&str] = &[
    "accessBreak",
    "accessLowerBoundBlock",
    "accessOnlyIfEnabledInEnclosingScopes",
    "accessUpperBoundBlock",
    "accessValueMaintained",
    "accessedOffsetInRangeCTimesGid",
    "accessedOffsetInRangeCTimesLid",
    "accessedOffsetsSatisfyPredicates",
    "conditionsImpliedByEnabledness",
    "conditionsImplyingEnabledness",
    "disabledMaintainsInstrumentation",
    "guardMinusInitialIsUniform",
    "guardNonNeg",
    "loopBound",
    "loopCounterIsStrided",
    "loopPredicateEquality",
    "noatomic",
    "noread",
    "nowrite",
    "pow2",
    "pow2NotZero",
    "predicatedEquality",
    "relationalPow2",
    "sameWarpNoAccess",
];

/// A command line in our spelling.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Translated {
    /// The words.
    pub words: Vec<OsString>,
    /// Options without an effect, and the reason.
    pub notes: Vec<String>,
}

/// The command line, whose first word is the program's name, in our spelling. The error names an
/// option that is refused.
pub fn translate(words: impl IntoIterator<Item = OsString>) -> Result<Translated, String> {
    let mut words = words.into_iter();
    let mut translated = Translated { words: words.by_ref().take(2).collect(), notes: Vec::new() };
    let command = translated.words.get(1).and_then(|word| word.to_str()).unwrap_or_default();
    if !["verify", "inspect", "run"].contains(&command) {
        translated.words.extend(words);
        return Ok(translated);
    }
    let ours = our_options(command);
    while let Some(word) = words.next() {
        if word == "--" {
            translated.words.push(word);
            translated.words.extend(words);
            break;
        }
        let Some((option, value)) = word.to_str().and_then(|word| in_full(word, &ours)) else {
            translated.words.push(word);
            continue;
        };
        translated.option(option, value.map(str::to_owned), &mut words)?;
    }
    Ok(translated)
}

/// All long options of a command of ours, with their aliases.
fn our_options(command: &str) -> BTreeSet<String> {
    let arguments = Arguments::command();
    let all = arguments.find_subcommand(command).into_iter().flat_map(clap::Command::get_arguments);
    let names = all.flat_map(|argument| {
        let aliases = argument.get_all_aliases().unwrap_or_default();
        argument.get_long().into_iter().chain(aliases).map(|name| format!("--{name}")).collect::<Vec<_>>()
    });
    names.collect()
}

/// GPUVerify's option that a word is or abbreviates, and the value behind `=`; `None` if it is an
/// option of ours that
/// GPUVerify does not have, no option, or an abbreviation of several.
fn in_full<'a>(word: &'a str, ours: &BTreeSet<String>) -> Option<(&'static (&'static str, Meaning), Option<&'a str>)> {
    let (name, value) = match word.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (word, None),
    };
    if let Some(option) = OPTIONS.iter().find(|(option, _)| *option == name) {
        return Some((option, value));
    }
    if !name.starts_with("--") || name == "--" || ours.contains(name) {
        return None;
    }
    let mut meant = OPTIONS.iter().filter(|(option, _)| option.starts_with(name));
    match (meant.next(), meant.next()) {
        (Some(option), None) => Some((option, value)),
        _ => None,
    }
}

impl Translated {
    /// Adds an option of GPUVerify's. A value that is not behind `=` is the next word.
    fn option(
        &mut self,
        (name, meaning): &(&'static str, Meaning),
        value: Option<String>,
        words: &mut dyn Iterator<Item = OsString>,
    ) -> Result<(), String> {
        let mut or_next = |value: Option<String>| {
            let next = || words.next().map(|word| word.to_string_lossy().into_owned());
            value.or_else(next).ok_or_else(|| format!("{name} has no value"))
        };
        match meaning {
            Ours if *name == "--omit-infer" => self.omit(or_next(value)?),
            Ours => self.push(name, value),
            Kept(why) => {
                self.note(name, why);
                self.push(name, value);
            }
            Renamed(new) => self.push(new, value),
            Words(new) => {
                for word in or_next(value)?.split_whitespace() {
                    self.push(new, Some(word.to_owned()));
                }
            }
            Generator => {
                for word in or_next(value)?.split_whitespace() {
                    self.generator_option(name, word)?;
                }
            }
            Default => {}
            NoEffect(why) => self.note(name, why),
            // Z3 is the solver anyway.
            NoEffectOfValue(_) if *name == "--solver" && value.as_deref() == Some("z3") => {}
            NoEffectOfValue(why) => {
                let value = or_next(value)?;
                self.note(&format!("{name}={value}"), why);
            }
            Refused(instead) => return Err(format!("{name} is not available: {instead}")),
        }
        Ok(())
    }

    fn generator_option(&mut self, passed_by: &str, word: &str) -> Result<(), String> {
        let stripped = word.strip_prefix(['/', '-']).unwrap_or(word);
        let (name, value) = match stripped.split_once(':') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (stripped, None),
        };
        match GENERATOR_OPTIONS.iter().find(|(option, _)| *option == name) {
            Some((_, Renamed("--omit-infer"))) => self.omit(value.unwrap_or_default()),
            Some((_, Renamed(new))) => self.push(new, value),
            Some((_, NoEffect(why))) => self.note(&format!("{passed_by}={word}"), why),
            Some(_) => {}
            None => {
                return Err(format!("{passed_by}: `{word}` is not an known option of GPUVerify's generator"));
            }
        }
        Ok(())
    }

    /// Leaves out a family of candidates, one of Lockstep's or of GPUVerify's.
    fn omit(&mut self, family: String) {
        if CANDIDATES.contains(&family.as_str()) {
            self.note(
                &format!("--omit-infer={family}"),
                "Lockstep's families of candidates have other names; see --help-all",
            );
        } else {
            self.push("--omit-infer", Some(family));
        }
    }

    fn push(&mut self, option: &str, value: Option<String>) {
        self.words.push(match value {
            Some(value) => format!("{option}={value}").into(),
            None => option.into(),
        });
    }

    fn note(&mut self, option: &str, why: &str) {
        let note = format!("{option} has no effect: {why}");
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(words: &[&str]) -> Result<Translated, String> {
        translate(["lockstep", "verify"].into_iter().chain(words.iter().copied()).map(OsString::from))
    }

    #[track_caller]
    fn check(words: &[&str], expected: &[&str], notes: usize) {
        let Translated { words, notes: said } = translated(words).expect("nothing is refused");
        assert_eq!(words[2..], expected.iter().map(OsString::from).collect::<Vec<_>>());
        assert_eq!(said.len(), notes, "{said:?}");
    }

    #[test]
    fn options_are_renamed_or_left_out() {
        check(&["--pointer-bitwidth=32", "a.cl"], &["--pointer-bits=32", "a.cl"], 0);
        check(&["--pointer-bitwidth", "32", "a.cl"], &["--pointer-bits", "32", "a.cl"], 0);
        check(&["--clang-opt=-Wno-x=y -DA"], &["--clang-arg=-Wno-x=y", "--clang-arg=-DA"], 0);
        check(&["--debug", "--only-divergence", "--local_size=4"], &["--only-divergence", "--local_size=4"], 1);
        check(&["--boogie-opt", "/trace", "a.cl"], &["a.cl"], 1);
        check(&["--solver=z3", "--verify", "--check-array-bounds", "a.cl"], &["a.cl"], 0);
        check(&["--solver=cvc4", "a.cl"], &["a.cl"], 1);
    }

    #[test]
    fn options_may_be_abbreviated_as_long_as_they_are_one() {
        check(&["--local=4", "--num_gr", "2"], &["--local_size=4", "--num_groups", "2"], 0);
        check(&["--vcgen-op=/checkArrays:A,B"], &["--check-arrays=A,B"], 0);
        // These could be several, one of them and another's beginning, and one of ours.
        check(&["--no-in", "--time", "--time-as=x"], &["--no-in"], 2);
        check(&["--kernel", "k", "--math", "bv"], &["--kernel", "k", "--math", "bv"], 0);
    }

    #[test]
    fn options_of_the_generator() {
        let given =
            "--vcgen-opt=/onlyDivergence -noBenign /kernelArgs:k,0x1 /noCandidate:stride /showStages /noCandidate:pow2";
        let expected = ["--only-divergence", "--no-benign-tolerance", "--kernel-args=k,0x1", "--omit-infer=stride"];
        check(&[given], &expected, 2);
        let refused = translated(&["--vcgen-opt=/noSuchThing"]).unwrap_err();
        assert!(refused.contains("`/noSuchThing`"), "{refused}");
    }

    /// Each option of GPUVerify's generator is known, also those that it has in common with the
    /// other tools.
    #[test]
    fn options_of_the_generator_that_have_no_effect_say_so() {
        for option in ["/sourceLanguage:cl", "/blockHighestDim:1", "/gridHighestDim:1", "/displayLoopAbstractions"] {
            check(&[&format!("--vcgen-opt={option}")], &[], 1);
        }
    }

    #[test]
    fn refused_options_name_an_alternative() {
        for option in ["--gen-smt2", "--stop-at-opt", "--stop-at-gbpl", "--stop-at-bpl", "--stop-at-cbpl"] {
            let refused = translated(&[option]).unwrap_err();
            assert!(refused.starts_with(option) && refused.contains("lockstep inspect"), "{refused}");
        }
    }

    /// Every option that the table names exists.
    #[test]
    fn options_of_ours_are_there() {
        let ours = our_options("verify");
        let exists = |option: &str| ours.contains(option.split('=').next().unwrap_or_default());
        for (option, meaning) in OPTIONS.iter().chain(GENERATOR_OPTIONS) {
            match meaning {
                Ours => assert!(exists(option) || ["--help", "--version"].contains(option), "{option}"),
                Renamed(new) | Words(new) => assert!(exists(new), "{option}: {new}"),
                Generator | Default | NoEffect(_) | NoEffectOfValue(_) | Refused(_) => {
                    assert!(!exists(option), "{option}");
                }
                Kept(_) => assert!(exists(option), "{option}"),
            }
        }
    }

    #[test]
    fn words_after_two_dashes_are_files() {
        check(&["--", "--debug"], &["--", "--debug"], 0);
    }

    #[test]
    fn other_commands_keep_their_options() {
        let words = ["lockstep", "suite", "--time", "."].map(OsString::from);
        assert_eq!(translate(words.clone()).unwrap().words, words);
    }
}
