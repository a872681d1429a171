//! Launches that pass one piece of memory to a kernel twice.
//!
//! A proof assumes that the pointers of a launch point to arrays that do not overlap. Some launches
//! plainly refute that: `k(p, p)`, and, if the kernel goes as far, `k(p, p + 1)`. So each pointer
//! that the host passes is followed back to its **origin**, and to its distance in bytes from
//! there. Two pointers that share an origin, at known distances, are reported, unless it is known
//! that they have it at different times ([`pairs`]). An origin is
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

mod blocks;
mod pairs;

use std::cell::{Cell, RefCell};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::prelude::LLVMModuleRef;
use inkwell::llvm_sys::target::LLVMGetModuleDataLayout;
use lockstep_options::launch::{Alias, Passed};

use blocks::Blocks;
use pairs::Item;

use super::launches::{choices, is_launch_function, name_of_called, passes_launches_on, unmangled};
use super::passes::functions;
use super::raw::{LBlock, LType, LValue, Layout, Opcode, TypeKind, ValueKind};

/// The most steps of one path back to an origin; longer paths are not followed.
const MOST_STEPS: usize = 256;

/// The most steps for one launch. Pointers that remain after them have no origin.
const MOST_STEPS_IN_ALL: usize = 1 << 18;

/// The most variables of the host that are looked through in succession.
const DEEPEST: usize = 8;

/// The most pointers in a parameter that are followed by its type.
const MOST_POINTERS: u64 = 64;

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
    /// A variable of the device.
    Variable(LValue),
    /// The number 0: addresses that are constants.
    Zero,
}

/// An origin and the distance from it in bytes; `None` if the distance is not known.
type Address = (Origin, Option<i64>);

/// A place in the host's memory: this many bytes after the beginning of a variable.
pub type Place = (LValue, i64);

/// The writers of a variable, each with its instruction.
type Writers = Rc<Vec<(LValue, Writer)>>;

/// A pointer that a launch passes.
struct Pointer {
    passed: Passed,
    /// Its possible origins.
    addresses: Vec<Address>,
    /// The pointer when the launch is executed, if it is passed there.
    item: Option<Item>,
}

/// The search through the host code of one file.
pub struct Aliases {
    layout: Layout,
    /// The variables of the device into which the host copies from its memory, by symbol, with the
    /// place.
    copied: Vec<(String, Place)>,
    blocks: Blocks,
    /// The writers of the variables that were asked for.
    known_writers: RefCell<HashMap<LValue, Writers>>,
    /// The steps that remain.
    left: Cell<usize>,
}

impl Aliases {
    /// The aliases in this module's launches.
    pub fn of(module: LLVMModuleRef) -> Self {
        // SAFETY: the module is alive, and its layout lives as long.
        let layout = Layout(unsafe { LLVMGetModuleDataLayout(module) });
        let mut aliases = Self {
            layout,
            copied: Vec::new(),
            blocks: Blocks::of(module),
            known_writers: RefCell::default(),
            left: Cell::new(MOST_STEPS_IN_ALL),
        };
        let instructions = functions(module).into_iter().flat_map(LValue::blocks).flat_map(LBlock::instructions);
        for call in instructions {
            let name = toolkit_function(call);
            if let Some("MemcpyToSymbol" | "MemcpyToSymbolAsync") = name.as_deref()
                && let &[symbol, from, ..] = call.call_arguments().as_slice()
                && let (Some(symbol), Some(place)) = (variable(symbol), aliases.place(from))
                && aliases.copied.len() < MOST_COPIED
            {
                aliases.copied.push((symbol.name(), place));
            }
        }
        aliases
    }

    /// The aliases among the pointers that a call passes to a kernel, and all of these pointers if
    /// every two of them were followed to the end and have not come together.
    ///
    /// The call is that of its stub, or of a function that takes the stub.
    pub fn at(&self, launching: LValue) -> (Vec<Alias>, Vec<Passed>) {
        self.left.set(MOST_STEPS_IN_ALL);
        let mut passed = self.passed(launching);
        for (variable, place) in &self.copied {
            let held = |at: u64| Passed::Held { variable: variable.clone(), at };
            let contents = self.contents(*place, None).into_iter();
            passed.extend(contents.map(|(at, addresses)| Pointer { passed: held(at), addresses, item: None }));
        }
        let mut found = BTreeSet::new();
        let mut are_apart = true;
        for (index, first) in passed.iter().enumerate() {
            for (origin, at) in &first.addresses {
                if let (Origin::Variable(variable), Some(at)) = (origin, at) {
                    let passed = [first.passed.clone(), Passed::Variable(variable.name())];
                    found.insert(Alias { passed, distance: -at });
                }
            }
            for second in &passed[index + 1..] {
                let passed = [first, second].map(|pointer| pointer.passed.clone());
                let (distances, is_apart) = self.distances(launching, first, second);
                are_apart &= is_apart;
                found.extend(distances.into_iter().map(|distance| Alias { passed: passed.clone(), distance }));
            }
        }
        let apart = if are_apart && found.is_empty() { passed } else { Vec::new() };
        (found.into_iter().collect(), apart.into_iter().map(|pointer| pointer.passed).collect())
    }

    /// The known distances between two pointers that have an origin in common, and whether it is
    /// known that they have none.
    fn distances(&self, launching: LValue, first: &Pointer, second: &Pointer) -> (BTreeSet<i64>, bool) {
        let followed = first.item.zip(second.item).map(|(first, second)| self.followed(launching, [first, second]));
        let followed = followed.unwrap_or_default();
        let mut distances = followed.distances;
        // Pointers that change places in a loop share their origins at different times.
        let changes =
            |pointer: &Pointer| matches!(pointer.item, Some(Item::Value(value)) if self.changes_in_loop(value));
        if !(followed.is_complete || changes(first) && changes(second)) {
            for (origin, from) in &first.addresses {
                let same = second.addresses.iter().filter(|(other, _)| other == origin);
                distances.extend(same.filter_map(|(_, to)| Some((*to)?.wrapping_sub((*from)?))));
            }
        }
        let is_apart = followed.is_complete && !followed.may_meet;
        (distances, is_apart)
    }

    /// Whether a pointer is another one in each iteration of a loop: a φ-node of which an operand
    /// comes from a block behind it.
    fn changes_in_loop(&self, value: LValue) -> bool {
        let is_phi =
            matches!(value.kind(), ValueKind::LLVMInstructionValueKind) && matches!(value.opcode(), Opcode::LLVMPHI);
        let Some(&(block, _)) = self.blocks.at.get(&value).filter(|_| is_phi) else { return false };
        let mut seen = BTreeSet::new();
        let mut pending = self.blocks.of[block].predecessors.clone();
        while let Some(before) = pending.pop() {
            if before == block {
                return true;
            }
            if seen.insert(before) {
                pending.extend(&self.blocks.of[before].predecessors);
            }
        }
        false
    }

    // --- The passed pointers ---------------------------------------------------------------------

    /// The pointers passed as parameters or in them.
    fn passed(&self, launching: LValue) -> Vec<Pointer> {
        let arguments = launching.call_arguments();
        let name = name_of_called(launching).unwrap_or_default();
        if is_launch_function(&name) {
            let Some(&list) = arguments.get(5) else { return Vec::new() };
            return self
                .listed(list, launching)
                .into_iter()
                .flat_map(|(index, place)| self.passed_in(index, place, launching))
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
                passed.extend(self.passed_in(index, (base, at + memory.1), launching));
                continue;
            }
            for (at, stored) in self.stored(memory) {
                if let Some(argument) = argument_of(stored) {
                    let (passed_as, addresses) = (Passed::Parameter { index, at }, self.addresses(argument, 0));
                    passed.push(Pointer { passed: passed_as, addresses, item: Some(Item::Value(argument)) });
                }
            }
        }
        passed.retain(|pointer| !pointer.addresses.is_empty() && pointer.item.is_none_or(may_be_address));
        passed
    }

    /// The pointers in the place of a parameter.
    fn passed_in(&self, index: usize, place: Place, launching: LValue) -> Vec<Pointer> {
        let pointer = |(at, addresses): (u64, Vec<Address>)| {
            let item = Item::Content(place.0, place.1 + at.cast_signed());
            Pointer { passed: Passed::Parameter { index, at }, addresses, item: Some(item) }
        };
        self.contents(place, Some(launching)).into_iter().map(pointer).collect()
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
        let fields = self.pointers_in(base);
        for at in ats.into_iter().chain(fields).chain([start]) {
            let Ok(offset) = u64::try_from(at - start) else { continue };
            let Entry::Vacant(entry) = found.entry(offset) else { continue };
            let addresses = entry.insert(Vec::new());
            addresses.push((Origin::Content(base, at), Some(0)));
            self.add_known_content((base, at), when, 0, addresses);
        }
        found.into_iter().collect()
    }

    /// The places of pointers in a variable of the host, by its type.
    fn pointers_in(&self, base: LValue) -> Vec<i64> {
        let mut found = Vec::new();
        if is_variable(base) && matches!(base.kind(), ValueKind::LLVMInstructionValueKind) {
            // SAFETY: it is an alloca.
            self.add_pointers(LType(unsafe { c::LLVMGetAllocatedType(base.0) }), 0, &mut found);
        }
        found
    }

    /// Adds the places of the pointers in a type that begins at a byte.
    fn add_pointers(&self, ty: LType, at: i64, found: &mut Vec<i64>) {
        if found.len() as u64 >= MOST_POINTERS {
            return;
        }
        match ty.kind() {
            TypeKind::LLVMPointerTypeKind => found.push(at),
            TypeKind::LLVMStructTypeKind => {
                for (index, field) in (0_u32..).zip(ty.fields()) {
                    self.add_pointers(field, at + self.layout.field_offset(ty, index).cast_signed(), found);
                }
            }
            TypeKind::LLVMArrayTypeKind => {
                let (element, length) = (ty.element(), ty.array_length().min(MOST_POINTERS));
                let bytes = self.layout.allocation_bytes(element).cast_signed();
                (0..length.cast_signed()).for_each(|index| self.add_pointers(element, at + index * bytes, found));
            }
            _ => {}
        }
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
                    Writer::Call { .. } | Writer::Somewhere => {}
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
            Writer::Somewhere => {}
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
                ValueKind::LLVMGlobalVariableValueKind => found.push((Origin::Variable(value), at)),
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
    pub fn step(&self, value: LValue) -> Option<(LValue, Option<i64>)> {
        let (base, by) = self.moved(value)?;
        Some((base, by.filter(|by| by.unknown.is_empty()).map(|by| by.bytes)))
    }

    /// The first pointer from which another one is computed.
    fn base(&self, pointer: LValue) -> LValue {
        let bases = std::iter::successors(Some(pointer), |value| Some(self.step(*value)?.0));
        bases.take(MOST_STEPS).last().unwrap_or(pointer)
    }

    /// The pointer that another one is computed from, and the way between them.
    fn moved(&self, value: LValue) -> Option<(LValue, Option<Move>)> {
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
            | Opcode::LLVMFreeze => Some((operands[0], Some(Move::known(0)))),
            Opcode::LLVMAdd => match (number(operands[0], 0), number(operands[1], 0)) {
                (None, by) => Some((operands[0], by.map(Move::known))),
                (by, None) => Some((operands[1], by.map(Move::known))),
                _ => None,
            },
            Opcode::LLVMSub => {
                Some((operands[0], number(operands[1], 0).map(|number| Move::known(number.wrapping_neg()))))
            }
            _ => None,
        }
    }

    /// The number of bytes by which a `getelementptr` moves its pointer.
    fn distance(&self, value: LValue, operands: &[LValue]) -> Option<Move> {
        // SAFETY: it is a getelementptr.
        let mut ty = LType(unsafe { c::LLVMGetGEPSourceElementType(value.0) });
        let mut distance = Move::known(0);
        for (position, index) in operands.iter().enumerate().skip(1) {
            let number = number(*index, 0);
            if position > 1 && matches!(ty.kind(), TypeKind::LLVMStructTypeKind) {
                let field = u32::try_from(number?).ok()?;
                distance.bytes = distance.bytes.wrapping_add(self.layout.field_offset(ty, field).cast_signed());
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
            match number {
                Some(number) => distance.bytes = distance.bytes.wrapping_add(number.wrapping_mul(bytes)),
                None => distance.unknown.push((*index, bytes)),
            }
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

    /// Whether a pointer is moved by a number that depends on the way to it.
    fn is_of_iteration(&self, pointer: LValue) -> bool {
        let all = std::iter::successors(Some(pointer), |value| Some(self.step(*value)?.0)).take(MOST_STEPS);
        let is_moved = |value: &LValue| {
            let operands = value.operands();
            let is_number = |operand: &&LValue| matches!(operand.ty().kind(), TypeKind::LLVMIntegerTypeKind);
            operands.iter().filter(is_number).any(|operand| depends_on_way(*operand, 0))
        };
        all.take_while(|value| self.step(*value).is_some()).any(|value| is_moved(&value))
    }

    /// The writes of a variable, as far as its address is followed.
    fn writers(&self, base: LValue) -> Vec<Writer> {
        self.writing(base).iter().map(|(_, writer)| *writer).collect()
    }

    /// The instructions that may write a variable, as far as its address is followed.
    fn writing(&self, base: LValue) -> Writers {
        if let Some(known) = self.known_writers.borrow().get(&base) {
            return Rc::clone(known);
        }
        let found = Rc::new(self.find_writers(base));
        // A search that was broken off is repeated for the next launch.
        if self.left.get() > 0 {
            self.known_writers.borrow_mut().insert(base, Rc::clone(&found));
        }
        found
    }

    fn find_writers(&self, base: LValue) -> Vec<(LValue, Writer)> {
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
                            let value = user.operands()[0];
                            found.push((user, Writer::Store { at, value, instruction: user }));
                        }
                        None => found.push((user, Writer::Somewhere)),
                    },
                    Opcode::LLVMCall | Opcode::LLVMInvoke => {
                        found.extend(self.written_by(user, pointer, at).map(|writer| (user, writer)));
                    }
                    _ => {}
                }
            }
        }
        found
    }

    /// The write that a call makes to a variable whose address it receives.
    pub fn written_by(&self, call: LValue, pointer: LValue, at: Option<i64>) -> Option<Writer> {
        let name = name_of_called(call).unwrap_or_default();
        let arguments = call.call_arguments();
        if name.starts_with("llvm.memcpy") || name.starts_with("llvm.memmove") {
            let from = arguments.get(1).and_then(|&from| self.place(from));
            let is_written = arguments.first() == Some(&pointer);
            return match (at, from) {
                _ if !is_written => None,
                (Some(at), Some(from)) => Some(Writer::Copy { at, from }),
                _ => Some(Writer::Somewhere),
            };
        }
        let is_copied_to = arguments.first() == Some(&pointer) && !SETTING_UP.contains(&name.as_str());
        let reads = toolkit_function(call).is_some_and(|name| READING.contains(&name.as_str())) && !is_copied_to;
        if name.starts_with("llvm.") || is_launch_function(&name) || reads || !is_lent(call, &arguments, pointer) {
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

/// The way from one pointer to another.
struct Move {
    bytes: i64,
    /// Unknown numbers that are added, and their units in bytes.
    unknown: Vec<(LValue, i64)>,
}

impl Move {
    fn known(bytes: i64) -> Self {
        Self { bytes, unknown: Vec::new() }
    }
}

/// A write of a variable of the host.
#[derive(Clone, Copy, Debug)]
pub enum Writer {
    /// A value is stored at this byte.
    Store { at: i64, value: LValue, instruction: LValue },
    /// From this byte on, a copy of the contents of another place.
    Copy { at: i64, from: Place },
    /// A function that receives an address writes this byte; any byte if it is not known.
    Call { at: Option<i64>, call: LValue },
    /// A store or a copy, at a byte that is not known.
    Somewhere,
}

impl Writer {
    /// The byte at which a value is stored.
    fn stores_at(&self) -> Option<i64> {
        match self {
            Self::Store { at, .. } => Some(*at),
            Self::Copy { .. } | Self::Call { .. } | Self::Somewhere => None,
        }
    }

    /// Whether it may write a pointer at a place.
    fn may_write(&self, place: i64) -> bool {
        match self {
            Self::Store { at, .. } => *at == place,
            Self::Copy { at, .. } => *at <= place,
            Self::Call { at, .. } => at.is_none_or(|at| at == place),
            Self::Somewhere => true,
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

/// Whether a number depends on the way to it: it is chosen, or changes in a loop.
fn depends_on_way(value: LValue, depth: usize) -> bool {
    let is_instruction = matches!(value.kind(), ValueKind::LLVMInstructionValueKind);
    is_instruction
        && (depth > 16
            || matches!(value.opcode(), Opcode::LLVMPHI | Opcode::LLVMSelect)
            || value.operands().into_iter().any(|operand| depends_on_way(operand, depth + 1)))
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
pub fn is_variable(value: LValue) -> bool {
    matches!(value.kind(), ValueKind::LLVMGlobalVariableValueKind)
        || matches!(value.kind(), ValueKind::LLVMInstructionValueKind) && matches!(value.opcode(), Opcode::LLVMAlloca)
}

/// A variable at file scope, if the value is its address.
fn variable(value: LValue) -> Option<LValue> {
    matches!(value.kind(), ValueKind::LLVMGlobalVariableValueKind).then_some(value)
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

/// Whether a passed value may be an address: a pointer, or a number that is as wide.
fn may_be_address(item: Item) -> bool {
    let Item::Value(value) = item else { return true };
    match value.ty().kind() {
        TypeKind::LLVMPointerTypeKind => true,
        TypeKind::LLVMIntegerTypeKind => value.ty().integer_width() >= 64,
        _ => false,
    }
}

/// Whether a call passes a pointer other than to have its target copied.
fn is_lent(call: LValue, arguments: &[LValue], pointer: LValue) -> bool {
    let is_stub = name_of_called(call).is_some_and(|name| passes_launches_on(&name));
    let mut uses = (1_u32..).zip(arguments).filter(|(_, argument)| **argument == pointer);
    !is_stub && uses.any(|(index, _)| !call.passes_copy(index))
}

/// Whether the first of two instructions of a block comes before the second.
fn comes_before(first: LValue, second: LValue) -> bool {
    let behind = std::iter::successors(first.next_instruction(), |next| next.next_instruction());
    behind.take(MOST_STEPS_IN_ALL).any(|next| next == second)
}
