//! Random litmus programs: threads that write data and signal, and others that look or wait and
//! access the data, with or without fences and orderings.

use lockstep_ir::kernel::{Ordering, Scope};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::program::{Asks, Change, Condition, Instruction, Litmus, Means, Operand, Question, Term, Thread};

/// The places of data, followed by those of signals.
const DATA: usize = 2;
const PLACES: usize = 4;

/// The program of a seed.
pub fn litmus(seed: u64) -> Litmus {
    let mut generator = Generator { random: Pcg64Mcg::seed_from_u64(seed), registers: 0 };
    let count = if generator.one_in(3) { 3 } else { 2 };
    let is_of_one_block = generator.one_in(4);
    let scope = if is_of_one_block && generator.one_in(2) { Scope::Group } else { Scope::Device };
    let last_block = if count == 3 && generator.one_in(2) { 1 } else { 2 };
    let threads = (0..count).map(|thread: u32| {
        let block = if is_of_one_block { 0 } else { thread.min(last_block) };
        generator.registers = 0;
        let body = generator.body(thread, scope);
        let registers = (0..generator.registers).map(|register| (format!("r{register}"), 0)).collect();
        Thread { block, device: 0, registers, body }
    });
    let threads = threads.collect();
    let names = ["x", "y", "f", "g"];
    let places = names.into_iter().map(|name| (name.to_owned(), 0)).collect();
    let condition = Condition::Compare { is_equal: true, a: Term::Constant(0), b: Term::Constant(0) };
    Litmus { name: format!("seed{seed}"), places, threads, question: Question { asks: Asks::Exists, condition } }
}

/// The program of a seed whose threads read and write two places by strong operations, with fences
/// between: store buffering, reads of two writes, and the like.
pub fn of_signals(seed: u64) -> Litmus {
    let mut generator = Generator { random: Pcg64Mcg::seed_from_u64(seed), registers: 0 };
    let count: u32 = if generator.one_in(2) { 3 } else { 2 };
    let threads = (0..count).map(|thread| {
        generator.registers = 0;
        let length = if count == 3 { 2 } else { 3 };
        let body = (0..length).flat_map(|_| generator.strong()).collect();
        let registers = (0..generator.registers).map(|register| (format!("r{register}"), 0)).collect();
        Thread { block: thread, device: 0, registers, body }
    });
    let threads = threads.collect();
    let places = ["x", "y"].map(|name| (name.to_owned(), 0)).to_vec();
    let condition = Condition::Compare { is_equal: true, a: Term::Constant(0), b: Term::Constant(0) };
    Litmus { name: format!("signals{seed}"), places, threads, question: Question { asks: Asks::Exists, condition } }
}

/// The program of a seed whose threads access data where they have read certain values, with
/// fences between: the order of the fences may follow from what is read and replaced.
pub fn of_fences(seed: u64) -> Litmus {
    let mut litmus = of_signals(seed);
    let mut generator = Generator { random: Pcg64Mcg::seed_from_u64(!seed), registers: 0 };
    // Sums of what places start with may be any numbers, and the model tries few.
    let mut all = litmus.threads.iter().flat_map(|thread| &thread.body);
    let adds = all.any(|instruction| matches!(instruction, Instruction::Update { .. }));
    let data = litmus.places.len();
    litmus.places.push(("d".to_owned(), 0));
    for thread in &mut litmus.threads {
        generator.registers = thread.registers.len();
        let mut body = Vec::new();
        if generator.one_in(2) {
            body.push(Instruction::Store { place: data, value: Operand::Constant(1), means: Means::Weak });
        }
        if generator.one_in(2) {
            body.push(Instruction::Fence(Ordering::SequentiallyConsistent, Scope::Device));
        }
        let mut leaves = Vec::new();
        for &instruction in &thread.body {
            body.push(instruction);
            if let Instruction::Load { to, .. } = instruction
                && !adds
                && generator.one_in(2)
            {
                leaves.push(body.len());
                let b = Operand::Constant(u32::try_from(generator.below(2)).expect("small"));
                body.push(Instruction::Branch { if_equal: false, a: Operand::Register(to), b, to: 0 });
            }
        }
        if generator.one_in(2) {
            let to = generator.register();
            body.push(Instruction::Load { to, place: data, means: Means::Weak });
        }
        let end = body.len();
        for at in leaves {
            if let Instruction::Branch { to, .. } = &mut body[at] {
                *to = end;
            }
        }
        thread.body = body;
        thread.registers = (0..generator.registers).map(|register| (format!("r{register}"), 0)).collect();
    }
    litmus
}

struct Generator {
    random: Pcg64Mcg,
    /// The registers of the thread.
    registers: usize,
}

impl Generator {
    fn one_in(&mut self, times: u32) -> bool {
        self.random.random_ratio(1, times)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.random.random_range(0..bound)
    }

    fn register(&mut self) -> usize {
        self.registers += 1;
        self.registers - 1
    }

    /// A strong operation, perhaps behind a fence.
    fn strong(&mut self) -> Vec<Instruction> {
        let mut found = Vec::new();
        if self.one_in(4) {
            let all = [Ordering::AcquireRelease, Ordering::SequentiallyConsistent];
            found.push(Instruction::Fence(all[self.below(2)], Scope::Device));
        }
        let place = self.below(2);
        found.push(match self.below(7) {
            0..3 => {
                let ordering = [Ordering::Relaxed, Ordering::Relaxed, Ordering::Release][self.below(3)];
                let value = Operand::Constant(u32::try_from(1 + self.below(2)).expect("small"));
                Instruction::Store { place, value, means: Means::Strong(ordering, Scope::Device) }
            }
            3..6 => {
                let ordering = [Ordering::Relaxed, Ordering::Relaxed, Ordering::Acquire][self.below(3)];
                Instruction::Load { to: self.register(), place, means: Means::Strong(ordering, Scope::Device) }
            }
            _ => Instruction::Update {
                to: Some(self.register()),
                place,
                change: Change::Add(Operand::Constant(1)),
                ordering: [Ordering::Relaxed, Ordering::AcquireRelease][self.below(2)],
                scope: Scope::Device,
            },
        });
        found
    }

    /// A part or two of a thread: it tells others something, or looks.
    fn body(&mut self, thread: u32, scope: Scope) -> Vec<Instruction> {
        let mut body = Vec::new();
        let tells_first = if self.one_in(6) { self.one_in(2) } else { thread == 0 };
        if tells_first {
            self.tell(scope, &mut body);
            if self.one_in(4) {
                self.look(scope, &mut body);
            }
        } else {
            self.look(scope, &mut body);
            if self.one_in(3) {
                self.tell(scope, &mut body);
            }
        }
        body
    }

    /// An access to data, and a signal behind it.
    fn tell(&mut self, scope: Scope, body: &mut Vec<Instruction>) {
        self.access(3, body);
        if self.one_in(4) {
            self.access(2, body);
        }
        let how = self.below(5);
        if how < 3 {
            self.fence(scope, body);
        }
        let place = self.signal();
        let scope = self.scope(scope);
        let ordering = if how == 3 || self.one_in(8) { Ordering::Release } else { Ordering::Relaxed };
        let value = Operand::Constant(if self.one_in(6) { 2 } else { 1 });
        let to = self.one_in(2).then(|| self.register());
        body.push(match self.below(8) {
            0 | 1 => Instruction::Update { to, place, change: Change::Add(value), ordering, scope },
            2 => {
                let ordering = if self.one_in(2) { Ordering::AcquireRelease } else { ordering };
                Instruction::Update { to, place, change: Change::Exchange(value), ordering, scope }
            }
            3 if self.one_in(3) => Instruction::Store { place, value, means: Means::Weak },
            _ => Instruction::Store { place, value, means: Means::Strong(ordering, scope) },
        });
        if self.one_in(6) {
            self.access(1, body);
        }
    }

    /// A look at a signal, or a wait for it, and an access behind it.
    fn look(&mut self, scope: Scope, body: &mut Vec<Instruction>) {
        let place = self.signal();
        let own = self.scope(scope);
        let how = self.below(5);
        let ordering = if how == 3 || self.one_in(8) { Ordering::Acquire } else { Ordering::Relaxed };
        let to = self.register();
        let start = body.len();
        let seen = Operand::Register(to);
        match self.below(8) {
            0 => {
                let change = Change::Add(Operand::Constant(1));
                body.push(Instruction::Update { to: Some(to), place, change, ordering, scope: own });
            }
            1 => {
                let change = Change::CompareAndSwap(Operand::Constant(1), Operand::Constant(2));
                body.push(Instruction::Update { to: Some(to), place, change, ordering, scope: own });
            }
            2 if self.one_in(3) => body.push(Instruction::Load { to, place, means: Means::Weak }),
            _ => body.push(Instruction::Load { to, place, means: Means::Strong(ordering, own) }),
        }
        let is_early = self.one_in(3);
        if how < 3 && is_early {
            self.fence(scope, body);
        }
        let waits = self.one_in(3);
        let branch = body.len();
        let value = Operand::Constant(if self.one_in(6) { 2 } else { 1 });
        body.push(Instruction::Branch { if_equal: false, a: seen, b: value, to: start });
        if how < 3 && !is_early {
            self.fence(scope, body);
        }
        self.access(2, body);
        if self.one_in(5) {
            self.access(2, body);
        }
        let end = body.len();
        if !waits && let Instruction::Branch { to, if_equal, .. } = &mut body[branch] {
            *to = end;
            *if_equal = self.one_in(12);
        }
        if self.one_in(6) {
            self.access(1, body);
        }
    }

    /// A weak access to data: writes are `writes` times as likely as reads.
    fn access(&mut self, writes: usize, body: &mut Vec<Instruction>) {
        let place = if self.one_in(4) { self.below(DATA) } else { 0 };
        let is_write = self.below(writes + 1) > 0;
        let means = if self.one_in(8) { Means::Strong(Ordering::Relaxed, Scope::Device) } else { Means::Weak };
        body.push(if is_write {
            Instruction::Store { place, value: Operand::Constant(1), means }
        } else {
            Instruction::Load { to: self.register(), place, means }
        });
    }

    fn fence(&mut self, scope: Scope, body: &mut Vec<Instruction>) {
        let ordering = if self.one_in(2) { Ordering::SequentiallyConsistent } else { Ordering::AcquireRelease };
        let scope = self.scope(scope);
        body.push(Instruction::Fence(ordering, scope));
    }

    fn signal(&mut self) -> usize {
        if self.one_in(4) { DATA + self.below(PLACES - DATA) } else { DATA }
    }

    /// A scope that is seldom too narrow.
    fn scope(&mut self, scope: Scope) -> Scope {
        if self.one_in(10) { Scope::Group } else { scope }
    }
}
