//! Numbers in structs that are passed by value.
//!
//! A thread that only reads its copy of such a struct reads the number that the host passes. So a
//! field that is always read as a whole becomes a parameter of its own, `p.width`, behind the
//! kernel's own parameters ([`Kernel::fields`]). Whatever holds of scalar parameters then holds of
//! it: the host's values, assumptions, preconditions, arguments of a run.
//!
//! A read of other bytes of the struct does not change that, because it is about other numbers. If
//! the copy is written, if its address goes anywhere but to reads, or if some read has an offset
//! that is not constant, all fields stay in the copy. Fields that overlap others (those of unions),
//! bit-fields, and fields that are read as another type stay there, too.

use std::collections::BTreeMap;

use lockstep_ir::kernel::{Array, Instruction, Kernel, NotPassed, Operation, StructField, Type};

use super::fields::{self, Field};
use crate::assume::Integer;

/// A number in a struct that is passed by value.
#[derive(Clone, Debug)]
pub struct NumberField {
    /// Its offset in bytes.
    pub offset: u64,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its name: `p.width`.
    pub name: String,
    /// Its type, if it is an integer.
    pub ty: Option<Integer>,
}

impl NumberField {
    fn overlaps(&self, offset: u64, bytes: u64) -> bool {
        self.offset < offset.saturating_add(bytes) && offset < self.offset.saturating_add(self.bytes)
    }
}

/// The numbers of a struct parameter.
#[derive(Clone, Debug)]
pub struct Numbers {
    /// The index of the parameter.
    pub parameter: u32,
    /// Its copy.
    pub copy: Array,
    /// The numbers, in the order of the struct.
    pub fields: Vec<NumberField>,
}

/// The numbers of a struct that share no byte and no name with another number or a pointer.
pub fn separate(all: &[NumberField], pointers: &[Field], pointer_bytes: u64) -> Vec<NumberField> {
    let is_alone = |(position, field): (usize, &NumberField)| {
        let others = || all.iter().enumerate().filter(move |(other, _)| *other != position).map(|(_, other)| other);
        !others().any(|other| field.overlaps(other.offset, other.bytes) || field.name == other.name)
            && !pointers.iter().any(|pointer| field.overlaps(pointer.offset, pointer_bytes))
    };
    let alone = all.iter().enumerate().filter(|one| is_alone(*one)).map(|(_, field)| field);
    alone.cloned().collect()
}

/// A read of a struct: its place and its type.
struct Read {
    instruction: Instruction,
    offset: u64,
    ty: Type,
}

/// Makes fields parameters. Returns the types of those that are integers, by name.
pub fn promote(kernel: &mut Kernel, all: &[Numbers]) -> BTreeMap<String, Integer> {
    let mut integers = BTreeMap::new();
    for Numbers { parameter, copy, fields } in all {
        let Some(reads) = reads(kernel, *copy) else { continue };
        for field in fields {
            let here: Vec<&Read> = reads.iter().filter(|read| field.overlaps(read.offset, bytes(read.ty))).collect();
            let Some(ty) = here.first().map(|read| read.ty) else { continue };
            let is_whole = |read: &&Read| read.offset == field.offset && read.ty == ty && bytes(ty) == field.bytes;
            let is_number = matches!(ty, Type::Bits(_) | Type::Float(_));
            let is_known = kernel.parameters.iter().any(|parameter| parameter.name == field.name);
            if !is_number || is_known || !here.iter().all(is_whole) {
                continue;
            }
            add_parameter(kernel, (*parameter, field), ty, &here);
            if let Some(integer) = field.ty.filter(|integer| ty == Type::Bits(integer.bits)) {
                integers.insert(field.name.clone(), integer);
            }
        }
    }
    integers
}

fn bytes(ty: Type) -> u64 {
    u64::from(ty.width().unwrap_or(0).div_ceil(8))
}

/// The reads of a copy; `None` if anything else may happen to it.
fn reads(kernel: &Kernel, copy: Array) -> Option<Vec<Read>> {
    if !fields::only_read(kernel, copy) {
        return None;
    }
    let mut reads = Vec::new();
    for instruction in kernel.blocks.values().flat_map(|block| &block.instructions).copied() {
        let data = &kernel.instructions[instruction];
        match &data.operation {
            Operation::Load(access) => {
                let Some(parts) = fields::distance(kernel, access.pointer, copy, 0) else { continue };
                let ty = kernel.ty(data.result?);
                let part = |part: &_| kernel.constant(*part)?.to_u64();
                let parts: Vec<u64> = parts.iter().map(part).collect::<Option<_>>()?;
                let offset = parts.into_iter().fold(0, u64::wrapping_add);
                // A pointer that is not known to be in a field may be in any.
                ty.width().filter(|_| !access.volatile)?;
                reads.push(Read { instruction, offset, ty });
            }
            Operation::MemoryCopy { from, .. } if fields::distance(kernel, from.pointer, copy, 0).is_some() => {
                return None;
            }
            _ => {}
        }
    }
    Some(reads)
}

fn add_parameter(kernel: &mut Kernel, (parameter, field): (u32, &NumberField), ty: Type, reads: &[&Read]) {
    let Ok(index) = u32::try_from(kernel.parameters.len()) else { return };
    let origin = NotPassed::Field(StructField { parameter, at: field.offset });
    kernel.add_not_passed(&field.name, ty, origin);
    for read in reads {
        let data = &mut kernel.instructions[read.instruction];
        data.operation = Operation::Parameter(index);
        if let Some(result) = data.result {
            kernel.values[result].name.get_or_insert_with(|| field.name.clone());
        }
    }
}
