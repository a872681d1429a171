//! Sentences for assumptions: `signed arithmetic does not overflow (lines 3, 7)`.

use std::borrow::Cow;
use std::collections::BTreeSet;

use lockstep_ir::assumption::{Assumed, Assumption, GivenBy};
use lockstep_ir::source::Place;
use lockstep_verdict::KernelReport;
use num_bigint::BigUint;

use super::count;

/// The assumptions of a report, in sentences.
pub fn of(report: &KernelReport) -> Vec<String> {
    report.assumptions.iter().map(|listed| assumption(listed, &report.file)).collect()
}

/// The sentence for a run of the program that would have tried assumptions, and ended before.
pub fn unfinished_run(report: &KernelReport) -> Option<String> {
    let run = report.unfinished_run.as_ref()?;
    let at = run.place.as_ref().map_or(String::new(), |Place { file, line }| format!(" ({file}:{line})"));
    Some(format!("the program's own run, which tries such assumptions, ends early{at}: {}", run.reason))
}

/// The sentence for an assumption about a kernel in this file.
pub fn assumption(assumption: &Assumption, kernel_file: &str) -> String {
    format!("{}{}", sentence(&assumption.what, kernel_file), lines(&assumption.places, kernel_file))
}

/// The option or place that gives a value.
pub fn given_by(by: GivenBy) -> &'static str {
    match by {
        GivenBy::Values => "--kernel-args",
        GivenBy::Sizes => "--kernel-arrays",
        GivenBy::Configuration => "lockstep.toml",
        GivenBy::Recording => "recorded",
        GivenBy::Launch => "as the source launches it",
    }
}

/// The assumption without its places.
fn sentence(what: &Assumed, kernel_file: &str) -> Cow<'static, str> {
    match what {
        Assumed::Dimensions { number } => {
            let number = ["no dimension", "one dimension", "two dimensions"].get(*number).unwrap_or(&"its dimensions");
            format!("the launch has {number}: neither the kernel nor the sizes given name another").into()
        }
        Assumed::DeviceSizes { group, launch } => format!(
            "sizes left open are those a device could run: at most {group} threads in a group (--max-group-size), \
             fewer than {launch} in the launch (--max-launch-threads)"
        )
        .into(),
        Assumed::GlobalSize { threads } => {
            let extent = |extent: &Option<u32>| extent.map_or("*".to_owned(), |number| number.to_string());
            let threads: Vec<String> = threads.iter().map(extent).collect();
            format!("the launch has {} threads in all (--global-size)", threads.join("x")).into()
        }
        Assumed::GlobalOffset { first } => {
            let first: Vec<String> = first.iter().map(u32::to_string).collect();
            format!("global ids start at ({}) (--global-offset)", first.join(", ")).into()
        }
        Assumed::SingleThread => "the launch has one thread, which races with nobody".into(),
        Assumed::GroupsRunAtOnce => "all groups run at once, as a barrier of the whole launch asks".into(),
        Assumed::LockStepWarps { lanes } => {
            format!("{lanes} consecutive threads of a group execute each instruction together (--warp-sync)").into()
        }
        Assumed::WholeWarps { lanes } => format!(
            "groups of open size are whole warps of {lanes} threads, as operations name all lanes (--partial-warps)"
        )
        .into(),
        Assumed::ReturnedThreadsArrive => "threads that have returned count as having arrived at barriers".into(),
        Assumed::Argument { name, value, by } => format!("the argument {name} is {value} ({})", given_by(*by)).into(),
        Assumed::OneBuffer { whole, part, distance, or_apart } => {
            let one = match distance {
                0 => format!("`{whole}` and `{part}` point to one buffer"),
                _ => format!("`{part}` points {} behind the beginning of `{whole}`", count(*distance, "byte")),
            };
            let or_apart = if *or_apart { ", or the two do not overlap" } else { "" };
            format!("{one}{or_apart} ({})", given_by(GivenBy::Launch)).into()
        }
        Assumed::ArraySize { name, bytes, by } => {
            format!("the array {name} has {} ({})", count(*bytes, "byte"), given_by(*by)).into()
        }
        Assumed::HostComputes { equation } => format!("{equation} ({})", given_by(GivenBy::Launch)).into(),
        Assumed::HostAllocates { name, count, unit } => {
            let times = if *unit == 1 { String::new() } else { format!(" * {unit}") };
            format!("{name} has {count}{times} bytes (as the source allocates it)").into()
        }
        Assumed::AllocationsSucceed { exponent } => format!(
            "the host's allocations succeed, with at most 2^{exponent} bytes each, their sizes are computed without \
             wrapping around, and no memory is freed before the launch"
        )
        .into(),
        Assumed::Given { condition, by: None } => format!("`{condition}` (--assume)").into(),
        Assumed::Given { condition, by: Some(Place { file, line }) } => format!("`{condition}` ({file}:{line})").into(),
        Assumed::Axioms { file } => format!("the axioms of {file} hold (--boogie-file)").into(),
        Assumed::Source { place, calls } => source(place, calls, kernel_file).into(),
        Assumed::Import => "the kernel is given as kernel IR: what its import took for granted is not known".into(),
        Assumed::PointersApart => "different pointer parameters point to memory that does not overlap".into(),
        Assumed::PointersOutsideVariables { names } => {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            format!("no pointer parameter points into {}", names.join(", ")).into()
        }
        Assumed::ImagesApart => "different image parameters are different images".into(),
        Assumed::PointersOutsideImages => "no pointer parameter points into an image".into(),
        Assumed::InsideUnknownSizes => {
            "accesses stay inside arrays whose sizes are not known, and address computations in them do not wrap".into()
        }
        Assumed::InsideDynamicShared { name } => format!(
            "accesses stay inside {name}, of which every launch gives enough bytes, and address computations in it do \
             not wrap"
        )
        .into(),
        Assumed::LargestArray { exponent } => {
            format!("an array whose size is not known has at most 2^{exponent} bytes").into()
        }
        Assumed::AlignedStart { name, bytes } => format!("`{name}` starts at a multiple of {bytes} bytes").into(),
        Assumed::AlignedByArguments { bytes } => {
            format!("arguments and loaded values make the accessed address a multiple of {bytes} bytes").into()
        }
        Assumed::LoadedPointerAligned => "an accessed pointer that was loaded from memory is aligned".into(),
        Assumed::LoadedPointerNotNull => "an accessed pointer that was loaded from memory is not null".into(),
        Assumed::ComparedParameterNotNull => {
            "a pointer parameter that is compared with null is not null where something is accessed through it".into()
        }
        Assumed::ComparedNotFromNull => {
            "a pointer that is compared with null is not computed from a null pointer".into()
        }
        Assumed::PointerArraysDoNotWrap => {
            "address computations in private arrays that hold pointers do not wrap".into()
        }
        Assumed::IntegerIsAddress { name } => {
            format!("the integer `{name}` is the address of memory of its own, as a pointer would be").into()
        }
        Assumed::TableAddresses { name } => {
            format!("the addresses in {name} are those that it is initialised with").into()
        }
        Assumed::TexturesUnchanged => "textures are not written while the kernel runs".into(),
        Assumed::LibraryStorage => "temporary storage of library functions is as large as `sizeof` says here".into(),
        Assumed::PartitionDoesNotWait => {
            "tiled_partition does not wait for threads of the group that do not call it".into()
        }
        Assumed::MissingHeaders { names } => {
            let names = names.join(", ");
            format!("headers that were not found ({names}) have nothing that device code depends on").into()
        }
        Assumed::NoSignedOverflow => "signed arithmetic does not overflow".into(),
        Assumed::LaunchStrides => {
            "loop counters that advance by sizes of the launch do not wrap (--wrapping-strides)".into()
        }
        Assumed::NoDivisionByZero { signed: false } => "no division by zero".into(),
        Assumed::NoDivisionByZero { signed: true } => "no division by zero, and none of the least number by -1".into(),
        Assumed::ShiftsBelowWidth => "no shift by the width or more".into(),
        Assumed::OperandsOfMul24 => "the operands of mul24 have 24 bits".into(),
        Assumed::FactorsOfMad24 => "the factors of mad24 have 24 bits".into(),
        Assumed::NoZerosOfZero => "no leading or trailing zeros of 0 are counted".into(),
        Assumed::Termination => "every thread terminates, after fewer than 2^64 iterations of each loop".into(),
        Assumed::NotReached => "code that the source marks as unreachable is not reached".into(),
        Assumed::FewDraws { counter, each_interval, most } => {
            let interval = if *each_interval { " in one barrier interval" } else { "" };
            format!("at most {} numbers are drawn from the counter `{counter}`{interval}", power(most)).into()
        }
        Assumed::SignalsUnset { array } => format!("`{array}` holds zeros when the kernel starts").into(),
        Assumed::SameValueWrites => "two writes of the same value to the same cell are no race".into(),
        Assumed::NoBody { function, given_variables: false } => {
            format!("{function}, which has no body, neither accesses memory nor synchronises, and returns anything")
                .into()
        }
        Assumed::NoBody { function, given_variables: true } => format!(
            "{function}, which has no body, accesses no memory but the private variables it is given, does not \
             synchronise, and returns anything"
        )
        .into(),
        Assumed::FunctionOfArguments { function } => {
            format!("{function}, which has no body, is a function of its arguments and does nothing else").into()
        }
        Assumed::AsSpecified { function } => {
            format!("{function} does what is specified of it, and nothing else").into()
        }
        Assumed::GroupsUnchecked => {
            "races between threads of different groups are not checked (--only-intra-group)".into()
        }
        Assumed::RacesUnchecked { option } => format!("races are not checked ({option})").into(),
        Assumed::OtherArraysUnchecked { names } => {
            format!("races are checked on {} only (--check-arrays)", names.join(", ")).into()
        }
        Assumed::StatementsUnchecked => {
            "the source's statements about accesses are not checked (--only-divergence)".into()
        }
        Assumed::StatementsAboutOthersUnchecked => {
            "the source's statements about accesses to arrays that are left out are not checked (--check-arrays)".into()
        }
        Assumed::BarrierAccessesUnchecked => {
            "no other thread writes what a barrier invariant reads, from the barrier before it to the one behind it \
             (--no-barrier-access-checks)"
                .into()
        }
        Assumed::BoundsUnchecked => "accesses stay inside arrays of known size (--no-check bounds)".into(),
        Assumed::NullUnchecked => "no access goes through the null pointer (--no-check null)".into(),
        Assumed::ConstantUnchecked => "nothing writes constant memory (--no-check constant)".into(),
        Assumed::LaneMaskUnchecked => "masks name the lanes that execute the operation (--no-check lane-mask)".into(),
    }
}

/// An assumption of the source: its line, and the calls that make it.
fn source(place: &Place, calls: &[String], kernel_file: &str) -> String {
    let file = if place.file == kernel_file { String::new() } else { format!(" of {}", place.file) };
    let calls: Vec<String> = calls.iter().map(|call| format!("`{call}`")).collect();
    let calls = if calls.is_empty() { String::new() } else { format!(": {}", calls.join(", ")) };
    format!("the source's own assumption on line {}{file}{calls}", place.line)
}

/// Lines in parentheses, with file names for those of other files: ` (lines 3, 7, lib.h:2)`.
fn lines(places: &BTreeSet<Place>, kernel_file: &str) -> String {
    let (own, others): (Vec<&Place>, Vec<&Place>) = places.iter().partition(|place| place.file == kernel_file);
    let lines = own.iter().map(|place| place.line.to_string());
    let all: Vec<String> = lines.chain(others.iter().map(|place| format!("{}:{}", place.file, place.line))).collect();
    match (&own[..], &all[..]) {
        (_, []) => String::new(),
        ([], all) => format!(" ({})", all.join(", ")),
        ([_], [one]) => format!(" (line {one})"),
        (_, all) => format!(" ({} {})", if own.len() == 1 { "line" } else { "lines" }, all.join(", ")),
    }
}

/// A number of draws. Large numbers are mostly powers of two, and are shown as such.
fn power(number: &BigUint) -> String {
    match number.trailing_zeros() {
        Some(power) if power > 16 && number.bits() == power + 1 => format!("2^{power}"),
        _ => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(file: &str, line: u32) -> Place {
        Place { file: file.to_owned(), line }
    }

    #[test]
    fn lines_of_other_files_have_their_names() {
        let words = |places: Vec<Place>| assumption(&Assumed::NoSignedOverflow.at(places), "k.cl");
        assert_eq!(words(vec![]), "signed arithmetic does not overflow");
        assert_eq!(words(vec![at("k.cl", 7)]), "signed arithmetic does not overflow (line 7)");
        assert_eq!(
            words(vec![at("k.cl", 7), at("a.h", 1), at("k.cl", 3)]),
            "signed arithmetic does not overflow (lines 3, 7, a.h:1)"
        );
        assert_eq!(words(vec![at("a.h", 1)]), "signed arithmetic does not overflow (a.h:1)");
    }

    #[test]
    fn assumptions_of_the_source_are_quoted() {
        let calls = vec!["__assume(n > 0)".to_owned()];
        let words =
            |file| assumption(&Assumed::Source { place: at(file, 4), calls: calls.clone() }.everywhere(), "k.cl");
        assert_eq!(words("k.cl"), "the source's own assumption on line 4: `__assume(n > 0)`");
        assert_eq!(words("a.h"), "the source's own assumption on line 4 of a.h: `__assume(n > 0)`");
    }

    #[test]
    fn large_numbers_of_draws_are_powers() {
        assert_eq!(power(&(BigUint::from(1_u32) << 31)), "2^31");
        assert_eq!(power(&BigUint::from(65_536_u32)), "65536");
    }
}
