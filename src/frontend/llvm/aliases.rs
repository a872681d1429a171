//! Launches that pass one piece of memory to a kernel twice.
//!
//! A proof assumes that the pointers of a launch point to arrays that do not overlap. Some launches
//! plainly refute that: `k(p, p)`, and, if the kernel goes as far, `k(p, p + 1)`. So each pointer
//! that the host passes is followed back to its **origin**, and to its distance in bytes from
//! there. Two pointers that share an origin, at known distances, are reported. An origin is
//!
//! * a value of the host's code: the result of a function, or a loaded value. It is one number each
//!   time the launch is executed;
//! * the content of a variable that is written once: its address goes to one call, such as
//!   `cudaMalloc`, or one value is stored in it. Every load from it gives the same value;
//! * a variable of the device.
//!
//! If a pointer is one of several, all of them count. A number that changes in a loop counts as its
//! first value: some launch passes it. A pointer that is not followed has no origin in common with
//! any other; then the separation stays an assumption, and is listed.
//!
//! A pointer reaches the kernel as a parameter, in a struct that is a parameter, or in a variable
//! of the device ([`Passed`]). The stub shows how parameters lie in memory: it hands each of them
//! to the runtime by its address. The array that is passed to `cudaLaunchKernel` shows it likewise.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::prelude::LLVMModuleRef;
use inkwell::llvm_sys::target::LLVMGetModuleDataLayout;
use lockstep_options::launch::{Alias, Passed};

use super::launches::{choices, is_launch_function, name_of_called, unmangled};
use super::passes::functions;
use super::raw::{LBlock, LType, LValue, Layout, Opcode, TypeKind, ValueKind};

/// The most steps of one path back to an origin; longer paths are not followed.
const MOST_STEPS: usize = 256;

/// The most steps for one launch. Pointers that remain after them have no origin.
const MOST_STEPS_IN_ALL: usize = 1 << 18;

/// The most variables of the host that are looked through in succession.
const DEEPEST: usize = 8;

/// The most variables of the device that are looked at.
const MOST_COPIED: usize = 64;

/// The runtime's functions that take a parameter of a launch by its address.
const SETTING_UP: [&str; 2] = ["cudaSetupArgument", "hipSetupArgument"];

/// The toolkit's functions that only read their arguments' targets, except the first argument of
/// copies.
const READING: [&str; 5] = ["MemcpyToSymbol", "MemcpyToSymbolAsync", "Memcpy", "MemcpyAsync", "SetupArgument"];

/// The origin of a pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Origin {
    /// This value.
    Value(LValue),
    /// The content of a variable of the host, this many bytes after its beginning.
    Content(LValue, i64),
    /// A variable of the device, by its symbol.
    Variable(String),
    /// The number 0: addresses that are constants.
    Zero,
}

/// An origin and the distance from it in bytes; `None` if the distance is not known.
type Address = (Origin, Option<i64>);

/// A place in the host's memory: this many bytes after the beginning of a variable.
pub type Place = (LValue, i64);

/// The search through the host code of one file.
pub struct Aliases {
    layout: Layout,
    /// The variables of the device into which the host copies from its memory, by symbol, with the
    /// place.
    copied: Vec<(String, Place)>,
    /// The steps that remain.
    left: Cell<usize>,
}

impl Aliases {
    /// The aliases in this module's launches.
    pub fn of(module: LLVMModuleRef) -> Self {
        // SAFETY: the module is alive, and its layout lives as long.
        let layout = Layout(unsafe { LLVMGetModuleDataLayout(module) });
        let mut aliases = Self { layout, copied: Vec::new(), left: Cell::new(MOST_STEPS_IN_ALL) };
        let instructions = functions(module).into_iter().flat_map(LValue::blocks).flat_map(LBlock::instructions);
        for call in instructions {
            let name = toolkit_function(call);
            if let Some("MemcpyToSymbol" | "MemcpyToSymbolAsync") = name.as_deref()
                && let &[symbol, from, ..] = call.call_arguments().as_slice()
                && let (Some(symbol), Some(place)) = (variable(symbol), aliases.place(from))
                && aliases.copied.len() < MOST_COPIED
            {
                aliases.copied.push((symbol, place));
            }
        }
        aliases
    }

    /// The aliases among the pointers that a call passes to a kernel.
    ///
    /// The call is that of its stub, or of a function that takes the stub.
    pub fn at(&self, launching: LValue) -> Vec<Alias> {
        self.left.set(MOST_STEPS_IN_ALL);
        let mut passed = self.passed(launching);
        for (variable, place) in &self.copied {
            for (at, addresses) in self.contents(*place, None) {
                passed.push((Passed::Held { variable: variable.clone(), at }, addresses));
            }
        }
        let mut found = BTreeSet::new();
        for (index, (first, of_first)) in passed.iter().enumerate() {
            for (origin, at) in of_first {
                if let (Origin::Variable(symbol), Some(at)) = (origin, at) {
                    let passed = [first.clone(), Passed::Variable(symbol.clone())];
                    found.insert(Alias { passed, distance: -at });
                }
                for (second, of_second) in &passed[index + 1..] {
                    let same = of_second.iter().filter(|(other, _)| other == origin);
                    for (from, to) in same.filter_map(|(_, to)| (*at).zip(*to)) {
                        let passed = [first.clone(), second.clone()];
                        found.insert(Alias { passed, distance: to.wrapping_sub(from) });
                    }
                }
            }
        }
        found.into_iter().collect()
    }

    // --- The passed pointers ---------------------------------------------------------------------

    /// The pointers passed as parameters or in them.
    fn passed(&self, launching: LValue) -> Vec<(Passed, Vec<Address>)> {
        let arguments = launching.call_arguments();
        let name = name_of_called(launching).unwrap_or_default();
        if is_launch_function(&name) {
            let Some(&list) = arguments.get(5) else { return Vec::new() };
            return self
                .listed(list, launching)
                .into_iter()
                .flat_map(|(index, place)| {
                    let contents = self.contents(place, Some(launching));
                    contents.into_iter().map(move |(at, addresses)| (Passed::Parameter { index, at }, addresses))
                })
                .collect();
        }
        // If one kernel of several is chosen, all have the same parameters.
        let stub = launching.called().and_then(|called| choices(called).into_iter().next());
        let Some(stub) = stub else { return Vec::new() };
        let parameters = stub.parameters();
        let argument_of = |value: LValue| {
            let index = parameters.iter().position(|&parameter| parameter == value)?;
            arguments.get(index).copied()
        };
        let mut passed = Vec::new();
        for (index, memory) in self.set_up(stub) {
            if let Some(copy) = argument_of(memory.0) {
                // A struct passed in memory.
                let Some((base, at)) = self.place(copy) else { continue };
                let contents = self.contents((base, at + memory.1), Some(launching));
                passed.extend(contents.into_iter().map(|(at, found)| (Passed::Parameter { index, at }, found)));
                continue;
            }
            for (at, stored) in self.stored(memory) {
                if let Some(argument) = argument_of(stored) {
                    passed.push((Passed::Parameter { index, at }, self.addresses(argument, 0)));
                }
            }
        }
        passed.retain(|(_, addresses)| !addresses.is_empty());
        passed
    }

    /// The places of the parameters that a stub hands to the runtime, by their indices.
    pub fn set_up(&self, stub: LValue) -> Vec<(usize, Place)> {
        let calls =
            stub.blocks().into_iter().flat_map(LBlock::instructions).filter(|instruction| is_call(*instruction));
        let mut places = Vec::new();
        for call in calls {
            let Some(name) = name_of_called(call) else { continue };
            let arguments = call.call_arguments();
            if SETTING_UP.contains(&name.as_str()) {
                places.push(arguments.first().and_then(|&address| self.place(address)));
            } else if is_launch_function(&name)
                && let Some(&list) = arguments.get(5)
            {
                return self.listed(list, call);
            }
        }
        places.into_iter().enumerate().filter_map(|(index, place)| Some((index, place?))).collect()
    }

    /// The places of the parameters whose addresses are in a list when an instruction is executed.
    fn listed(&self, list: LValue, launching: LValue) -> Vec<(usize, Place)> {
        let Some((base, start)) = self.place(list) else { return Vec::new() };
        let writers = self.writers(base);
        let ats: BTreeSet<i64> = writers.iter().filter_map(Writer::stores_at).collect();
        let mut places = Vec::new();
        for at in ats {
            let Ok(offset) = usize::try_from(at - start) else { continue };
            let stored = stores(&writers, at, Some(launching)).into_iter().filter_map(|value| self.place(value));
            places.extend(stored.filter(|_| offset % 8 == 0).map(|place| (offset / 8, place)));
        }
        places
    }

    /// The pointers in a variable of the host when an instruction is executed, each with its byte.
    fn contents(&self, (base, start): Place, when: Option<LValue>) -> Vec<(u64, Vec<Address>)> {
        let mut found: BTreeMap<u64, Vec<Address>> = BTreeMap::new();
        let ats: BTreeSet<i64> =
            self.stored((base, start)).into_iter().map(|(at, _)| start + at.cast_signed()).collect();
        for at in ats.into_iter().chain([start]) {
            let Ok(offset) = u64::try_from(at - start) else { continue };
            let addresses = found.entry(offset).or_default();
            addresses.push((Origin::Content(base, at), Some(0)));
            self.add_known_content((base, at), when, 0, addresses);
        }
        found.into_iter().collect()
    }

    /// The values stored in a variable of the host, each with its byte; also those copied from
    /// another variable.
    pub fn stored(&self, (base, start): Place) -> Vec<(u64, LValue)> {
        let mut found = Vec::new();
        let mut pending = vec![(base, start)];
        let mut seen = BTreeSet::new();
        while let Some((base, start)) = pending.pop() {
            if !seen.insert(base.0.addr()) {
                continue;
            }
            for writer in self.writers(base) {
                match writer {
                    Writer::Store { at, value, .. } => {
                        found.extend(u64::try_from(at - start).ok().map(|at| (at, value)));
                    }
                    Writer::Copy { at, from } => pending.push((from.0, from.1 + start - at)),
                    Writer::Call { .. } => {}
                }
            }
        }
        found
    }

    /// Adds the origin of the pointer in a place, if the value written there is known.
    fn add_known_content(&self, (base, at): Place, when: Option<LValue>, depth: usize, addresses: &mut Vec<Address>) {
        if depth > DEEPEST {
            return;
        }
        let writers = self.writers(base);
        if when.is_some() {
            for value in stores(&writers, at, when) {
                addresses.extend(self.addresses(value, depth + 1));
            }
        }
        let here: Vec<&Writer> = writers.iter().filter(|writer| writer.may_write(at)).collect();
        let [only] = here.as_slice() else { return };
        match only {
            Writer::Store { .. } if when.is_some() => {}
            Writer::Store { value, .. } => addresses.extend(self.addresses(*value, depth + 1)),
            Writer::Copy { at: to, from } => {
                let place = (from.0, from.1 + at - to);
                addresses.push((Origin::Content(place.0, place.1), Some(0)));
                if from.0 != base {
                    self.add_known_content(place, None, depth + 1, addresses);
                }
            }
            Writer::Call { call, .. } => {
                let arguments = call.call_arguments();
                match (toolkit_function(*call).as_deref(), arguments.get(1)) {
                    (Some("GetSymbolAddress"), Some(&symbol)) => {
                        addresses.extend(variable(symbol).map(|symbol| (Origin::Variable(symbol), Some(0))));
                    }
                    (Some("HostGetDevicePointer"), Some(&host)) => addresses.extend(self.addresses(host, depth + 1)),
                    _ => {}
                }
            }
        }
    }

    /// Counts a step, and returns whether one was left.
    fn goes_on(&self) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left > 0
    }

    // --- The origin of a pointer -----------------------------------------------------------------

    /// The origins of a pointer, or of a number that is the address of one.
    fn addresses(&self, value: LValue, depth: usize) -> Vec<Address> {
        let mut found: Vec<Address> = Vec::new();
        let mut pending = vec![(value, Some(0))];
        let mut seen = BTreeSet::new();
        while let Some((value, at)) = pending.pop() {
            // A value is its own origin, however few steps remain.
            let is_first = seen.is_empty();
            if !self.goes_on() && !is_first || !seen.insert((value.0.addr(), at)) {
                continue;
            }
            let behind = |by: Option<i64>| at.zip(by).map(|(at, by): (i64, i64)| at.wrapping_add(by));
            if let Some((base, by)) = self.step(value) {
                pending.push((base, behind(by)));
                continue;
            }
            match value.kind() {
                ValueKind::LLVMInstructionValueKind => match value.opcode() {
                    Opcode::LLVMPHI => pending.extend(value.operands().into_iter().map(|operand| (operand, at))),
                    Opcode::LLVMSelect => pending.extend(value.operands().into_iter().skip(1).map(|one| (one, at))),
                    Opcode::LLVMLoad => {
                        found.push((Origin::Value(value), at));
                        let Some((base, offset)) = self.place(value.operands()[0]) else { continue };
                        let writers = self.writers(base);
                        if is_variable(base) && writers.iter().filter(|writer| writer.may_write(offset)).count() <= 1 {
                            let mut content = vec![(Origin::Content(base, offset), Some(0))];
                            // A variable written from itself is not followed again.
                            if seen.insert((base.0.addr(), Some(offset))) {
                                self.add_known_content((base, offset), None, depth + 1, &mut content);
                            }
                            found.extend(content.into_iter().map(|(origin, by)| (origin, behind(by))));
                        }
                    }
                    _ => found.push((Origin::Value(value), at)),
                },
                ValueKind::LLVMGlobalVariableValueKind => found.push((Origin::Variable(value.name()), at)),
                ValueKind::LLVMArgumentValueKind => found.push((Origin::Value(value), at)),
                // No access goes to null.
                ValueKind::LLVMConstantIntValueKind => {
                    let address = number(value, 0).filter(|address| *address != 0);
                    found.extend(address.map(|address| (Origin::Zero, behind(Some(address)))));
                }
                _ => {}
            }
        }
        let mut known: Vec<Address> = Vec::new();
        for address in found {
            if !known.contains(&address) {
                known.push(address);
            }
        }
        known
    }

    /// The pointer that another one is computed from, and the distance between them in bytes.
    fn step(&self, value: LValue) -> Option<(LValue, Option<i64>)> {
        let opcode = match value.kind() {
            ValueKind::LLVMInstructionValueKind => value.opcode(),
            ValueKind::LLVMConstantExprValueKind => value.constant_opcode(),
            _ => return None,
        };
        let operands = value.operands();
        match opcode {
            Opcode::LLVMGetElementPtr => Some((operands[0], self.distance(value, &operands))),
            Opcode::LLVMBitCast
            | Opcode::LLVMAddrSpaceCast
            | Opcode::LLVMPtrToInt
            | Opcode::LLVMIntToPtr
            | Opcode::LLVMFreeze => Some((operands[0], Some(0))),
            Opcode::LLVMAdd => match (number(operands[0], 0), number(operands[1], 0)) {
                (None, by) => Some((operands[0], by)),
                (by, None) => Some((operands[1], by)),
                _ => None,
            },
            Opcode::LLVMSub => Some((operands[0], number(operands[1], 0).map(i64::wrapping_neg))),
            _ => None,
        }
    }

    /// The number of bytes by which a `getelementptr` moves its pointer.
    fn distance(&self, value: LValue, operands: &[LValue]) -> Option<i64> {
        // SAFETY: it is a getelementptr.
        let mut ty = LType(unsafe { c::LLVMGetGEPSourceElementType(value.0) });
        let mut distance = 0_i64;
        for (position, index) in operands.iter().enumerate().skip(1) {
            let index = number(*index, 0)?;
            if position > 1 && matches!(ty.kind(), TypeKind::LLVMStructTypeKind) {
                let field = u32::try_from(index).ok()?;
                distance = distance.wrapping_add(self.layout.field_offset(ty, field).cast_signed());
                ty = *ty.fields().get(usize::try_from(field).ok()?)?;
                continue;
            }
            if position > 1 {
                ty = ty.element();
            }
            if !ty.is_sized() {
                return None;
            }
            let bytes = self.layout.allocation_bytes(ty).cast_signed();
            distance = distance.wrapping_add(index.wrapping_mul(bytes));
        }
        Some(distance)
    }

    // --- The host's memory -----------------------------------------------------------------------

    /// The known place that a pointer points to.
    fn place(&self, pointer: LValue) -> Option<Place> {
        let (mut base, mut at) = (pointer, 0_i64);
        for _ in 0..MOST_STEPS {
            match self.step(base) {
                Some((next, by)) => (base, at) = (next, at.wrapping_add(by?)),
                None => return matches!(base.ty().kind(), TypeKind::LLVMPointerTypeKind).then_some((base, at)),
            }
        }
        None
    }

    /// The instructions that may write a variable, as far as its address is followed.
    fn writers(&self, base: LValue) -> Vec<Writer> {
        let mut found = Vec::new();
        let mut pending = vec![(base, Some(0_i64))];
        let mut seen = BTreeSet::new();
        while let Some((pointer, at)) = pending.pop() {
            if !self.goes_on() || !seen.insert(pointer.0.addr()) {
                continue;
            }
            for user in pointer.users() {
                if !self.goes_on() {
                    break;
                }
                if let Some((of, by)) = self.step(user) {
                    if of == pointer {
                        pending.push((user, at.zip(by).map(|(at, by)| at.wrapping_add(by))));
                    }
                    continue;
                }
                if !matches!(user.kind(), ValueKind::LLVMInstructionValueKind) {
                    continue;
                }
                match user.opcode() {
                    Opcode::LLVMStore if user.operands().get(1) == Some(&pointer) => match at {
                        Some(at) => {
                            found.push(Writer::Store { at, value: user.operands()[0], instruction: user });
                        }
                        None => found.push(Writer::Call { at: None, call: user }),
                    },
                    Opcode::LLVMCall | Opcode::LLVMInvoke => found.extend(self.written_by(user, pointer, at)),
                    _ => {}
                }
            }
        }
        found
    }

    /// The write that a call makes to a variable whose address it receives.
    fn written_by(&self, call: LValue, pointer: LValue, at: Option<i64>) -> Option<Writer> {
        let name = name_of_called(call).unwrap_or_default();
        let arguments = call.call_arguments();
        if name.starts_with("llvm.memcpy") || name.starts_with("llvm.memmove") {
            let from = arguments.get(1).and_then(|&from| self.place(from));
            let is_written = arguments.first() == Some(&pointer);
            return match (at, from) {
                _ if !is_written => None,
                (Some(at), Some(from)) => Some(Writer::Copy { at, from }),
                _ => Some(Writer::Call { at: None, call }),
            };
        }
        let is_copied_to = arguments.first() == Some(&pointer) && !SETTING_UP.contains(&name.as_str());
        let reads = toolkit_function(call).is_some_and(|name| READING.contains(&name.as_str())) && !is_copied_to;
        if name.starts_with("llvm.") || is_launch_function(&name) || reads || !arguments.contains(&pointer) {
            return None;
        }
        if leaves_object(&name) && arguments.iter().skip(1).all(|argument| *argument != pointer) {
            return None;
        }
        // The toolkit writes one pointer; other functions may write the whole variable.
        let at = at.filter(|_| toolkit_function(call).is_some());
        Some(Writer::Call { at, call })
    }
}

/// A write of a variable of the host.
#[derive(Clone, Copy, Debug)]
enum Writer {
    /// A value is stored at this byte.
    Store { at: i64, value: LValue, instruction: LValue },
    /// From this byte on, a copy of the contents of another place.
    Copy { at: i64, from: Place },
    /// A function that receives an address writes this byte; any byte if it is not known.
    Call { at: Option<i64>, call: LValue },
}

impl Writer {
    /// The byte at which a value is stored.
    fn stores_at(&self) -> Option<i64> {
        match self {
            Self::Store { at, .. } => Some(*at),
            Self::Copy { .. } | Self::Call { .. } => None,
        }
    }

    /// Whether it may write a pointer at a place.
    fn may_write(&self, place: i64) -> bool {
        match self {
            Self::Store { at, .. } => *at == place,
            Self::Copy { at, .. } => *at <= place,
            Self::Call { at, .. } => at.is_none_or(|at| at == place),
        }
    }
}

/// The values stored at a byte of a variable that may be there when an instruction is executed.
///
/// They are the last store before the instruction in its block, or all stores if there is none.
fn stores(writers: &[Writer], place: i64, when: Option<LValue>) -> Vec<LValue> {
    let here = writers.iter().filter_map(|writer| match writer {
        Writer::Store { at, value, instruction } if *at == place => Some((*instruction, *value)),
        _ => None,
    });
    let here: Vec<(LValue, LValue)> = here.collect();
    let before = here.iter().filter(|(store, _)| when.is_some_and(|when| comes_before(*store, when)));
    let last = before.fold(None, |last: Option<&(LValue, LValue)>, store| match last {
        Some(last) if comes_before(store.0, last.0) => Some(last),
        _ => Some(store),
    });
    last.map_or_else(|| here.iter().map(|(_, value)| *value).collect(), |(_, value)| vec![*value])
}

/// The number that a value is, or its first number where it changes in a loop.
fn number(value: LValue, depth: usize) -> Option<i64> {
    if let Some(constant) = value.small_constant() {
        let unused = 64 - value.ty().integer_width();
        return Some(constant.cast_signed() << unused >> unused);
    }
    let is_number = matches!(value.kind(), ValueKind::LLVMInstructionValueKind)
        && matches!(value.ty().kind(), TypeKind::LLVMIntegerTypeKind)
        && value.ty().integer_width() <= 64;
    if !is_number || depth > 16 {
        return None;
    }
    let operands = value.operands();
    let operand = |index: usize| number(*operands.get(index)?, depth + 1);
    match value.opcode() {
        Opcode::LLVMPHI => operands.iter().find_map(|operand| {
            let constant = operand.small_constant().is_some();
            constant.then(|| number(*operand, depth + 1))?
        }),
        Opcode::LLVMAdd => Some(operand(0)?.wrapping_add(operand(1)?)),
        Opcode::LLVMSub => Some(operand(0)?.wrapping_sub(operand(1)?)),
        Opcode::LLVMMul => match (operand(0), operand(1)) {
            (Some(0), _) | (_, Some(0)) => Some(0),
            (first, second) => Some(first?.wrapping_mul(second?)),
        },
        Opcode::LLVMShl => match (operand(0)?, operand(1)) {
            (0, _) => Some(0),
            (number, by) => u32::try_from(by?).ok().and_then(|by| number.checked_shl(by)),
        },
        Opcode::LLVMSExt => operand(0),
        Opcode::LLVMZExt | Opcode::LLVMTrunc => operand(0).filter(|number| *number >= 0),
        _ => None,
    }
}

fn is_call(instruction: LValue) -> bool {
    matches!(instruction.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke)
}

/// Whether a value is the beginning of a variable of the host, local or at file scope.
fn is_variable(value: LValue) -> bool {
    matches!(value.kind(), ValueKind::LLVMGlobalVariableValueKind)
        || matches!(value.kind(), ValueKind::LLVMInstructionValueKind) && matches!(value.opcode(), Opcode::LLVMAlloca)
}

/// The symbol of a variable at file scope, if the value is its address.
fn variable(value: LValue) -> Option<String> {
    matches!(value.kind(), ValueKind::LLVMGlobalVariableValueKind).then(|| value.name())
}

/// The name of the called toolkit function, which may be a template, without the first word:
/// `Malloc`.
pub fn toolkit_function(call: LValue) -> Option<String> {
    let name = name_of_called(call)?;
    let name = unmangled(&name).unwrap_or(&name);
    let name = name.strip_prefix("cuda").or_else(|| name.strip_prefix("hip"))?;
    name.starts_with(|first: char| first.is_ascii_uppercase()).then(|| name.to_owned())
}

/// Whether a call leaves its object alone: a C++ function that says so, or the end of its life.
fn leaves_object(name: &str) -> bool {
    name.starts_with("_ZNK") || ["D0Ev", "D1Ev", "D2Ev"].iter().any(|end| name.ends_with(end))
}

/// Whether the first of two instructions of a block comes before the second.
fn comes_before(first: LValue, second: LValue) -> bool {
    let behind = std::iter::successors(first.next_instruction(), |next| next.next_instruction());
    behind.take(MOST_STEPS_IN_ALL).any(|next| next == second)
}
