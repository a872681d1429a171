//! Components of vectors and bit-fields: parts of memory that Clang accesses as parts of a whole.
//!
//! Clang compiles `v.x = e` to a load of the vector, an `insertelement` or `shufflevector`, and a
//! store of the vector. It compiles `v.x` as a value to a load of the vector and an
//! `extractelement`. The source accesses the component alone. Two evaluations conflict if one
//! modifies a memory location and the other reads or modifies the same one (the OpenCL
//! Specification, "Memory Ordering Rules", after C11 5.1.2.4, paragraph 4). A memory location is an
//! object of scalar type, and threads access different ones without interfering with each other
//! (C11 3.14, note 1). Components are such objects: each has a scalar type, and pointers to that
//! type and `vload` reach them one by one (the OpenCL C Specification, "Vector Components", "Vector
//! Data Load and Store Functions"). A compiler that wrote the whole vector back would lose another
//! thread's write next to the component, which OpenCL C does not allow. So such accesses are
//! imported as accesses to the components. No such promise exists for CUDA, whose vectors are
//! structs, and for vectors of LLVM IR: there the vectors of Clang's own extension are accessed as
//! the instructions say.
//!
//! Adjacent bit-fields are *one* location (C11 3.14, note 2), the unit that Clang loads and stores.
//! The load and the store stay accesses to the unit, which race with those to the neighbours. But
//! the load is not the source's. It is marked as serving only to keep the neighbours
//! ([`Needs::Nothing`]), so nobody need have written them. A copy of a struct reads all of its
//! bytes. Its padding need not have been written by anyone ([`Needs::Something`]), nor do the
//! members of the copy that nobody uses ([`Needs::Nothing`]).
//!
//! **Recognition.** `float4 v = *p; v.x = e; *p = v;` reads and writes the whole vector, and races
//! with accesses to any component. Once the variable is gone it looks the same. So the instructions
//! are recognised and marked in Clang's output, before any pass. There every access to a variable
//! is a load or store. Only the lvalue of `v.x = e` has an address that serves a load and a store
//! side by side: the load, the component's new value, and the store, with nothing between them and
//! no other user. (`v = __builtin_shufflevector(v, w, 0, 5)`, for a `v` that is named rather than
//! pointed to, comes close; there `w` is loaded between, or is no widened vector.) A load of which
//! a component is taken is followed by the instruction that takes it. Bit-fields are known by the
//! names that Clang gives the instructions, which no name of a source can be.
//!
//! Atomic accesses are left as they are, as are those of a thread's own variables. Volatile
//! accesses of OpenCL C are accesses like others.
//!
//! The marks are Lockstep's own: marks in an input module are removed first ([`forget_marks`]).

use std::collections::BTreeSet;

use inkwell::llvm_sys::LLVMAtomicOrdering;
use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::prelude::LLVMModuleRef;
use lockstep_ir::kernel::{Access, BinaryOp, CompareOp, Kernel, Language, Needs, Operation, Type, Value};

use super::kernels::Importer;
use super::passes;
use super::raw::{LType, LValue, Opcode, TypeKind, ValueKind};
use super::types::{self, Leaf, Unreadable};
use crate::builder::Lanes;

/// The mark of a vector's load or store of which the source accesses components only.
const COMPONENT: &str = "lockstep.component";

/// The mark of a load that serves to keep bits.
const KEPT: &str = "lockstep.kept";

/// A part of the names of the loads into which LLVM divides the copy of a struct.
///
/// Such loads may read padding.
const COPIED: &str = ".copyload";

/// Removes marks that are already on instructions.
pub fn forget_marks(module: LLVMModuleRef) {
    for block in passes::functions(module).into_iter().flat_map(LValue::blocks) {
        for instruction in block.instructions() {
            instruction.remove_mark(COMPONENT);
            instruction.remove_mark(KEPT);
        }
    }
}

/// Marks the accesses to components in a module as Clang emitted it.
pub fn mark(module: LLVMModuleRef, language: Language) {
    for block in passes::functions(module).into_iter().flat_map(LValue::blocks) {
        let instructions = block.instructions();
        for index in 0..instructions.len() {
            let (before, here) = (&instructions[..index], instructions[index]);
            match here.opcode() {
                Opcode::LLVMLoad if keeps_neighbours(here) => here.set_mark(KEPT),
                Opcode::LLVMLoad
                    if language == Language::OpenCl
                        && is_of_vector(here, here.ty(), here.operands()[0])
                        && takes_components(here, &instructions[index + 1..]) =>
                {
                    here.set_mark(COMPONENT);
                }
                Opcode::LLVMStore if language == Language::OpenCl => mark_store(here, before),
                _ => {}
            }
        }
    }
}

fn mark_store(store: LValue, before: &[LValue]) {
    let operands = store.operands();
    let (value, pointer) = (operands[0], operands[1]);
    if !is_of_vector(store, value.ty(), pointer) {
        return;
    }
    if changed_components(store).is_some_and(|changed| changed.stand_together(before)) {
        store.set_mark(COMPONENT);
    }
    // If all components are written in some order, Clang loads the vector and does not use it.
    let computed = usize::from(before.last() == Some(&value));
    if let Some(&load) = before.len().checked_sub(1 + computed).and_then(|index| before.get(index))
        && is(load, Opcode::LLVMLoad)
        && !load.is_used()
        && is_of_vector(load, load.ty(), load.operands()[0])
        && load.operands()[0] == pointer
    {
        load.erase();
    }
}

/// The part of a vector that a store changes; the rest is as a load from the same place found it.
struct Changed {
    load: LValue,
    /// The components, widened to a whole vector before they are blended into the loaded one.
    widened: Option<LValue>,
    blended: LValue,
    components: Components,
}

/// The accessed components of a vector.
enum Components {
    These(BTreeSet<usize>),
    /// The component with this computed number.
    Computed(LValue),
}

impl Changed {
    /// Whether the instructions end a list, in succession.
    fn stand_together(&self, before: &[LValue]) -> bool {
        let all = [Some(self.load), self.widened, Some(self.blended)];
        before.ends_with(&all.into_iter().flatten().collect::<Vec<_>>())
    }
}

fn changed_components(store: LValue) -> Option<Changed> {
    let operands = store.operands();
    let (blended, pointer) = (operands[0], operands[1]);
    let sole_user = |value: LValue, user: LValue| value.users() == [user];
    let loaded = |load: LValue| {
        is(load, Opcode::LLVMLoad)
            && load.operands()[0] == pointer
            && is_of_vector(load, load.ty(), pointer)
            && sole_user(load, blended)
    };
    if !is_instruction(blended) || !sole_user(blended, store) {
        return None;
    }
    let parts = blended.operands();
    match blended.opcode() {
        Opcode::LLVMInsertElement if loaded(parts[0]) => {
            // A number known to be past the last component makes the whole vector undefined.
            let components = match parts[2].small_constant() {
                Some(_) => Components::These(BTreeSet::from([component(parts[0].ty(), parts[2])?])),
                None => Components::Computed(parts[2]),
            };
            Some(Changed { load: parts[0], widened: None, blended, components })
        }
        Opcode::LLVMShuffleVector if loaded(parts[0]) => {
            let length = parts[0].ty().vector_length() as usize;
            let mask = blended.mask();
            let widened = widened_components(parts[1], blended)?;
            let mut components = BTreeSet::new();
            for (lane, from) in mask.iter().enumerate() {
                match (*from)?.checked_sub(length) {
                    None if *from == Some(lane) => {}
                    Some(component) if component < widened => {
                        components.insert(lane);
                    }
                    _ => return None,
                }
            }
            let widened = is_instruction(parts[1]).then_some(parts[1]);
            let partial = mask.len() == length && !components.is_empty() && components.len() < length;
            partial.then_some(Changed { load: parts[0], widened, blended, components: Components::These(components) })
        }
        _ => None,
    }
}

/// The number of components of a vector that was widened for a blend; the rest of it is undefined.
fn widened_components(vector: LValue, blend: LValue) -> Option<usize> {
    let defined: Vec<bool> = if is(vector, Opcode::LLVMShuffleVector) {
        let mask = vector.mask();
        let in_order = mask.iter().enumerate().all(|(lane, from)| from.is_none_or(|from| from == lane));
        if !in_order || !is_undefined(vector.operands()[1]) || vector.users() != [blend] {
            return None;
        }
        mask.iter().map(Option::is_some).collect()
    } else if matches!(vector.ty().kind(), TypeKind::LLVMVectorTypeKind) && !is_instruction(vector) {
        let elements = (0..vector.ty().vector_length()).map(|index| vector.aggregate_element(index));
        elements.map(|element| Some(!is_undefined(element?))).collect::<Option<_>>()?
    } else {
        return None;
    };
    let count = defined.iter().take_while(|defined| **defined).count();
    let rest_is_undefined = !defined[count..].contains(&true);
    (rest_is_undefined && 0 < count && count < defined.len()).then_some(count)
}

/// Whether the source takes components of a loaded vector, and does nothing else with it.
fn takes_components(load: LValue, behind: &[LValue]) -> bool {
    let Some(&next) = behind.first() else { return false };
    let users = load.users();
    match users.as_slice() {
        [user] if is(*user, Opcode::LLVMShuffleVector) => {
            let operands = user.operands();
            // The shuffle that reinterprets a whole vector has another name.
            let of_clang =
                ["", "extractVec"].contains(&user.name().trim_end_matches(|digit: char| digit.is_ascii_digit()));
            next == *user && of_clang && operands[0] == load && is_undefined(operands[1])
        }
        [user] if is(*user, Opcode::LLVMExtractElement) && user.operands()[1].small_constant().is_none() => {
            // The component is loaded where its number is known, so nothing may happen in between.
            behind.iter().take_while(|at| *at != user).all(|at| is_quiet(*at)) && behind.contains(user)
        }
        // A vector put together from components is shuffled from the vectors that these are taken
        // of.
        _ => {
            is(next, Opcode::LLVMExtractElement)
                && users.contains(&next)
                && users.iter().all(|user| is_constant_extract(*user) || is(*user, Opcode::LLVMShuffleVector))
        }
    }
}

fn is_constant_extract(user: LValue) -> bool {
    is(user, Opcode::LLVMExtractElement) && component(user.operands()[0].ty(), user.operands()[1]).is_some()
}

/// The component of a vector that a constant names, if it exists.
fn component(vector: LType, number: LValue) -> Option<usize> {
    let number = number.small_constant().and_then(|number| u32::try_from(number).ok())?;
    (number < vector.vector_length()).then_some(number as usize)
}

/// Whether an instruction neither writes memory nor orders anything.
fn is_quiet(instruction: LValue) -> bool {
    !matches!(
        instruction.opcode(),
        Opcode::LLVMStore
            | Opcode::LLVMCall
            | Opcode::LLVMInvoke
            | Opcode::LLVMFence
            | Opcode::LLVMAtomicCmpXchg
            | Opcode::LLVMAtomicRMW
            | Opcode::LLVMVAArg
    ) && (!is(instruction, Opcode::LLVMLoad) || is_plain(instruction))
}

/// Whether a load is that of a bit-field's unit, part of which a store changes.
fn keeps_neighbours(load: LValue) -> bool {
    let sole = |value: LValue| match value.users().as_slice() {
        [user] => Some(*user),
        _ => None,
    };
    let named = |value: LValue, opcode: Opcode, name: &str| is(value, opcode) && value.name().starts_with(name);
    let pointer = load.operands()[0];
    let is_stored = |value: LValue| {
        let stores = |user: LValue| is(user, Opcode::LLVMStore) && user.operands() == [value, pointer];
        value.users().into_iter().any(stores)
    };
    let cleared = sole(load).filter(|user| named(*user, Opcode::LLVMAnd, "bf.clear"));
    named(load, Opcode::LLVMLoad, "bf.load")
        && cleared.is_some_and(|cleared| {
            is_stored(cleared)
                || sole(cleared).is_some_and(|set| named(set, Opcode::LLVMOr, "bf.set") && is_stored(set))
        })
}

fn is_instruction(value: LValue) -> bool {
    matches!(value.kind(), ValueKind::LLVMInstructionValueKind)
}

fn is(value: LValue, opcode: Opcode) -> bool {
    is_instruction(value) && value.opcode() == opcode
}

fn is_undefined(value: LValue) -> bool {
    matches!(value.kind(), ValueKind::LLVMUndefValueValueKind | ValueKind::LLVMPoisonValueKind)
}

/// Whether a load or store is not atomic.
fn is_ordinary(access: LValue) -> bool {
    // SAFETY: the callers have checked that it is a load or a store.
    unsafe { c::LLVMGetOrdering(access.0) == LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic }
}

/// Whether a load or store is neither volatile nor atomic.
fn is_plain(access: LValue) -> bool {
    // SAFETY: the callers have checked that it is a load or a store.
    is_ordinary(access) && unsafe { c::LLVMGetVolatile(access.0) == 0 }
}

/// Whether a non-atomic load or store is that of a vector, and not of a variable of the function.
fn is_of_vector(access: LValue, ty: LType, pointer: LValue) -> bool {
    let mut base = pointer;
    while is(base, Opcode::LLVMGetElementPtr) || is(base, Opcode::LLVMAddrSpaceCast) || is(base, Opcode::LLVMBitCast) {
        base = base.operands()[0];
    }
    matches!(ty.kind(), TypeKind::LLVMVectorTypeKind) && is_ordinary(access) && !is(base, Opcode::LLVMAlloca)
}

/// Whether the source takes only one component, with a computed number, of a vector.
///
/// Such a component is loaded where its number is known.
pub fn is_computed_component(extract: LValue) -> bool {
    let operands = extract.operands();
    is(operands[0], Opcode::LLVMLoad)
        && operands[0].has_mark(COMPONENT)
        && operands[0].users() == [extract]
        && operands[1].small_constant().is_none()
}

/// The part of an access's bytes that must have been written before.
pub fn needs(access: LValue) -> Needs {
    if access.has_mark(KEPT) {
        Needs::Nothing
    } else if is(access, Opcode::LLVMLoad) && access.name().contains(COPIED) {
        // Passes divide a copy into members, some of which may be unused.
        if access.is_used() { Needs::Something } else { Needs::Nothing }
    } else {
        Needs::Everything
    }
}

/// The part of a vector that a store changes, if it is marked as one of components.
fn stored_components(store: LValue) -> Option<Changed> {
    store.has_mark(COMPONENT).then(|| changed_components(store)).flatten()
}

/// The components that the source takes of a load; `None` for all.
fn taken_components(load: LValue) -> Option<BTreeSet<usize>> {
    let users = load.users();
    if let [blend] = users.as_slice()
        && let [store] = blend.users().as_slice()
        && is(*store, Opcode::LLVMStore)
        && stored_components(*store).is_some_and(|changed| changed.load == load)
    {
        return Some(BTreeSet::new());
    }
    if !load.has_mark(COMPONENT) {
        return None;
    }
    let length = load.ty().vector_length() as usize;
    let mut taken = BTreeSet::new();
    for user in users {
        let operands = user.operands();
        match user.opcode() {
            _ if is(user, Opcode::LLVMExtractElement) && is_computed_component(user) => {}
            Opcode::LLVMExtractElement => {
                taken.extend(component(operands[0].ty(), operands[1]));
            }
            Opcode::LLVMShuffleVector => {
                for from in user.mask().into_iter().flatten() {
                    let (operand, lane) =
                        if from < length { (operands[0], from) } else { (operands[1], from - length) };
                    taken.extend((operand == load).then_some(lane));
                }
            }
            _ => return None,
        }
    }
    Some(taken)
}

impl Importer<'_> {
    /// Loads the components of a vector that the source takes, if these are not all.
    ///
    /// The other lanes are undefined, and nobody uses them.
    pub(super) fn load_components(&mut self, load: LValue, access: &Access) -> Result<Option<Lanes>, Unreadable> {
        let taken = taken_components(load);
        let Some((taken, leaves)) = taken.zip(self.components(load.ty())?) else { return Ok(None) };
        let mut lanes = self.undefined_lanes(load.ty())?;
        for (first, end) in runs(&taken, leaves.len()) {
            let part = self.part(access, leaves[first]);
            if end - first == 1 {
                lanes[first] = self.builder().append(Operation::Load(part), leaves[first].ty);
                continue;
            }
            let (run, bits) = run_of(&leaves[first..end])?;
            let whole = self.builder().append(Operation::Load(part), Type::Bits(bits));
            lanes.splice(first..end, self.split(whole, &run)?);
        }
        Ok(Some(lanes))
    }

    /// Stores the components that a store changes, if the source changes components only.
    pub(super) fn store_components(&mut self, store: LValue, access: &Access) -> Result<bool, Unreadable> {
        let value = store.operands()[0];
        let changed = stored_components(store).map(|changed| changed.components);
        let Some((components, leaves)) = changed.zip(self.components(value.ty())?) else { return Ok(false) };
        match components {
            Components::Computed(index) => {
                let inserted = self.scalar(value.operands()[1])?;
                let (part, _) = self.computed_component(access, &leaves, index)?;
                self.builder().append_effect(Operation::Store(part, inserted));
            }
            Components::These(components) => {
                let lanes = self.operand(value)?;
                for (first, end) in runs(&components, leaves.len()) {
                    let part = self.part(access, leaves[first]);
                    let (run, bits) = run_of(&leaves[first..end])?;
                    let stored = match &lanes[first..end] {
                        [lane] => *lane,
                        lanes => self.join(lanes, &run, u64::from(bits / 8))?,
                    };
                    self.builder().append_effect(Operation::Store(part, stored));
                }
            }
        }
        Ok(true)
    }

    /// Loads a component whose number is computed.
    pub(super) fn load_computed_component(&mut self, extract: LValue) -> Result<Lanes, Unreadable> {
        let operands = extract.operands();
        let load = operands[0];
        let access = self.access(load, load.operands()[0])?;
        let Some(leaves) = self.components(load.ty())? else { return self.computation(extract, extract.opcode()) };
        let ty = leaves[0].ty;
        let (part, inside) = self.computed_component(&access, &leaves, operands[1])?;
        let mut builder = self.builder();
        let loaded = builder.append(Operation::Load(part), ty);
        Ok(vec![match inside {
            Some(inside) => {
                let anything = builder.append(Operation::Undefined, ty);
                builder.select(inside, loaded, anything)
            }
            None => loaded,
        }])
    }

    /// The place of the component with this number, and whether the component exists, if that is
    /// not known.
    ///
    /// If it does not exist, any component is accessed.
    fn computed_component(
        &mut self,
        access: &Access,
        leaves: &[Leaf],
        index: LValue,
    ) -> Result<(Access, Option<Value>), Unreadable> {
        let index = self.scalar(index)?;
        let length = leaves.len() as u64;
        let ty = self.kernel.ty(index);
        let width = ty.width().ok_or("component whose number is a pointer")?;
        let surely_inside = is_below(&self.kernel, index, length);
        let mut builder = self.builder();
        let (index, inside) = if surely_inside {
            (index, None)
        } else {
            let count = builder.number(width, length);
            let inside = builder.compare(CompareOp::UnsignedLess, index, count);
            let anything = builder.append(Operation::Undefined, ty);
            let some = builder.binary(BinaryOp::UnsignedRemainder, anything, count);
            (builder.select(inside, index, some), Some(inside))
        };
        let index = self.unsigned_offset(index);
        let width = self.kernel.pointer_bits;
        let ty = self.kernel.ty(access.pointer);
        let bytes = leaves[0].bytes;
        let mut builder = self.builder();
        let bytes_of_one = builder.number(width, bytes);
        let offset = builder.binary(BinaryOp::Multiply, index, bytes_of_one);
        let place = Operation::PointerAdd { pointer: access.pointer, offset, in_bounds: true };
        let pointer = builder.append(place, ty);
        let alignment = access.alignment.min(1 << bytes.trailing_zeros().min(16));
        Ok((Access { pointer, alignment, ..*access }, inside))
    }

    /// The layout of a vector's components in memory, if each fills bytes of its own.
    fn components(&self, ty: LType) -> Result<Option<Vec<Leaf>>, Unreadable> {
        if !matches!(ty.kind(), TypeKind::LLVMVectorTypeKind) {
            return Ok(None);
        }
        let leaves = types::leaves(ty, self.layout, self.target)?;
        let fills = |leaf: &Leaf| leaf.ty.width().is_some_and(|width| u64::from(width) == 8 * leaf.bytes);
        Ok(leaves.iter().all(fills).then_some(leaves))
    }
}

/// Whether a number's mask shows that it is below another.
fn is_below(kernel: &Kernel, index: Value, length: u64) -> bool {
    let most = match kernel.operation(index) {
        Some(&Operation::Binary(BinaryOp::And, _, a, b)) => kernel.constant(b).or(kernel.constant(a)),
        _ => None,
    };
    most.and_then(lockstep_ir::bits::Bits::to_u64).is_some_and(|most| most < length)
}

/// Neighbours among components: the first of each run, and the one after its last.
fn runs(components: &BTreeSet<usize>, length: usize) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for &component in components.iter().filter(|component| **component < length) {
        match runs.last_mut() {
            Some((_, end)) if *end == component => *end += 1,
            _ => runs.push((component, component + 1)),
        }
    }
    runs
}

/// A run of neighbours, laid out from the first of them on, and its number of bits.
fn run_of(leaves: &[Leaf]) -> Result<(Vec<Leaf>, u32), Unreadable> {
    let start = leaves.first().map_or(0, |leaf| leaf.offset);
    let run = leaves.iter().map(|leaf| Leaf { offset: leaf.offset - start, ..*leaf }).collect();
    let bytes: u64 = leaves.iter().map(|leaf| leaf.bytes).sum();
    let bits = u32::try_from(8 * bytes).map_err(|_| format!("access of {bytes} bytes"))?;
    Ok((run, bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_one_run() {
        assert_eq!(runs(&BTreeSet::from([0, 1, 3, 9]), 4), [(0, 2), (3, 4)]);
        assert_eq!(runs(&BTreeSet::new(), 4), []);
    }
}
