//! Reports on kernels and files whose worker has not come to an end.

use std::path::Path;

use super::Item;
use crate::pipeline::{Settings, empty_report};
use crate::verdict::reason::{Reason, Work};
use crate::verdict::{KernelReport, Verdict};
use crate::worker::End;

/// The name under which a file is reported whose kernels are not known.
const WHOLE_FILE: &str = "(every kernel of this file)";

/// A kernel that was not judged, as its worker ended so and said this last.
pub fn kernel(item: &Item, end: &End, said: &str, settings: &Settings) -> KernelReport {
    let mut report = empty_report(&item.name, &item.file, item.line);
    report.input = item.input;
    report.statistics.frontend_seconds = item.frontend_seconds;
    explain(&mut report, end, said, settings, Work::Judging);
    report
}

/// A file that was not read.
pub fn file(path: &Path, end: &End, said: &str, settings: &Settings) -> KernelReport {
    let mut report = empty_report(WHOLE_FILE, &path.display().to_string(), 0);
    explain(&mut report, end, said, settings, Work::Reading);
    report
}

/// A file on which the import panicked.
pub fn fault_in_import(path: &Path, message: &str) -> KernelReport {
    let mut report = empty_report(WHOLE_FILE, &path.display().to_string(), 0);
    report.verdict = Verdict::Error;
    report.reasons = vec![Reason::Fault(Work::Reading, message.to_owned())];
    report
}

/// A kernel that was not judged for a fault of Lockstep.
pub fn fault(item: &Item, message: &str) -> KernelReport {
    let mut report = empty_report(&item.name, &item.file, item.line);
    report.input = item.input;
    report.verdict = Verdict::Error;
    report.reasons = vec![Reason::Fault(Work::Judging, message.to_owned())];
    report
}

fn explain(report: &mut KernelReport, end: &End, said: &str, settings: &Settings, work: Work) {
    let reason = match end {
        End::OutOfTime => {
            report.statistics.wall_seconds = settings.prove.timeout.as_secs_f64();
            Reason::OutOfTime(work, settings.prove.timeout)
        }
        End::OutOfMemory(bytes) => Reason::OutOfMemory(work, *bytes),
        End::Done | End::Exited(_) | End::Killed(_) => {
            report.verdict = Verdict::Error;
            let last = said.lines().rev().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned);
            Reason::WorkerEnded { work, end: end.to_string(), last }
        }
    };
    report.reasons = vec![reason];
}
