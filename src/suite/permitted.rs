//! The options that the second line of a kernel file may have.
//!
//! A file says how its kernels are launched and checked. It may not say which programs run, which
//! options Clang receives directly, which files are written, or which files elsewhere are read. The
//! limits do not apply if the user trusts the file (`--trust-headers`).

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _};

use crate::command::arguments::Arguments;
use crate::frontend::clang::refuse_response_files;
use crate::sandbox::SourceTree;

/// The options, by their names in `Arguments`, that only affect how a kernel is read, launched and
/// checked.
const PERMITTED: [&str; 47] = [
    "inputs",
    // Reading.
    "kernels",
    "defines",
    "includes",
    "cl_std",
    "language",
    "vector_arithmetic",
    "pointer_bits",
    // The launch.
    "local_size",
    "num_groups",
    "global_size",
    "open_sizes",
    "global_offset",
    "max_group_size",
    "max_launch_threads",
    "kernel_arguments",
    "kernel_arrays",
    // The checks and their effort.
    "findbugs",
    "loop_unwind",
    "only_divergence",
    "only_log",
    "check_arrays",
    "asymmetric_asserts",
    "no_replay",
    "no_barrier_access_checks",
    "check",
    "no_check",
    "only_intra_group",
    "no_benign_tolerance",
    "strict",
    "adversarial_abstraction",
    "equality_abstraction",
    "exited_threads",
    "partial_warps",
    "warp_size",
    "warp_sync",
    "assume",
    "no_infer",
    "omit_infer",
    "math",
    "without",
    "no_annotations",
    "only_requires",
    "invariants_as_candidates",
    "timeout",
    // The report, which a suite writes in its own way.
    "silent",
    "quiet",
];

/// Clang's options, or their prefixes, that GPUVerify's users pass on: macros, warnings, and
/// floating-point settings.
const PERMITTED_OF_CLANG: [&str; 7] = ["-D", "-U", "-W", "-w", "-cl-", "-std=", "-ffp-contract="];

/// Options that look like warnings but pass their value to another program.
const TO_OTHERS: [&str; 3] = ["-Wa,", "-Wl,", "-Wp,"];

/// Reads the words of a file's flags; the error names an option that such a file may not have.
pub fn parse(words: Vec<OsString>, folder: &Path, trusted: bool) -> Result<Arguments, String> {
    let first_line = |error: clap::Error| super::first_line(&error.to_string());
    let command = Arguments::command();
    let matches = command.clone().try_get_matches_from(words).map_err(first_line)?;
    if let Some((name, of_command)) = matches.subcommand().filter(|_| !trusted) {
        let spelled = command.find_subcommand(name).into_iter().flat_map(clap::Command::get_arguments);
        let spelled = spelled.map(|argument| (argument.get_id().to_string(), argument.get_long().unwrap_or_default()));
        check(of_command, folder, &spelled.collect())?;
    }
    Arguments::from_arg_matches(&matches).map_err(first_line)
}

/// Checks that a file may have all of these options.
fn check(given: &ArgMatches, folder: &Path, spelled: &BTreeMap<String, &str>) -> Result<(), String> {
    let by_the_file = |id: &&str| given.value_source(id) == Some(ValueSource::CommandLine);
    // Groups of options have names, too, and no spelling.
    for id in given.ids().map(clap::Id::as_str).filter(|id| spelled.contains_key(*id)).filter(by_the_file) {
        let option = format!("--{}", spelled[id]);
        match id {
            id if PERMITTED.contains(&id) => {}
            "clang_arguments" => {
                for argument in given.get_many::<String>(id).into_iter().flatten() {
                    let permitted = PERMITTED_OF_CLANG.iter().any(|beginning| argument.starts_with(beginning))
                        && !TO_OTHERS.iter().any(|beginning| argument.starts_with(beginning));
                    if !permitted {
                        return Err(refused(&format!("{option}={argument}")));
                    }
                    refuse_response_files(&[argument])?;
                }
            }
            "boogie_files" => {
                let tree = SourceTree::new([folder]);
                let outside = |path: &&PathBuf| path.exists() && !tree.holds(path);
                if let Some(path) = given.get_many::<PathBuf>(id).into_iter().flatten().find(outside) {
                    return Err(refused(&format!("{option}={}", path.display())));
                }
            }
            _ => return Err(refused(&option)),
        }
    }
    Ok(())
}

fn refused(option: &str) -> String {
    format!("the flags of a file may not have {option}; with --trust-headers they may")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(flags: &[&str], trusted: bool) -> Result<Arguments, String> {
        let words = ["lockstep", "verify"].into_iter().chain(flags.iter().copied()).chain(["--", "a.cl"]);
        parse(words.map(OsString::from).collect(), Path::new("/nowhere"), trusted)
    }

    #[test]
    fn a_file_says_how_it_is_checked_and_no_more() {
        for flags in [
            &["--local-size=64", "--num-groups=2", "-DN=4", "-Iinc", "--no-infer", "--timeout=3", "--warp-sync=32"][..],
            &["--clang-arg=-DX", "--clang-arg=-cl-mad-enable", "--clang-arg=-Wall"],
        ] {
            assert!(read(flags, false).is_ok(), "{flags:?}");
        }
        for flag in [
            "--clang=./evil",
            "--clang-arg=-fplugin=./p.so",
            "--clang-arg=@r",
            "--clang-arg=-D@r",
            "--clang-arg=-Wp,@r",
            "--clang-arg=-Xclang",
            "--recheck=./evil",
            "--witness=out",
            "-o=out",
            "--cuda-path=.",
            "--baseline=/etc/passwd",
            "--boogie-file=/etc/passwd",
            "--allow-read=/",
            "--trust-headers",
            "--no-sandbox",
        ] {
            let refused = read(&[flag], false).expect_err(flag);
            assert!(refused.contains("may not have") || refused.contains("from the file behind"), "{refused}");
        }
        assert!(read(&["--clang=./mine", "--recheck=./mine"], true).is_ok());
    }

    /// A new option is not permitted until somebody has considered it; a removed one is not in the
    /// table.
    #[test]
    fn the_table_names_options_that_exist() {
        let command = Arguments::command();
        let verify = command.find_subcommand("verify").expect("there is one");
        let known: Vec<&str> = verify.get_arguments().map(|argument| argument.get_id().as_str()).collect();
        assert!(PERMITTED.iter().all(|name| known.contains(name)), "{known:?}");
    }
}
