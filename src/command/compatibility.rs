//! What GPUVerify's users write: its flags under their own names.
//!
//! Flags with a meaning here that are spelled differently are rewritten before the command line is parsed; flags
//! without one are taken out, with a note where leaving them out changes what is checked. Spellings with
//! underscores and capitals of options that exist here are aliases in [`super::arguments`].

use std::ffi::OsString;

/// What becomes of a flag.
enum Meaning {
    /// Another spelling of this option.
    Renamed(&'static str),
    /// Nothing depends on it.
    NoEffect,
    /// Not supported: the verdict is one without it, which the user is told.
    Ignored(&'static str),
}

use Meaning::{Ignored, NoEffect, Renamed};

/// GPUVerify's flags, each `--name` or `--name=value`.
const FLAGS: &[(&str, Meaning)] = &[
    ("--pointer-bitwidth", Renamed("--pointer-bits")),
    ("--clang-opt", Renamed("--clang-arg")),
    ("--verify", NoEffect),
    ("--verbose", NoEffect),
    ("--silent", NoEffect),
    ("--debug", NoEffect),
    ("--keep-temps", NoEffect),
    ("--opencl", Renamed("--language=cl")),
    ("--cuda", Renamed("--language=cuda")),
    ("--time", NoEffect),
    ("--time-as-csv", NoEffect),
    ("--error-limit", NoEffect),
    ("--infer-info", NoEffect),
    ("--solver", NoEffect),
    ("--race-instrumenter", NoEffect),
    ("--math-int", NoEffect),
    ("--opt-opt", NoEffect),
    ("--bugle-opt", NoEffect),
    ("--cruncher-opt", NoEffect),
    ("--boogie-opt", NoEffect),
    // Arrays of known size are always checked.
    ("--check-array-bounds", NoEffect),
    // Invariants are found without induction over several iterations.
    ("--k-induction-depth", NoEffect),
    ("--vcgen-opt", Ignored("every array is checked")),
    ("--vcgen-op", Ignored("every array is checked")),
    ("--findbugs", Ignored("proofs and the search for defects always run together")),
    ("--loop-unwind", Ignored("proofs and the search for defects always run together")),
    ("--only-log", Ignored("accesses are checked too")),
    ("--asymmetric-asserts", Ignored("assertions are checked for both threads")),
    ("--no-barrier-access-checks", Ignored("what a barrier invariant reads is an access like any other")),
    ("--boogie-file", Ignored("Boogie files are not read")),
    ("--kernel-arrays", Ignored("the sizes of arrays behind parameters are taken as unknown")),
];

/// The command line in our spelling, and notes on what was left out.
pub fn translate(words: impl IntoIterator<Item = OsString>) -> (Vec<OsString>, Vec<String>) {
    let mut translated = Vec::new();
    let mut notes = Vec::new();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        if word == "--" {
            translated.push(word);
            translated.extend(words);
            break;
        }
        match word.to_str().and_then(lookup) {
            None => translated.push(word),
            Some((Renamed(name), value)) => translated.push(match value {
                Some(value) => format!("{name}={value}").into(),
                None => (*name).into(),
            }),
            Some((NoEffect, _)) => {}
            Some((Ignored(why), _)) => notes.push(format!("{} has no effect: {why}", word.to_string_lossy())),
        }
    }
    (translated, notes)
}

/// What a word means and its value, if it is one of the flags.
fn lookup(word: &str) -> Option<(&'static Meaning, Option<&str>)> {
    let (name, value) = match word.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (word, None),
    };
    FLAGS.iter().find(|(flag, _)| *flag == name).map(|(_, meaning)| (meaning, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(words: &[&str], expected: &[&str], notes: usize) {
        let (translated, said) = translate(words.iter().map(OsString::from));
        assert_eq!(translated, expected.iter().map(OsString::from).collect::<Vec<_>>());
        assert_eq!(said.len(), notes, "{said:?}");
    }

    #[test]
    fn flags_are_renamed_or_left_out() {
        check(&["verify", "--pointer-bitwidth=32", "a.cl"], &["verify", "--pointer-bits=32", "a.cl"], 0);
        check(&["--clang-opt=-Wno-x=y"], &["--clang-arg=-Wno-x=y"], 0);
        check(&["--debug", "--only-log", "--local_size=4"], &["--local_size=4"], 1);
    }

    #[test]
    fn words_after_two_dashes_are_files() {
        check(&["--", "--debug"], &["--", "--debug"], 0);
    }
}
