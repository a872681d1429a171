//! A command's work in one worker process that prints for itself.
//!
//! The commands are `run`, `inspect`, and the writing of witnesses.

use std::time::{Duration, Instant};

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

use super::exit::ExitStatus;
use crate::pipeline::NO_LIMIT;
use crate::report;
use crate::verdict::Undecided;
use crate::worker::{Channel, End, Group, Limits, News, Standard, Worker, next_news, signals};

/// The time past the limit for a regular answer from inside.
const GRACE: Duration = Duration::from_millis(700);

/// The resources for each step of the work: reading a file, working on one kernel.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    /// The time.
    pub timeout: Duration,
    /// The memory.
    pub memory_bytes: Option<u64>,
}

impl Allowance {
    fn limits(self) -> Limits {
        Limits {
            deadline: (self.timeout < NO_LIMIT).then(|| Instant::now() + self.timeout + GRACE),
            memory_bytes: self.memory_bytes,
        }
    }
}

/// A message of the worker.
#[derive(Debug, Serialize, Deserialize)]
enum Message {
    /// The next step begins, with an allowance of its own.
    Step,
    /// The work is done, and all output has been written.
    Ended(ExitStatus),
}

/// Tells the waiting process that another step begins.
#[derive(Debug)]
pub struct Steps(Channel);

impl Steps {
    /// Begins the next step.
    pub fn next(&mut self) {
        // If the other process is gone, this process has been ended.
        let _ = self.0.send(&Message::Step);
    }
}

/// Does `work` in a process of its own; `what` names it in messages.
///
/// # Errors
///
/// No process can be started. The worker itself prints errors of `work`.
pub fn in_worker(
    what: &str,
    allowance: Allowance,
    work: impl FnOnce(&mut Steps) -> anyhow::Result<ExitStatus>,
) -> anyhow::Result<ExitStatus> {
    // If this fails a signal ends the process, and the worker with it.
    let _ = signals::note();
    let worker = Worker::start(Group::New, Standard::Inherited, allowance.limits(), |channel| {
        let mut steps = Steps(channel);
        let status = super::exit::settled(|| work(&mut steps));
        let _ = steps.0.send(&Message::Ended(status));
    });
    let mut workers = [Some(worker.context("cannot start a worker process")?)];
    let mut came_to: Option<ExitStatus> = None;
    loop {
        match next_news::<Message>(&mut workers, None, Duration::from_hours(1)) {
            News::Message(_, Message::Step) => workers.iter_mut().flatten().for_each(|worker| {
                worker.limit(allowance.limits());
            }),
            News::Message(_, Message::Ended(status)) => came_to = Some(status),
            News::Ended(_, end) => return Ok(came_to.unwrap_or_else(|| status_of(what, &end, allowance))),
            News::Interrupted(signal) => return Ok(ExitStatus::Interrupted(signal)),
            News::FromParent(_) | News::ParentGone | News::Nothing => {}
        }
    }
}

/// The status of ended work, which is also reported.
fn status_of(what: &str, end: &End, allowance: Allowance) -> ExitStatus {
    match end {
        End::OutOfTime => {
            let seconds = allowance.timeout.as_secs_f64();
            report::say(&format!(
                "error: timeout after {seconds} s: {what} was broken off (--timeout gives more time)"
            ));
            ExitStatus::Unknown(Undecided::OutOfTime)
        }
        End::OutOfMemory(bytes) => {
            let most = bytes >> 20;
            report::say(&format!(
                "error: out of memory: {what} took more than {most} MiB and was broken off (--memory gives more)"
            ));
            ExitStatus::Unknown(Undecided::OutOfMemory)
        }
        End::Done | End::Exited(_) | End::Killed(_) => {
            report::say(&format!("error: a fault in Lockstep itself: the worker process for {what} {end}"));
            ExitStatus::Fault
        }
    }
}
