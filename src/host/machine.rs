//! Executes steps.
//!
//! A frame is a part of one stack of slots, so calls of the program need no calls of Rust. Within a
//! frame, [`execute`] is a loop over the steps. It pauses for a call, a return, and now and then so
//! that the limits are checked. [`well_formed`] has checked that all slots exist.

use lockstep_ir::host::{Call, Callee, Function, HostProgram, Slot, Step};

use crate::library::{Host, Routine, routine};
use crate::memory::{Kind, Memory, Origin, Side};
use crate::numbers::{byte, count, index, int};
use crate::{Cause, Device, Ended, Limits, Stopped, arithmetic, well_formed};

/// The most frames.
const MOST_FRAMES: usize = 100_000;

/// The most slots of all frames.
const MOST_SLOTS: usize = 1 << 24;

/// The number of steps between two checks of the limits.
const CHECKED_EVERY: u64 = 1 << 14;

/// The number of touched bytes after which the limits are checked, too.
const TOUCHED_BETWEEN: u64 = 1 << 24;

/// The number of touched bytes that count as a step.
const BYTES_OF_STEP: u64 = 64;

/// The reason why a part of a run ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The program ends itself.
    Exit(i32),
    /// The run cannot go on.
    Stopped(Stopped),
}

impl From<Stopped> for Halt {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

/// A call that is under way.
struct Frame<'a> {
    index: u32,
    function: &'a Function,
    /// The next step.
    at: usize,
    /// Its first slot on the stack.
    base: usize,
    /// The number of local variables of its callers.
    locals: usize,
    /// The call that it executes; none for the first frame.
    call: Option<&'a Call>,
}

/// A run of a program.
pub struct Machine<'a> {
    program: &'a HostProgram,
    /// For each function without steps, the routine in place of them.
    routines: Vec<Option<Routine>>,
    host: Host<'a>,
    frames: Vec<Frame<'a>>,
    /// The slots of all frames.
    stack: Vec<u64>,
    /// The addresses of the local variables of all frames.
    locals: Vec<u64>,
    arguments: Vec<u64>,
    limits: Limits,
    /// The steps that have been granted, with those that are left of them.
    granted: u64,
    left: u64,
    /// The place of the routine that is being called.
    place: Option<u32>,
}

impl<'a> Machine<'a> {
    /// A run before its first step.
    pub fn new(program: &'a HostProgram, device: &'a mut dyn Device, limits: Limits) -> Result<Self, Stopped> {
        well_formed::check(program)?;
        let routines = program.functions.iter().map(|function| {
            let is_declared = function.steps.is_empty();
            is_declared.then(|| routine(&function.name)).flatten()
        });
        Ok(Self {
            program,
            routines: routines.collect(),
            host: Host::new(program, device, limits.bytes)?,
            frames: Vec::new(),
            stack: Vec::new(),
            locals: Vec::new(),
            arguments: Vec::new(),
            limits,
            granted: 0,
            left: 0,
            place: None,
        })
    }

    /// Runs the program to its end.
    pub fn run(mut self, options: &[String]) -> Ended {
        let cause = match self.run_all(options) {
            Ok(code) => Cause::Returned(code),
            Err(Halt::Exit(code)) => Cause::Exit(code),
            Err(Halt::Stopped(stopped)) => Cause::Stopped(stopped),
        };
        let touched = self.host.memory.take_touched();
        let call = self.frames.iter().rev().find_map(|frame| frame.call?.place);
        Ended {
            cause,
            steps: self.granted - self.left + touched / BYTES_OF_STEP,
            function: self.frames.last().map(|frame| frame.index),
            place: self.place.or(call),
        }
    }

    fn run_all(&mut self, options: &[String]) -> Result<i32, Halt> {
        for &function in &self.program.before_main {
            self.call_first(function, &[])?;
        }
        let arguments = self.command_line(options)?;
        Ok(int(self.call_first(self.program.main, &arguments)?))
    }

    /// The arguments of `main`: the number of words, the words, and an environment without any.
    fn command_line(&mut self, options: &[String]) -> Result<[u64; 3], Halt> {
        let memory = &mut self.host.memory;
        let mut words = Vec::new();
        for word in std::iter::once("program").chain(options.iter().map(String::as_str)) {
            let mut bytes = word.as_bytes().to_vec();
            bytes.push(0);
            words.push(memory.allocate_text(&bytes)?);
        }
        let argc = count(words.len());
        words.push(0);
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let (argv, environment) = (memory.allocate_text(&bytes)?, memory.allocate_text(&[0; 8])?);
        // The program has touched none of these bytes.
        memory.take_touched();
        Ok([argc, argv, environment])
    }

    /// Calls a function from outside of the program, and gives the first slot of its result.
    fn call_first(&mut self, function: u32, arguments: &[u64]) -> Result<u64, Halt> {
        let parameters = index(self.program.functions[index(function.into())].parameters.into());
        self.arguments.clear();
        self.arguments.extend(&arguments[..arguments.len().min(parameters)]);
        if self.program.functions[index(function.into())].steps.is_empty() {
            return Ok(self.call_routine(function, None)?[0]);
        }
        self.enter(function, None)?;
        loop {
            match self.execute()? {
                Pause::Limits => self.check_limits()?,
                Pause::Call(call) => self.call(call)?,
                Pause::Return(values) => {
                    let result = values.first().map_or(0, |&value| self.slot(value));
                    self.leave(values);
                    if self.frames.is_empty() {
                        return Ok(result);
                    }
                }
            }
        }
    }

    /// A slot of the innermost frame.
    fn slot(&self, slot: Slot) -> u64 {
        self.stack[self.base() + index(slot.into())]
    }

    /// The first slot of the innermost frame.
    fn base(&self) -> usize {
        self.frames.last().map_or(0, |frame| frame.base)
    }

    fn call(&mut self, call: &'a Call) -> Result<(), Halt> {
        let frame = &self.stack[self.base()..];
        self.arguments.clear();
        self.arguments.extend(call.arguments.iter().map(|&slot| frame[index(slot.into())]));
        let callee = match call.callee {
            Callee::Known(callee) => callee,
            Callee::Pointer(slot) => self.function_at(self.slot(slot))?,
        };
        if !self.program.functions[index(callee.into())].steps.is_empty() {
            return self.enter(callee, Some(call));
        }
        self.place = call.place;
        let results = self.call_routine(callee, Some(call))?;
        self.place = None;
        self.set_results(call, &results);
        if self.host.memory.touched() >= TOUCHED_BETWEEN {
            self.check_limits()?;
        }
        Ok(())
    }

    /// Sets the slots of a call's result in the innermost frame. Those without a value are zero.
    fn set_results(&mut self, call: &Call, results: &[u64]) {
        if call.results == 0 {
            return;
        }
        let first = self.base() + index(call.result.into());
        let slots = &mut self.stack[first..first + index(call.results.into())];
        slots.iter_mut().zip(results.iter().chain(std::iter::repeat(&0))).for_each(|(slot, &result)| *slot = result);
    }

    fn function_at(&self, address: u64) -> Result<u32, Stopped> {
        self.host.memory.function_at(address).ok_or_else(|| {
            Stopped::fault(format!("the program calls a function at address {address:#x}, where none begins"))
        })
    }

    fn call_routine(&mut self, function: u32, call: Option<&Call>) -> Result<[u64; 2], Halt> {
        let Some(routine) = self.routines[index(function.into())] else {
            let name = &self.program.functions[index(function.into())].name;
            return Err(Stopped::not_known(format!("calls `{name}`, which is not known")).into());
        };
        self.host.place = call.and_then(|call| call.place);
        routine.call(&mut self.host, &self.arguments)
    }

    /// Begins a frame for a function with steps. Its arguments have been collected.
    fn enter(&mut self, callee: u32, call: Option<&'a Call>) -> Result<(), Halt> {
        let function = &self.program.functions[index(callee.into())];
        let (base, parameters) = (self.stack.len(), index(function.parameters.into()));
        let end = base + index(function.slots.into());
        if self.frames.len() >= MOST_FRAMES || end > MOST_SLOTS {
            return Err(Stopped::limit(format!("the program calls functions in {} others", self.frames.len())).into());
        }
        if self.arguments.len() < parameters && !self.frames.is_empty() {
            return Err(Stopped::fault(format!("the program calls `{}` without all arguments", function.name)).into());
        }
        self.stack.resize(end, 0);
        let frame = &mut self.stack[base..];
        frame.iter_mut().zip(&self.arguments).take(parameters).for_each(|(slot, &argument)| *slot = argument);
        frame[parameters..parameters + function.constants.len()].copy_from_slice(&function.constants);
        self.frames.push(Frame { index: callee, function, at: 0, base, locals: self.locals.len(), call });
        Ok(())
    }

    /// Ends the innermost frame, with these slots as its result.
    fn leave(&mut self, values: &[Slot]) {
        let Some(frame) = self.frames.pop() else { return };
        if let Some(call) = frame.call {
            let result = self.base() + index(call.result.into());
            for number in 0..index(call.results.into()) {
                let value = values.get(number).map_or(0, |&value| self.stack[frame.base + index(value.into())]);
                self.stack[result + number] = value;
            }
        }
        self.stack.truncate(frame.base);
        for local in self.locals.drain(frame.locals..) {
            self.host.memory.release_local(local);
        }
    }

    /// Executes steps of the innermost frame until it pauses.
    fn execute(&mut self) -> Result<Pause<'a>, Halt> {
        let Some(frame) = self.frames.last_mut() else { return Ok(Pause::Return(&[])) };
        let slots = Slots(&mut self.stack[frame.base..]);
        let memory = &mut self.host.memory;
        Ok(execute(&frame.function.steps, &mut frame.at, slots, memory, &mut self.locals, &mut self.left)?)
    }

    /// Stops the run at a limit, and grants more steps otherwise.
    fn check_limits(&mut self) -> Result<(), Stopped> {
        let touched = self.host.memory.take_touched();
        self.granted = self.granted.saturating_add(touched / BYTES_OF_STEP) - self.left;
        self.left = self.limits.steps.saturating_sub(self.granted).min(CHECKED_EVERY);
        self.granted += self.left;
        if self.left == 0 {
            return Err(Stopped::limit(format!("the program takes more than {} steps", self.limits.steps)));
        }
        if self.limits.deadline.passed() {
            return Err(Stopped::limit("the time is up"));
        }
        Ok(())
    }
}

/// The reason why a frame pauses.
enum Pause<'a> {
    /// The limits are to be checked.
    Limits,
    /// It calls a function.
    Call(&'a Call),
    /// It returns these slots.
    Return(&'a [Slot]),
}

/// The slots of a frame.
struct Slots<'s>(&'s mut [u64]);

impl Slots<'_> {
    #[inline]
    fn get(&self, slot: Slot) -> u64 {
        self.0[slot as usize]
    }

    #[inline]
    fn set(&mut self, slot: Slot, value: u64) {
        self.0[slot as usize] = value;
    }
}

/// Executes steps, beginning with one, until there is a reason to pause.
fn execute<'a>(
    steps: &'a [Step],
    next: &mut usize,
    mut slots: Slots<'_>,
    memory: &mut Memory,
    locals: &mut Vec<u64>,
    left: &mut u64,
) -> Result<Pause<'a>, Stopped> {
    let (mut at, mut budget) = (*next, *left);
    let pause = loop {
        if budget == 0 {
            break Ok(Pause::Limits);
        }
        let Some(step) = steps.get(at) else { break Err(Stopped::not_known("a function does not end")) };
        budget -= 1;
        at += 1;
        match *step {
            Step::Move { to, from } => slots.set(to, slots.get(from)),
            Step::Integer { operation, width, to, a, b } => {
                let (a, b) = (slots.get(a), slots.get(b));
                let Some(result) = arithmetic::integer(operation, width, a, b) else { break Err(no_quotient(b)) };
                slots.set(to, result);
            }
            Step::Overflow { operation, is_signed, width, to, a, b } => {
                let (a, b) = (slots.get(a), slots.get(b));
                let (result, overflows) = arithmetic::overflowing(operation, is_signed, width, a, b);
                slots.set(to, result);
                slots.set(to + 1, overflows.into());
            }
            Step::Float { operation, is_double, to, a, b } => {
                slots.set(to, arithmetic::floats(operation, is_double, slots.get(a), slots.get(b)));
            }
            Step::FusedMultiplyAdd { is_double, to, operands } => {
                let operands = operands.map(|operand| slots.get(operand));
                slots.set(to, arithmetic::fused_multiply_add(is_double, operands));
            }
            Step::Math { function, is_double, to, a } => {
                slots.set(to, arithmetic::math(function, is_double, slots.get(a)));
            }
            Step::Compare { comparison, width, to, a, b } => {
                slots.set(to, arithmetic::compare(comparison, width, slots.get(a), slots.get(b)).into());
            }
            Step::CompareFloats { relations, is_double, to, a, b } => {
                let holds = arithmetic::compare_floats(relations, is_double, slots.get(a), slots.get(b));
                slots.set(to, holds.into());
            }
            Step::Convert { conversion, to, a } => slots.set(to, arithmetic::convert(conversion, slots.get(a))),
            Step::Select { to, condition, a, b } => {
                slots.set(to, if slots.get(condition) & 1 == 1 { slots.get(a) } else { slots.get(b) });
            }
            Step::Address { to, base, index, scale } => {
                slots.set(to, slots.get(base).wrapping_add(slots.get(index).wrapping_mul(scale)));
            }
            Step::Load { to, address, offset, bytes } => {
                let address = slots.get(address).wrapping_add(offset);
                let Some(value) = memory.load(address, bytes) else {
                    break Err(memory.refusal(address, bytes.into(), Side::Host, "reads"));
                };
                slots.set(to, value);
            }
            Step::Store { value, address, offset, bytes } => {
                let address = slots.get(address).wrapping_add(offset);
                if memory.store(address, slots.get(value), bytes).is_none() {
                    break Err(memory.refusal(address, bytes.into(), Side::Host, "writes"));
                }
            }
            Step::Reserve { to, bytes, count } => match reserve(bytes, slots.get(count), memory, locals) {
                Ok(address) => slots.set(to, address),
                Err(stopped) => break Err(stopped),
            },
            Step::Copy { to, from, bytes } => {
                let (to, from, bytes) = (slots.get(to), slots.get(from), slots.get(bytes));
                if let Err(stopped) = memory.copy(to, from, bytes, Side::Host) {
                    break Err(stopped);
                }
                if memory.touched() >= TOUCHED_BETWEEN {
                    break Ok(Pause::Limits);
                }
            }
            Step::Fill { to, value, bytes } => {
                let (to, value, bytes) = (slots.get(to), slots.get(value), slots.get(bytes));
                if let Err(stopped) = memory.fill(to, byte(value), bytes, Side::Host) {
                    break Err(stopped);
                }
                if memory.touched() >= TOUCHED_BETWEEN {
                    break Ok(Pause::Limits);
                }
            }
            Step::Jump(target) => at = target as usize,
            Step::Branch { condition, then, otherwise } => {
                at = if slots.get(condition) & 1 == 1 { then } else { otherwise } as usize;
            }
            Step::Switch { value, ref cases, otherwise } => {
                let value = slots.get(value);
                let found = cases.iter().find(|(case, _)| *case == value);
                at = found.map_or(otherwise, |&(_, target)| target) as usize;
            }
            Step::Call(ref call) => break Ok(Pause::Call(call)),
            Step::Return(ref values) => break Ok(Pause::Return(values)),
            Step::Stop(ref reason) => break Err(Stopped::not_known(reason.as_ref())),
        }
    };
    (*next, *left) = (at, budget);
    pause
}

/// The address of new memory that the end of the function frees.
fn reserve(bytes: u64, count: u64, memory: &mut Memory, locals: &mut Vec<u64>) -> Result<u64, Stopped> {
    let address = memory.allocate_for(Kind::Host, Origin::Local, bytes.saturating_mul(count))?;
    locals.push(address);
    Ok(address)
}

#[cold]
fn no_quotient(divisor: u64) -> Stopped {
    Stopped::fault(if divisor == 0 { "the program divides by zero" } else { "a quotient does not fit its type" })
}
