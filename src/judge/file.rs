//! A worker that reads files and has their kernels judged.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::all_inputs::Seen;
use super::{Decision, Item, Message, Read, is_left_out, limits, policy, seconds, unfinished};
use crate::frontend::ImportedKernel;
use crate::pipeline::input_fault::Culprit;
use crate::pipeline::{AskedLaunch, Imported, Input, InputFault, Settings, decide_guarded, import};
use crate::report;
use crate::solver;
use crate::verdict::KernelReport;
use crate::worker::{Channel, End, Group, Limits, Mailbox, News, Standard, Worker, next_news};

/// A worker that holds more than this fraction of its memory limit gets no further kernel, because
/// memory left by earlier kernels would count against it.
const USED: u64 = 4;

/// Reads the files, numbered from `first`, and has their kernels judged.
pub fn work(mut channel: Channel, (first, inputs): (usize, &[Input]), settings: &Settings) {
    if let Err(cause) = policy::enter(inputs, settings) {
        report::say(&format!("the sandbox cannot be entered: {cause}"));
        return;
    }
    let ready = OnceLock::new();
    let warm_up = || {
        ready.get_or_init(solver::warm_up);
    };
    let files: Vec<(Imported, f64)> = inputs.iter().map(|input| read_file(input, &warm_up)).collect();
    // Modules of LLVM IR need no Clang.
    warm_up();
    // A fork must be made from a process with one thread.
    drop(ready);
    let mut read = Read::default();
    let mut asked = gather((first, inputs), &files, settings, &mut read);
    let known: Vec<&ImportedKernel> = files.iter().flat_map(|(file, _)| kernels(file)).collect();
    let settings = match settings.with_axioms(&known) {
        Ok(settings) => settings,
        Err(fault) => {
            read.items.clear();
            read.axioms = Some(fault);
            // If this fails, no process is listening.
            let _ = channel.send(&Message::Read(Box::new(read)));
            return;
        }
    };
    for own in asked.iter_mut().filter_map(|asked| asked.settings.as_mut()) {
        own.lockstep.axioms = settings.lockstep.axioms.clone();
    }
    let launched: Vec<&ImportedKernel> = asked.iter().map(|asked| asked.kernel).collect();
    read.seen = Seen::new(&settings, &known, &launched);
    let items = read.items.clone();
    if channel.send(&Message::Read(Box::new(read))).is_err() || items.is_empty() {
        return;
    }
    let work = Work { asked: &asked, items: &items, settings: &settings };
    if items.len() == 1 { work.judge_here(channel) } else { work.judge_in_workers(channel) }
}

fn read_file(input: &Input, started: &(dyn Fn() + Sync)) -> (Imported, f64) {
    let begun = Instant::now();
    // Imported code may be deeply nested. A joined thread is no obstacle to forks.
    let imported = solver::on_large_stack(|| import(input, started));
    (imported, begun.elapsed().as_secs_f64())
}

fn kernels(file: &Imported) -> &[ImportedKernel] {
    match file {
        Imported::Module(module) => &module.kernels,
        Imported::Error(_) | Imported::OutOfMemory(_) | Imported::Fault(_) => &[],
    }
}

/// Collects the kernels to judge and the errors in the files.
fn gather<'a>(
    (first, inputs): (usize, &'a [Input]),
    files: &'a [(Imported, f64)],
    settings: &Settings,
    read: &mut Read,
) -> Vec<AskedKernel<'a>> {
    let mut all = Vec::new();
    for (number, (input, (file, seconds))) in (first..).zip(inputs.iter().zip(files)) {
        let is_empty = matches!(file, Imported::Error(error) if error.culprit == Culprit::NoKernel);
        read.empty.push(is_empty);
        match file {
            Imported::Module(module) => {
                read.clang_seconds += module.clang_seconds;
                if !module.diagnostics.trim().is_empty() {
                    read.diagnostics.push(module.diagnostics.clone());
                }
                if !module.left_out.is_empty() {
                    read.diagnostics.push(report::left_out::notes(&module.left_out));
                    read.left_out.extend(module.left_out.iter().cloned());
                }
                let share = seconds / f64::from(u32::try_from(module.kernels.len().max(1)).unwrap_or(u32::MAX));
                for asked in input.asked(module, settings) {
                    let asked = asked.and_then(|(kernel, launch)| {
                        Ok(AskedKernel { input, kernel, launch, settings: own_settings(input, kernel, settings)? })
                    });
                    match asked {
                        Ok(asked) => {
                            let (kernel, timeout) = (asked.kernel, asked.settings(settings).prove.timeout);
                            let (name, file) = (kernel.name.clone(), kernel.file.clone());
                            let line = kernel.line;
                            read.items.push(Item { name, file, line, input: number, frontend_seconds: share, timeout });
                            all.push(asked);
                        }
                        Err(fault) => read.errors.push(fault),
                    }
                }
            }
            Imported::Error(error) if is_left_out(input, error) => {}
            Imported::Error(error) => read.errors.push(error.clone()),
            Imported::OutOfMemory(bytes) => {
                let report = unfinished::file(&input.path, &End::OutOfMemory(*bytes), "", settings);
                read.faults.push(KernelReport { input: number, ..report });
            }
            Imported::Fault(message) => {
                let report = unfinished::fault_in_import(&input.path, message);
                read.faults.push(KernelReport { input: number, ..report });
            }
        }
    }
    all
}

/// A kernel in a launch.
struct AskedKernel<'a> {
    input: &'a Input,
    kernel: &'a ImportedKernel,
    launch: AskedLaunch,
    /// Its settings, if they are not those of the run.
    settings: Option<Box<Settings>>,
}

impl AskedKernel<'_> {
    fn settings<'s>(&'s self, of_run: &'s Settings) -> &'s Settings {
        self.settings.as_deref().unwrap_or(of_run)
    }
}

fn own_settings(
    input: &Input,
    kernel: &ImportedKernel,
    of_run: &Settings,
) -> Result<Option<Box<Settings>>, InputFault> {
    match input.settings(kernel, of_run)? {
        Cow::Borrowed(_) => Ok(None),
        Cow::Owned(own) => Ok(Some(Box::new(own))),
    }
}

/// The kernels of the files.
struct Work<'a> {
    asked: &'a [AskedKernel<'a>],
    items: &'a [Item],
    settings: &'a Settings,
}

impl Work<'_> {
    /// Judges a kernel. A report that holds if this process comes to no end is sent ahead.
    fn decide(&self, index: usize, threads: usize, channel: &mut Channel) -> Decision {
        let (asked, item) = (&self.asked[index], &self.items[index]);
        let settings = asked.settings(self.settings);
        let of_item = |report: KernelReport| Box::new(KernelReport { input: item.input, ..report });
        let mut known = |report: &KernelReport| {
            // If this fails, no process is listening, and the answer fails as well.
            let _ = channel.send(&Message::Known(index, of_item(report.clone())));
        };
        let decide = || {
            let source = (Some(asked.input), item.frontend_seconds);
            decide_guarded(asked.kernel, source, &asked.launch, settings, &mut known)
        };
        let report = Settings::on_workers(threads, decide)
            .unwrap_or_else(|cause| Ok(unfinished::fault(item, &format!("cannot start threads: {cause:#}"))))?;
        Ok(of_item(report))
    }

    /// Judges the only kernel, in this process.
    fn judge_here(&self, mut channel: Channel) {
        let Some(Message::Share(slots)) = channel.receive() else { return };
        // The memory of two contexts is already warm.
        if channel.send(&Message::Began(0)).is_ok() {
            let decision = self.decide(0, slots.max(1), &mut channel);
            let _ = channel.send(&Message::Decided(0, decision));
        }
    }

    /// Hands the kernels to workers, and ends workers that exceed their limits.
    fn judge_in_workers(&self, channel: Channel) {
        let mut hall = Hall {
            work: self,
            parent: Mailbox::new(channel),
            slots: 1,
            waiting: (0..self.items.len()).collect(),
            workers: Vec::new(),
            at: Vec::new(),
            known: Vec::new(),
        };
        while hall.step() {}
    }
}

/// Workers that judge the kernels of this process.
struct Hall<'a> {
    work: &'a Work<'a>,
    parent: Mailbox,
    slots: usize,
    waiting: VecDeque<usize>,
    workers: Vec<Option<Worker>>,
    /// The item that each worker is judging.
    at: Vec<Option<usize>>,
    /// A report on it that holds if the worker comes to no end.
    known: Vec<Option<Box<KernelReport>>>,
}

impl Hall<'_> {
    /// Runs one step; returns whether there is more to do.
    fn step(&mut self) -> bool {
        self.hand_out();
        let busy = self.at.iter().flatten().count();
        if busy == 0 && self.waiting.is_empty() {
            return false;
        }
        match next_news(&mut self.workers, Some(&mut self.parent), Duration::from_hours(1)) {
            News::FromParent(Message::Share(slots)) => self.slots = slots,
            News::Message(index, Message::Known(_, report)) => self.known[index] = Some(report),
            News::Message(index, Message::Decided(item, decision)) => {
                self.at[index] = None;
                self.known[index] = None;
                self.tell(item, decision);
                self.dismiss_if_used(index);
            }
            News::Ended(index, end) => {
                let worker = self.workers[index].take();
                let known = self.known[index].take();
                if let (Some(item), Some(mut worker)) = (self.at[index].take(), worker) {
                    let said = worker.complaints();
                    let report = unfinished::kernel(&self.work.items[item], known, &end, &said);
                    self.tell(item, Ok(report));
                }
            }
            News::ParentGone | News::Interrupted(_) => return false,
            News::FromParent(_) | News::Message(..) | News::Nothing => {}
        }
        true
    }

    fn tell(&mut self, item: usize, decision: Decision) {
        // If this fails, no process is listening, and the next step notices it.
        let _ = self.parent.channel().send(&Message::Decided(item, decision));
    }

    /// Gives every slot a kernel.
    fn hand_out(&mut self) {
        while self.at.iter().flatten().count() < self.slots
            && let Some(item) = self.waiting.pop_front()
        {
            let idle = (0..self.at.len()).find(|&index| self.workers[index].is_some() && self.at[index].is_none());
            let Some(index) = idle.or_else(|| self.hire()) else {
                let report = unfinished::fault(&self.work.items[item], "no worker process can be started");
                self.tell(item, Ok(Box::new(report)));
                continue;
            };
            let _ = self.parent.channel().send(&Message::Began(item));
            self.at[index] = Some(item);
            if let Some(worker) = &mut self.workers[index] {
                let frontend = seconds(self.work.items[item].frontend_seconds);
                worker.limit(limits(self.work.settings, self.work.items[item].timeout, frontend, 1));
                // If the worker is gone, an event reports it.
                let _ = worker.send(&Message::Decide(item));
            }
        }
    }

    fn hire(&mut self) -> Option<usize> {
        let left = self.waiting.len() + 1;
        let threads = (self.slots / left.min(self.slots).max(1)).max(1);
        let worker = Worker::start(Group::OfParent, Standard::Kept, Limits::default(), |mut channel| {
            while let Some(Message::Decide(item)) = channel.receive() {
                let decision = self.work.decide(item, threads, &mut channel);
                if channel.send(&Message::Decided(item, decision)).is_err() {
                    return;
                }
            }
        });
        self.workers.push(Some(worker.ok()?));
        self.at.push(None);
        self.known.push(None);
        Some(self.workers.len() - 1)
    }

    /// Dismisses a worker whose memory earlier kernels have filled.
    fn dismiss_if_used(&mut self, index: usize) {
        let Some(worker) = &mut self.workers[index] else { return };
        worker.limit(Limits::default());
        let most = self.work.settings.memory_bytes.unwrap_or(u64::MAX) / USED;
        if worker.resident_bytes().is_none_or(|bytes| bytes > most) {
            self.workers[index] = None;
        }
    }
}
