//! The ways through a thread, for all values that its reads may return.

use std::collections::BTreeSet;

use lockstep_ir::kernel::{Ordering, Scope};

use super::program::{Change, Instruction, Litmus, Means, Operand, Thread};

/// The most times that a way comes to an instruction: ways through loops that go on end there.
const MOST_TIMES: u32 = 2;

/// The most values of a place: programs that count further are left out.
const MOST_VALUES: usize = 8;

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Read,
    Write,
    Fence,
    Barrier,
}

/// An event of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    pub kind: Kind,
    /// The place of an access, or the number of a barrier.
    pub place: usize,
    /// The value read or written.
    pub value: u32,
    /// The ordering and the scope of a strong access or a fence.
    pub strength: Option<(Ordering, Scope)>,
    /// Whether it writes what the read before it has been made for.
    pub is_update: bool,
    /// The events of the thread on which its value, or whether it happens, depends.
    pub depends: BTreeSet<usize>,
}

/// A way through a thread.
#[derive(Clone, Debug)]
pub struct Trace {
    pub events: Vec<Event>,
    /// The registers at the end.
    pub registers: Vec<u32>,
    /// Whether the thread ends there, and does not go on in a loop.
    pub ends: bool,
}

/// The ways through each thread; and whether these are all.
pub fn of(litmus: &Litmus) -> (Vec<Vec<Trace>>, bool) {
    let mut values: Vec<BTreeSet<u32>> = litmus.places.iter().map(|(_, first)| BTreeSet::from([*first])).collect();
    loop {
        let mut is_whole = true;
        let traces: Vec<Vec<Trace>> =
            litmus.threads.iter().map(|thread| of_thread(thread, &values, &mut is_whole)).collect();
        let mut more = values.clone();
        for event in traces.iter().flatten().flat_map(|trace| &trace.events) {
            if event.kind == Kind::Write && more[event.place].len() < MOST_VALUES {
                more[event.place].insert(event.value);
            }
        }
        if more == values {
            let is_whole = is_whole && values.iter().all(|values| values.len() < MOST_VALUES);
            return (traces, is_whole);
        }
        values = more;
    }
}

/// The state on a way through a thread.
#[derive(Clone)]
struct Walk {
    at: usize,
    /// How often it has come to each instruction.
    times: Vec<u32>,
    trace: Trace,
    /// The reads on which each register depends.
    sources: Vec<BTreeSet<usize>>,
    /// The reads on which it depends that the thread is here.
    branches: BTreeSet<usize>,
}

fn of_thread(thread: &Thread, values: &[BTreeSet<u32>], is_whole: &mut bool) -> Vec<Trace> {
    let registers: Vec<u32> = thread.registers.iter().map(|(_, first)| *first).collect();
    let sources = vec![BTreeSet::new(); registers.len()];
    let trace = Trace { events: Vec::new(), registers, ends: true };
    let mut open = vec![Walk { at: 0, times: vec![0; thread.body.len()], trace, sources, branches: BTreeSet::new() }];
    let mut traces = Vec::new();
    while let Some(walk) = open.pop() {
        match thread.body.get(walk.at) {
            None => traces.push(walk.trace),
            Some(_) if walk.times[walk.at] == MOST_TIMES => {
                *is_whole = false;
                traces.push(Trace { ends: false, ..walk.trace });
            }
            Some(instruction) => walk.step(*instruction, values, &mut open),
        }
    }
    traces
}

impl Walk {
    fn value(&self, operand: Operand) -> u32 {
        match operand {
            Operand::Constant(number) => number,
            Operand::Register(register) => self.trace.registers[register],
        }
    }

    fn sources(&self, operand: Operand) -> BTreeSet<usize> {
        match operand {
            Operand::Constant(_) => BTreeSet::new(),
            Operand::Register(register) => self.sources[register].clone(),
        }
    }

    /// Adds an event, and returns its number.
    fn event(&mut self, kind: Kind, (place, value): (usize, u32), strength: Option<(Ordering, Scope)>) -> usize {
        let depends = self.branches.clone();
        self.trace.events.push(Event { kind, place, value, strength, is_update: false, depends });
        self.trace.events.len() - 1
    }

    fn set(&mut self, register: usize, value: u32, sources: BTreeSet<usize>) {
        self.trace.registers[register] = value;
        self.sources[register] = sources;
    }

    /// Makes a step, in all ways.
    fn step(mut self, instruction: Instruction, values: &[BTreeSet<u32>], open: &mut Vec<Self>) {
        self.times[self.at] += 1;
        self.at += 1;
        match instruction {
            Instruction::Set(to, a, b) => {
                let sources = self.sources(a).union(&self.sources(b)).copied().collect();
                self.set(to, self.value(a).wrapping_add(self.value(b)), sources);
            }
            Instruction::Load { to, place, means } => {
                for &value in &values[place] {
                    let mut next = self.clone();
                    let read = next.event(Kind::Read, (place, value), strength(means));
                    next.set(to, value, BTreeSet::from([read]));
                    open.push(next);
                }
                return;
            }
            Instruction::Store { place, value, means } => {
                let write = self.event(Kind::Write, (place, self.value(value)), strength(means));
                let sources = self.sources(value);
                self.trace.events[write].depends.extend(sources);
            }
            Instruction::Update { to, place, change, ordering, scope } => {
                for &value in &values[place] {
                    let mut next = self.clone();
                    next.update((to, place), value, change, (ordering, scope));
                    open.push(next);
                }
                return;
            }
            Instruction::Fence(ordering, scope) => {
                self.event(Kind::Fence, (0, 0), Some((ordering, scope)));
            }
            Instruction::Barrier(number) => {
                self.event(Kind::Barrier, (usize::try_from(number).expect("small"), 0), None);
            }
            Instruction::Branch { if_equal, a, b, to } => {
                let sources = self.sources(a).union(&self.sources(b)).copied().collect::<BTreeSet<_>>();
                self.branches.extend(sources);
                if (self.value(a) == self.value(b)) == if_equal {
                    self.at = to;
                }
            }
            Instruction::Jump(to) => self.at = to,
        }
        open.push(self);
    }

    fn update(
        &mut self,
        (to, place): (Option<usize>, usize),
        old: u32,
        change: Change,
        (ordering, scope): (Ordering, Scope),
    ) {
        let (operand, new) = match change {
            Change::Add(by) => (by, Some(old.wrapping_add(self.value(by)))),
            Change::Subtract(by) => (by, Some(old.wrapping_sub(self.value(by)))),
            Change::Exchange(new) => (new, Some(self.value(new))),
            Change::CompareAndSwap(expected, new) => (new, (old == self.value(expected)).then(|| self.value(new))),
        };
        let read = self.event(Kind::Read, (place, old), Some((acquiring(ordering), scope)));
        if let Some(new) = new {
            let sources = self.sources(operand);
            let write = self.event(Kind::Write, (place, new), Some((releasing(ordering), scope)));
            let event = &mut self.trace.events[write];
            event.is_update = true;
            event.depends.extend(sources);
            if !matches!(change, Change::Exchange(_)) {
                event.depends.insert(read);
            }
        }
        if let Some(to) = to {
            self.set(to, old, BTreeSet::from([read]));
        }
    }
}

fn strength(means: Means) -> Option<(Ordering, Scope)> {
    match means {
        Means::Weak => None,
        Means::Strong(ordering, scope) => Some((ordering, scope)),
    }
}

/// The ordering of the read of a read-modify-write.
fn acquiring(ordering: Ordering) -> Ordering {
    match ordering {
        Ordering::AcquireRelease | Ordering::SequentiallyConsistent => Ordering::Acquire,
        Ordering::Release => Ordering::Relaxed,
        other => other,
    }
}

/// The ordering of the write of a read-modify-write.
fn releasing(ordering: Ordering) -> Ordering {
    match ordering {
        Ordering::AcquireRelease | Ordering::SequentiallyConsistent => Ordering::Release,
        Ordering::Acquire => Ordering::Relaxed,
        other => other,
    }
}
