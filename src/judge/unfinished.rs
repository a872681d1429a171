//! Reports on kernels and files whose worker did not finish.

use std::path::Path;
use std::time::Duration;

use super::Item;
use crate::pipeline::{Settings, empty_report};
use crate::verdict::reason::{Reason, Work};
use crate::verdict::{KernelReport, Verdict};
use crate::worker::End;

/// The name under which a file with unknown kernels is reported.
const WHOLE_FILE: &str = "(every kernel of this file)";

/// The report on a kernel that was not judged, given what its worker has said of it, how the worker
/// ended and the worker's last output.
pub fn kernel(item: &Item, known: Option<Box<KernelReport>>, end: &End, said: &str) -> Box<KernelReport> {
    if let Some(known) = known {
        return known;
    }
    let mut report = empty_report(&item.name, &item.file, item.line);
    report.input = item.input;
    report.statistics.frontend_seconds = item.frontend_seconds;
    explain(&mut report, end, said, item.timeout, Work::Judging);
    Box::new(report)
}

/// The report on a file that was not read.
pub fn file(path: &Path, end: &End, said: &str, settings: &Settings) -> KernelReport {
    let mut report = empty_report(WHOLE_FILE, &path.display().to_string(), 0);
    explain(&mut report, end, said, settings.prove.timeout, Work::Reading);
    report
}

/// The report on a file on which the import panicked.
pub fn fault_in_import(path: &Path, message: &str) -> KernelReport {
    let mut report = empty_report(WHOLE_FILE, &path.display().to_string(), 0);
    report.verdict = Verdict::Error;
    report.reasons = vec![Reason::Fault(Work::Reading, message.to_owned())];
    report
}

/// The report on a kernel that was not judged because of a fault of Lockstep.
pub fn fault(item: &Item, message: &str) -> KernelReport {
    let mut report = empty_report(&item.name, &item.file, item.line);
    report.input = item.input;
    report.verdict = Verdict::Error;
    report.reasons = vec![Reason::Fault(Work::Judging, message.to_owned())];
    report
}

fn explain(report: &mut KernelReport, end: &End, said: &str, timeout: Duration, work: Work) {
    let reason = match end {
        End::OutOfTime => {
            report.statistics.wall_seconds = timeout.as_secs_f64();
            Reason::OutOfTime(work, timeout)
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
