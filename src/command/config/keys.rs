//! The keys of `lockstep.toml`: one table for the reader, the JSON schema and their messages.
//!
//! A key is an option of the command line, under its long name where it has one. Options that start
//! programs, write files, read files elsewhere or hide kernels are no keys.

use crate::checks::Check;

/// The form of a key's value.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Extents in up to three dimensions: `64`, `"16x16"`, `[16, "*"]`.
    Size,
    /// `true` or `false`.
    Flag,
    /// An integer from this number to that one.
    Integer(u64, u64),
    /// A number of seconds.
    Seconds,
    /// A string.
    Text,
    /// A list of strings, or a single one.
    Texts,
    /// A list of folders, relative to the file's own, or a single one.
    Folders,
    /// One of these strings.
    Choice(&'static [&'static str]),
    /// A list of checks.
    Checks,
    /// Conditions, as in `--assume`.
    Conditions,
    /// Values of parameters by name.
    Values,
}

use Kind::{Checks, Choice, Conditions, Flag, Folders, Integer, Seconds, Size, Text, Texts, Values};

/// The part of the input that a key may be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Whole files only: it changes how they are read.
    Files,
    /// Files or kernels.
    Kernels,
    /// Named kernels only.
    NamedKernels,
}

use Scope::{Files, Kernels, NamedKernels};

/// A key.
#[derive(Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// The name of the option among Clap's arguments.
    pub id: &'static str,
    /// The option's name on the command line, to which `=VALUE` is appended.
    pub option: &'static str,
    /// The form of its value.
    pub kind: Kind,
    /// The part of the input that it may be about.
    pub scope: Scope,
    /// Its meaning, for the schema.
    pub summary: &'static str,
}

impl Key {
    const fn new(
        (name, id, option): (&'static str, &'static str, &'static str),
        kind: Kind,
        scope: Scope,
        summary: &'static str,
    ) -> Self {
        Self { name, id, option, kind, scope, summary }
    }

    /// Whether the values of several tables add up; otherwise the last one counts.
    pub fn adds_up(&self) -> bool {
        match self.kind {
            Texts | Folders | Checks | Conditions | Values => true,
            Size | Flag | Integer(..) | Seconds | Text | Choice(_) => false,
        }
    }

    /// The key with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        KEYS.iter().find(|key| key.name == name)
    }
}

/// The names of the checks.
pub fn checks() -> Vec<&'static str> {
    Check::ALL.iter().map(|check| check.name()).collect()
}

/// Folders with headers; its values reach Clang without the command line.
pub const INCLUDES: &str = "includes";
/// Macros.
pub const DEFINES: &str = "defines";
/// Conditions on launches.
pub const ASSUME: &str = "assume";
/// Values of parameters.
pub const ARGUMENTS: &str = "arguments";
/// Sizes of arrays.
pub const ARRAYS: &str = "arrays";

/// All keys.
pub const KEYS: &[Key] = &[
    Key::new((INCLUDES, "includes", "-I"), Folders, Files, "Folders with headers, inside of the file's tree"),
    Key::new((DEFINES, "defines", "-D"), Texts, Files, "Macros: NAME or NAME=VALUE"),
    Key::new(("cl-std", "cl_std", "--cl-std"), Text, Files, "OpenCL C version: CL1.2, CL2.0, CL3.0"),
    Key::new(("language", "language", "--language"), Choice(&["cl", "cuda", "hip"]), Files, "Language of the sources"),
    Key::new(("pointer-bits", "pointer_bits", "--pointer-bits"), Integer(32, 64), Files, "Width of pointers: 32 or 64"),
    Key::new(("warp-size", "warp_size", "--warp-size"), Integer(2, 1024), Files, "Threads per warp"),
    Key::new(
        ("warp-sync", "warp_sync", "--warp-sync"),
        Integer(2, 1024),
        Files,
        "Assume that the lanes of a warp of this size execute in lock-step",
    ),
    Key::new(("open-sizes", "open_sizes", "--open-sizes"), Flag, Kernels, "Ignore the sizes of the source's launches"),
    Key::new(("local-size", "local_size", "--local-size"), Size, Kernels, "Threads per group"),
    Key::new(("num-groups", "num_groups", "--num-groups"), Size, Kernels, "Groups in the launch"),
    Key::new(("global-size", "global_size", "--global-size"), Size, Kernels, "Threads in the launch"),
    Key::new(
        ("max-group-size", "max_group_size", "--max-group-size"),
        Integer(1, u32::MAX as u64),
        Kernels,
        "Maximum number of threads in a group of open size",
    ),
    Key::new(
        ("max-launch-threads", "max_launch_threads", "--max-launch-threads"),
        Integer(2, 1 << 31),
        Kernels,
        "A launch of open size has fewer threads than this",
    ),
    Key::new(
        (ARGUMENTS, "kernel_arguments", "--kernel-args"),
        Values,
        NamedKernels,
        "Values of parameters passed by value; floats and structs by their bits",
    ),
    Key::new((ARRAYS, "kernel_arrays", "--kernel-arrays"), Values, NamedKernels, "Sizes of arrays in bytes"),
    Key::new((ASSUME, "assume", "--assume"), Conditions, Kernels, "C conditions on the launch, such as n >= 64"),
    Key::new(("check", "check", "--check"), Checks, Kernels, "Properties that are checked besides the default ones"),
    Key::new(("no-check", "no_check", "--no-check"), Checks, Kernels, "Properties that are not checked"),
    Key::new(
        ("check-arrays", "check_arrays", "--check-arrays"),
        Texts,
        NamedKernels,
        "Check data races on these arrays only",
    ),
    Key::new(
        ("only-intra-group", "only_intra_group", "--only-intra-group"),
        Flag,
        Kernels,
        "Do not check data races between groups",
    ),
    Key::new(
        ("no-benign-tolerance", "no_benign_tolerance", "--no-benign-tolerance"),
        Flag,
        Kernels,
        "Report writes of equal values to one place as data races",
    ),
    Key::new(
        ("exited-threads", "exited_threads", "--exited-threads"),
        Choice(&["missing", "arrive"]),
        Kernels,
        "Meaning of a barrier for threads that have returned",
    ),
    Key::new(
        ("partial-warps", "partial_warps", "--partial-warps"),
        Flag,
        Kernels,
        "Let groups of open size end with a part of a warp",
    ),
    Key::new(("strict", "strict", "--strict"), Flag, Kernels, "Count possible findings as defects"),
    Key::new(
        ("timeout", "timeout", "--timeout"),
        Seconds,
        Kernels,
        "Time limit for each kernel, in seconds; 0 for none",
    ),
];
