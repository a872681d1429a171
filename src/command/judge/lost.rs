//! Reports on kernels and files whose worker has not come to an end.

use std::path::Path;

use super::super::pipeline::{Settings, empty_report};
use super::Item;
use crate::verdict::{KernelReport, Undecided, Verdict};
use crate::worker::End;

/// The name under which a file is reported whose kernels are not known.
const WHOLE_FILE: &str = "(every kernel of this file)";

/// A kernel that was not judged, as its worker ended so and said this last.
pub fn kernel(item: &Item, end: &End, said: &str, settings: &Settings) -> KernelReport {
    let mut report = empty_report(&item.name, &item.file, item.line);
    report.input = item.input;
    report.statistics.frontend_seconds = item.frontend_seconds;
    explain(&mut report, end, said, settings, "judging the kernel");
    report
}

/// A file that was not read.
pub fn file(path: &Path, end: &End, said: &str, settings: &Settings) -> KernelReport {
    let mut report = empty_report(WHOLE_FILE, &path.display().to_string(), 0);
    explain(&mut report, end, said, settings, "reading the file");
    report
}

/// A file on which the import panicked.
pub fn fault_in_import(path: &Path, message: &str) -> KernelReport {
    let mut report = empty_report(WHOLE_FILE, &path.display().to_string(), 0);
    report.verdict = Verdict::Error;
    report.reason = Some(format!("a fault in Lockstep while reading the file: {message}"));
    report
}

/// A kernel that was not judged for a fault of Lockstep.
pub fn fault(item: &Item, message: &str) -> KernelReport {
    let mut report = empty_report(&item.name, &item.file, item.line);
    report.input = item.input;
    report.verdict = Verdict::Error;
    report.reason = Some(format!("a fault in Lockstep itself: {message}"));
    report
}

fn explain(report: &mut KernelReport, end: &End, said: &str, settings: &Settings, what: &str) {
    match end {
        End::OutOfTime => {
            let seconds = settings.prove.timeout.as_secs_f64();
            report.undecided = Some(Undecided::OutOfTime);
            report.reason =
                Some(format!("timeout after {seconds} s: {what} was broken off (--timeout gives more time)"));
            report.statistics.wall_seconds = seconds;
        }
        End::OutOfMemory(bytes) => {
            report.undecided = Some(Undecided::OutOfMemory);
            report.reason = Some(format!(
                "out of memory: {what} took more than {} MiB and was broken off (--memory gives more)",
                bytes >> 20
            ));
        }
        End::Done | End::Exited(_) | End::Killed(_) => {
            report.verdict = Verdict::Error;
            let last = said.lines().rev().map(str::trim).find(|line| !line.is_empty());
            let last = last.map_or(String::new(), |line| format!("; it said last: {line}"));
            report.reason = Some(format!("the worker process {end} while {what}{last}"));
        }
    }
}
