//! The parameters of a kernel.
//!
//! A parameter of 64 bits that is used as an address is a pointer to an array of its own, and so is
//! such a part of a struct. Which ones are is found by trial ([`super::rounds`]). Other numbers are
//! scalar parameters; those in structs become parameters of their own behind the kernel's. A struct
//! whose address is taken, or whose parts are read in overlapping pieces, is read from memory.

use std::collections::BTreeSet;

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{
    Access, Array, ArrayData, ArrayOrigin, Kernel, Needs, NotPassed, Operation, Parameter, ParameterKind, Space,
    StructField, Type, Value,
};

use super::declare::{Pointee, Variable};
use super::machine::{Machine, bitcast};
use super::module::Function;
use super::slots::{Parts, overlap};
use super::types::PtxType;
use crate::builtins::Unsupported;

/// A parameter, or a part of one: its index, and the offset in bytes.
pub type Slot = (usize, u64);

/// The size of an address in bytes.
const ADDRESS_BYTES: u64 = 8;

/// The parameters of a kernel under construction.
pub struct Parameters {
    /// The array of each pointer and of each struct's copy.
    arrays: Vec<(Slot, Array)>,
    /// The parameters that parts of structs have become.
    fields: Vec<(Slot, u32)>,
    /// The parts of each parameter that are read.
    parts: Parts,
}

impl Parameters {
    /// Adds a kernel's parameters. `numbers` are those that are no addresses.
    pub fn new(
        kernel: &mut Kernel,
        function: &Function,
        parts: &Parts,
        numbers: &BTreeSet<Slot>,
    ) -> Result<Self, Unsupported> {
        let mut parameters = Self { arrays: Vec::new(), fields: Vec::new(), parts: parts.clone() };
        for (index, declared) in function.parameters.iter().enumerate() {
            let kind = parameters.kind(kernel, index, declared, numbers, &function.name)?;
            kernel.parameters.push(Parameter { name: shown_name(declared, &function.name, index), kind });
        }
        Ok(parameters)
    }

    fn kind(
        &mut self,
        kernel: &mut Kernel,
        index: usize,
        declared: &Variable,
        numbers: &BTreeSet<Slot>,
        function: &str,
    ) -> Result<ParameterKind, Unsupported> {
        let Some(bytes) = declared.bytes() else {
            let is_opaque = declared.ty.ends_with("ref");
            return if is_opaque { Ok(ParameterKind::Opaque) } else { Err(unsupported(declared)) };
        };
        let name = shown_name(declared, function, index);
        let parts = self.parts[index].clone();
        let is_scalar = declared.dimensions.is_empty() && declared.vector == 1;
        match parts {
            Some(parts) if is_scalar => {
                let whole = BTreeSet::from([(0, ADDRESS_BYTES)]);
                let is_address = bytes == ADDRESS_BYTES && is_integer(declared) && parts.is_subset(&whole);
                let is_declared = declared.pointee != Pointee::NotDeclared;
                if is_address && (is_declared || !numbers.contains(&(index, 0)) && !parts.is_empty()) {
                    let array = kernel.arrays.push(memory(kernel, name, pointee_space(declared)));
                    self.arrays.push(((index, 0), array));
                    return Ok(ParameterKind::Pointer(array));
                }
                Ok(ParameterKind::Scalar(scalar_type(declared).ok_or_else(|| unsupported(declared))?))
            }
            parts => {
                let copy = kernel.arrays.push(ArrayData {
                    space: Space::Private,
                    origin: ArrayOrigin::Aggregate,
                    size: Some(bytes),
                    ..memory(kernel, name.clone(), Space::Private)
                });
                self.arrays.push(((index, u64::MAX), copy));
                let parts = parts.filter(|parts| !overlap(parts));
                for (offset, size) in parts.iter().flatten() {
                    if *size == ADDRESS_BYTES && !numbers.contains(&(index, *offset)) {
                        let field = memory(kernel, format!("{name}+{offset}"), Space::Global);
                        let array = kernel.arrays.push(field);
                        self.arrays.push(((index, *offset), array));
                    }
                }
                self.parts[index] = parts;
                Ok(ParameterKind::Aggregate(copy))
            }
        }
    }

    /// The array that a pointer parameter, or the pointer in a struct, points to.
    pub fn pointers(&self) -> impl Iterator<Item = (Slot, Array)> + '_ {
        self.arrays.iter().copied().filter(|((_, offset), _)| *offset != u64::MAX)
    }

    /// The array that holds a struct, or `u64::MAX` as its offset.
    pub fn copy(&self, index: usize) -> Option<Array> {
        self.array((index, u64::MAX))
    }

    fn array(&self, slot: Slot) -> Option<Array> {
        self.arrays.iter().find(|(found, _)| *found == slot).map(|(_, array)| *array)
    }

    /// Reads a part of a parameter.
    pub fn read(&mut self, machine: &mut Machine, slot: Slot, ty: PtxType) -> Result<Value, Unsupported> {
        let (index, offset) = slot;
        let bytes = u64::from(ty.width / 8);
        if let Some(array) = self.array(slot).filter(|_| bytes == ADDRESS_BYTES) {
            let space = machine.builder.kernel.arrays[array].space;
            return Ok(machine.builder.append(Operation::ArrayBase(array), Type::Pointer(space)));
        }
        let beyond = || Unsupported(format!("PTX that reads {bytes} bytes at offset {offset} of a parameter"));
        match machine.builder.kernel.parameters[index].kind {
            ParameterKind::Scalar(whole) => {
                let number = u32::try_from(index).map_err(|_| beyond())?;
                let width = whole.width().ok_or_else(beyond)?;
                let value = machine.builder.append(Operation::Parameter(number), whole);
                let value = bitcast(machine.builder, value, Type::Bits(width));
                cut(machine, value, offset, ty.width).ok_or_else(beyond)
            }
            ParameterKind::Aggregate(copy) => {
                let size = machine.builder.kernel.arrays[copy].size.unwrap_or(0);
                if offset.checked_add(bytes).is_none_or(|end| end > size) {
                    return Err(beyond());
                }
                match &self.parts[index] {
                    Some(_) => self.field(machine, slot, ty.width),
                    None => Ok(loaded(machine, copy, offset, ty.width)),
                }
            }
            ParameterKind::Pointer(_) | ParameterKind::Opaque => Err(beyond()),
        }
    }

    /// A number in a struct, as a parameter of its own.
    fn field(&mut self, machine: &mut Machine, slot: Slot, width: u32) -> Result<Value, Unsupported> {
        let (index, at) = slot;
        let kernel = &mut *machine.builder.kernel;
        let ty = Type::Bits(width);
        let known = self.fields.iter().find(|(found, _)| *found == slot).map(|(_, parameter)| *parameter);
        let too_many = || Unsupported("PTX with too many parameters".into());
        if let Some(parameter) = known {
            return Ok(machine.builder.append(Operation::Parameter(parameter), ty));
        }
        let parameter = u32::try_from(kernel.parameters.len()).map_err(|_| too_many())?;
        let name = format!("{}+{at}", kernel.parameters[index].name);
        let of = u32::try_from(index).map_err(|_| too_many())?;
        kernel.add_not_passed(&name, ty, NotPassed::Field(StructField { parameter: of, at }));
        self.fields.push((slot, parameter));
        Ok(machine.builder.append(Operation::Parameter(parameter), ty))
    }
}

/// The name of a parameter without its kernel's: `param_0` for `k_param_0`.
fn shown_name(declared: &Variable, function: &str, index: usize) -> String {
    match declared.name.strip_prefix(function).and_then(|rest| rest.strip_prefix('_')) {
        Some(rest) if !rest.is_empty() => rest.to_owned(),
        _ if declared.name.is_empty() => format!("p{index}"),
        _ => declared.name.clone(),
    }
}

fn unsupported(declared: &Variable) -> Unsupported {
    Unsupported(format!("PTX parameter {} of type {}", declared.name, declared.ty))
}

fn is_integer(declared: &Variable) -> bool {
    PtxType::parse(&declared.ty).is_some_and(PtxType::is_integer)
}

fn scalar_type(declared: &Variable) -> Option<Type> {
    let ty = PtxType::parse(&declared.ty).filter(|ty| ty.width > 1)?;
    Some(ty.float().map_or(Type::Bits(ty.width), Type::Float))
}

fn pointee_space(declared: &Variable) -> Space {
    match &declared.pointee {
        Pointee::Space(space) if space == "shared" => Space::Local,
        Pointee::Space(space) if space == "const" => Space::Constant,
        Pointee::NotDeclared | Pointee::Anything | Pointee::Space(_) => Space::Global,
    }
}

fn memory(kernel: &Kernel, name: String, space: Space) -> ArrayData {
    ArrayData {
        name,
        space,
        origin: ArrayOrigin::Parameter,
        element: None,
        size: None,
        contents: None,
        volatile: false,
        sized_by: None,
        restrict: false,
        nonzero: false,
        location: kernel.location,
    }
}

/// Bits of a value, from this byte on.
fn cut(machine: &mut Machine, value: Value, offset: u64, width: u32) -> Option<Value> {
    let found = machine.builder.ty(value).width()?;
    let low = u32::try_from(offset.checked_mul(8)?).ok()?;
    let high = low.checked_add(width)?;
    match (low, high) {
        (0, high) if high == found => Some(value),
        (low, high) if high <= found => Some(machine.builder.extract(high - 1, low, value)),
        _ => None,
    }
}

fn loaded(machine: &mut Machine, copy: Array, offset: u64, width: u32) -> Value {
    let ty = Type::Pointer(Space::Private);
    let mut pointer = machine.builder.append(Operation::ArrayBase(copy), ty);
    if offset > 0 {
        let bits = machine.builder.kernel.pointer_bits;
        let offset = machine.builder.bits(Bits::new(bits, offset));
        pointer = machine.builder.append(Operation::PointerAdd { pointer, offset, in_bounds: false }, ty);
    }
    let access = Access { pointer, alignment: (width / 8).max(1), volatile: false, needs: Needs::Everything };
    machine.builder.append(Operation::Load(access), Type::Bits(width))
}
