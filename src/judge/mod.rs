//! Judging kernels in worker processes, each under a deadline and a memory limit.
//!
//! A worker reads a file ([`file`]): it runs Clang and the import, and finds the kernels to judge.
//! A single kernel is judged by the worker itself. For several kernels it has workers of its own,
//! forks that already have the kernels in memory. So the end of a worker costs only the kernel that
//! it was judging, or the file that it was reading ([`lost`] defines the reports on these). The
//! process of the command itself reads no source, calls no solver and has a single thread.
//!
//! Files and kernels share as many slots as there are jobs. The results are in the order of the
//! input, whatever the number of slots and the order in which workers finish. Workers are in a
//! sandbox ([`room`]).

pub mod all_inputs;
mod file;
mod policy;
mod unfinished;

use std::collections::VecDeque;
use std::io;
use std::ops::Range;
use std::time::{Duration, Instant};

use lockstep_ir::source::LeftOut;
use serde::{Deserialize, Serialize};

use self::all_inputs::{Seen, Whole};
use crate::pipeline::{Culprit, InputFault};
use crate::pipeline::{Input, NO_LIMIT, RunOutcome, Settings};
use crate::report::Progress;
use crate::verdict::KernelReport;
use crate::worker::{End, Group, Limits, News, Standard, Worker, next_news, signals};
pub use policy::enter_to_write;

/// The time past the limit in which a worker may still give its own answer; after that it is ended.
const GRACE: Duration = Duration::from_millis(700);

/// The time between redraws of the progress line while nothing happens.
const TICK: Duration = Duration::from_millis(200);

/// Files that are verified with the same settings.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The files.
    pub inputs: &'a [Input],
    /// The settings under which their kernels are judged.
    pub settings: &'a Settings,
}

/// A kernel in a launch, as seen by the process of the command.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Item {
    name: String,
    file: String,
    line: u32,
    /// The number of the input in its job.
    input: usize,
    /// The kernel's share of the seconds in which its file was read.
    frontend_seconds: f64,
    /// The time limit of the kernel.
    timeout: Duration,
}

/// One or several files in memory.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Read {
    /// For each file, whether it has no kernel.
    empty: Vec<bool>,
    /// The errors in the files.
    errors: Vec<InputFault>,
    /// The error in the axioms, if they have one; then nothing is judged.
    axioms: Option<InputFault>,
    /// Reports on files that could not be read because of a fault of Lockstep.
    faults: Vec<KernelReport>,
    diagnostics: Vec<String>,
    /// The host code that was left out.
    left_out: Vec<LeftOut>,
    clang_seconds: f64,
    seen: Seen,
    items: Vec<Item>,
}

/// The report on a kernel, or an error in the command line or the source.
type Decision = Result<Box<KernelReport>, InputFault>;

/// A message between these processes.
#[derive(Debug, Serialize, Deserialize)]
enum Message {
    /// The worker has read its files.
    Read(Box<Read>),
    /// The worker, or a worker of its own, begins with an item.
    Began(usize),
    /// A report on the item that a worker is judging, which holds if it comes to no end.
    Known(usize, Box<KernelReport>),
    /// An item is judged.
    Decided(usize, Decision),
    /// To a worker: the number of slots that it may use from now on.
    Share(usize),
    /// To a worker that judges kernels: the next item.
    Decide(usize),
}

/// The limits of one kernel, or of reading one file.
fn limits(settings: &Settings, timeout: Duration, already: Duration, files: usize) -> Limits {
    let files = u32::try_from(files).unwrap_or(u32::MAX);
    let left = timeout.saturating_mul(files).saturating_sub(already) + GRACE;
    Limits { deadline: (timeout < NO_LIMIT).then(|| Instant::now() + left), memory_bytes: settings.memory_bytes }
}

fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}

/// Decides every kernel of the inputs on [`Settings::jobs`] slots.
pub fn verify(inputs: &[Input], settings: &Settings, progress: &Progress) -> RunOutcome {
    progress.reading(inputs.len());
    let mut outcomes = judge(&[Job { inputs, settings }], settings.jobs, progress);
    outcomes.pop().unwrap_or_default()
}

/// The outcome of each job, in the order of the jobs.
pub fn judge(jobs: &[Job<'_>], slots: usize, progress: &Progress) -> Vec<RunOutcome> {
    let slots = match slots {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        slots => slots,
    };
    let mut judge = Judge {
        jobs,
        slots,
        progress,
        waiting: batches(jobs),
        files: Vec::new(),
        workers: Vec::new(),
        done: jobs.iter().map(|_| Vec::new()).collect(),
        interrupted: None,
    };
    judge.run();
    judge.outcomes()
}

/// The batches of files that one worker reads. Axioms concern the functions of all files, so with
/// axioms a job is one batch.
fn batches(jobs: &[Job<'_>]) -> VecDeque<(usize, Range<usize>)> {
    let of_job = |(number, job): (usize, &Job<'_>)| {
        let count = job.inputs.len();
        let size = if job.settings.axioms.is_empty() { 1 } else { count.max(1) };
        (0..count).step_by(size).map(move |first| (number, first..count.min(first + size))).collect::<Vec<_>>()
    };
    jobs.iter().enumerate().flat_map(of_job).collect()
}

/// Files that are being processed.
struct Files {
    job: usize,
    inputs: Range<usize>,
    begun: Instant,
    /// The files' contents; `None` while they are being read.
    read: Option<Box<Read>>,
    decided: Vec<Option<Decision>>,
    /// A report on the item that the worker itself is judging, if that comes to no end.
    known: Option<Box<KernelReport>>,
    /// The item that the worker itself is judging.
    at: Option<usize>,
    /// The number of slots that the worker was told of.
    share: usize,
    seconds: f64,
}

impl Files {
    fn new(job: usize, inputs: Range<usize>) -> Self {
        let begun = Instant::now();
        Self { job, inputs, begun, read: None, decided: Vec::new(), known: None, at: None, share: 0, seconds: 0.0 }
    }
}

struct Judge<'a> {
    jobs: &'a [Job<'a>],
    slots: usize,
    progress: &'a Progress,
    waiting: VecDeque<(usize, Range<usize>)>,
    /// The files of each worker, at the same index.
    files: Vec<Option<Files>>,
    workers: Vec<Option<Worker>>,
    /// For each job, the results of its files.
    done: Vec<Vec<Files>>,
    interrupted: Option<i32>,
}

impl Judge<'_> {
    fn run(&mut self) {
        // Up to here, a signal ends the process, because there is nothing to report. If this call
        // fails, a signal still does.
        let _ = signals::note();
        loop {
            while self.at_work() < self.slots
                && let Some((job, inputs)) = self.waiting.pop_front()
            {
                let Err(cause) = self.start(job, inputs.clone()) else { continue };
                if self.at_work() == 0 {
                    self.not_started(job, inputs, &cause);
                    continue;
                }
                // The existing workers may leave no room for another one.
                self.waiting.push_front((job, inputs));
                break;
            }
            if self.at_work() == 0 {
                return;
            }
            self.share_out();
            match next_news::<Message>(&mut self.workers, None, TICK) {
                News::Message(index, message) => self.hear(index, message),
                News::Ended(index, end) => self.ended(index, &end),
                News::Interrupted(signal) => {
                    self.interrupted = Some(signal);
                    return;
                }
                News::FromParent(_) | News::ParentGone | News::Nothing => {}
            }
            self.progress.tick();
        }
    }

    fn at_work(&self) -> usize {
        self.workers.iter().flatten().count()
    }

    fn start(&mut self, job: usize, inputs: Range<usize>) -> io::Result<()> {
        let Job { inputs: all, settings } = self.jobs[job];
        let files = &all[inputs.clone()];
        if let Some(input) = files.first() {
            self.progress.begin(&input.path.display().to_string());
        }
        let limits = limits(settings, settings.prove.timeout, Duration::ZERO, files.len());
        let first = inputs.start;
        let worker = Worker::start(Group::New, Standard::Kept, limits, |channel| {
            file::work(channel, (first, files), settings);
        });
        self.workers.push(Some(worker?));
        self.files.push(Some(Files::new(job, inputs)));
        Ok(())
    }

    /// Reports files for which no worker can be started. Kernels judged already, and those that can
    /// be judged later, are reported all the same.
    fn not_started(&mut self, job: usize, inputs: Range<usize>, cause: &io::Error) {
        let Job { inputs: all, .. } = self.jobs[job];
        let mut files = Files::new(job, inputs.clone());
        let fault = |input: &Input| {
            self.progress.read();
            InputFault::command_line(format!("{}: no worker process can be started: {cause}", input.path.display()))
        };
        let errors: Vec<InputFault> = all[inputs].iter().map(fault).collect();
        files.read = Some(Box::new(Read { empty: vec![false; errors.len()], errors, ..Read::default() }));
        self.done[job].push(files);
    }

    /// Tells workers the number of slots they may use: all that no other worker needs.
    fn share_out(&mut self) {
        let share = if self.waiting.is_empty() { (self.slots / self.at_work().max(1)).max(1) } else { 1 };
        for (worker, files) in self.workers.iter_mut().zip(&mut self.files) {
            let (Some(worker), Some(files)) = (worker, files) else { continue };
            if files.read.is_some() && files.share < share {
                files.share = share;
                // A worker that is gone needs no slots.
                let _ = worker.send(&Message::Share(share));
            }
        }
    }

    fn hear(&mut self, index: usize, message: Message) {
        let Some(files) = &mut self.files[index] else { return };
        let settings = self.jobs[files.job].settings;
        match message {
            Message::Read(read) => {
                for _ in &read.empty {
                    self.progress.read();
                }
                self.progress.start(read.items.len());
                files.decided = read.items.iter().map(|_| None).collect();
                files.read = Some(read);
                // The worker does nothing by itself, or begins with an item.
                if let Some(worker) = &mut self.workers[index] {
                    worker.limit(Limits::default());
                }
            }
            Message::Began(item) => {
                let Some(begun) = files.read.as_ref().and_then(|read| read.items.get(item)) else { return };
                self.progress.begin(&format!("{} ({})", begun.name, begun.file));
                files.at = Some(item);
                // If there are several, the worker handles it itself.
                if files.decided.len() == 1
                    && let Some(worker) = &mut self.workers[index]
                {
                    worker.limit(limits(settings, begun.timeout, seconds(begun.frontend_seconds), 1));
                }
            }
            Message::Known(_, report) => files.known = Some(report),
            Message::Decided(item, decision) => {
                files.known = None;
                if let Some(place) = files.decided.get_mut(item) {
                    *place = Some(decision);
                    self.progress.done();
                }
            }
            Message::Share(_) | Message::Decide(_) => {}
        }
    }

    fn ended(&mut self, index: usize, end: &End) {
        let (Some(mut worker), Some(mut files)) = (self.workers[index].take(), self.files[index].take()) else {
            return;
        };
        let Job { inputs, settings } = self.jobs[files.job];
        let said = worker.complaints();
        match &files.read {
            None => {
                let inputs = &inputs[files.inputs.clone()];
                let faults = inputs.iter().zip(files.inputs.clone());
                let report = |(input, number): (&Input, usize)| {
                    self.progress.read();
                    KernelReport { input: number, ..unfinished::file(&input.path, end, &said, settings) }
                };
                let faults = faults.map(report).collect();
                files.read = Some(Box::new(Read { empty: vec![false; inputs.len()], faults, ..Read::default() }));
            }
            Some(read) => {
                for (item, place) in read.items.iter().zip(&mut files.decided) {
                    if place.is_none() {
                        *place = Some(Ok(unfinished::kernel(item, files.known.take(), end, &said)));
                        self.progress.done();
                    }
                }
            }
        }
        files.seconds = files.begun.elapsed().as_secs_f64();
        self.done[files.job].push(files);
    }

    /// Puts everything in the order of the input. Workers that are still running are ended.
    fn outcomes(mut self) -> Vec<RunOutcome> {
        let mut unfinished: Vec<usize> = vec![0; self.jobs.len()];
        for (job, inputs) in self.waiting.drain(..) {
            unfinished[job] += inputs.len();
        }
        self.workers.clear();
        for files in self.files.drain(..).flatten() {
            unfinished[files.job] += files.decided.iter().filter(|decision| decision.is_none()).count().max(1);
            self.done[files.job].push(files);
        }
        let jobs = self.jobs.iter().zip(self.done).zip(unfinished);
        let interrupted = self.interrupted;
        jobs.map(|((job, done), unfinished)| outcome(*job, done, interrupted.map(|signal| (signal, unfinished))))
            .collect()
    }
}

fn outcome(job: Job<'_>, mut done: Vec<Files>, interrupted: Option<(i32, usize)>) -> RunOutcome {
    done.sort_by_key(|files| files.inputs.start);
    let mut outcome = RunOutcome { interrupted, ..RunOutcome::default() };
    let mut whole = Whole::new(job.settings);
    let mut of_kernels = Vec::new();
    for files in done {
        outcome.wall_seconds += files.seconds;
        let Some(read) = files.read else { continue };
        if let Some(fault) = read.axioms {
            outcome.errors.push(fault);
            return outcome;
        }
        for (input, is_empty) in job.inputs[files.inputs.clone()].iter().zip(read.empty) {
            whole.add_file(input, is_empty);
        }
        whole.add(read.seen);
        outcome.clang_seconds += read.clang_seconds;
        outcome.diagnostics.extend(read.diagnostics);
        outcome.left_out.extend(read.left_out);
        outcome.errors.extend(read.errors);
        outcome.reports.extend(read.faults);
        for decision in files.decided.into_iter().flatten() {
            match decision {
                Ok(report) => outcome.reports.push(*report),
                Err(fault) => of_kernels.push(fault),
            }
        }
    }
    // If some kernels are unknown, facts about all kernels are, too.
    if interrupted.is_none() {
        outcome.never_launched = whole.never_launched();
        outcome.errors.extend(whole.faults());
    }
    outcome.errors.extend(of_kernels);
    outcome
}

/// Whether the fault is that a file found in a folder has no kernel, which is no error.
fn is_left_out(input: &Input, fault: &InputFault) -> bool {
    fault.culprit == Culprit::NoKernel && input.found_in.is_some()
}
