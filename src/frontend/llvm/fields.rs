//! Pointers in structs that are passed by value, and in tables.
//!
//! The host fills such a struct before the launch, so a pointer in it points to global memory, like
//! a pointer parameter. It points to an array of its own, `p.data`, which no other parameter
//! overlaps (the same assumption of the report). A thread that only reads its copy of the struct
//! loads that pointer. If the thread may write the copy, or its address escapes, the pointers are
//! stored into the copy at the kernel's entry. They are found there like any others.
//!
//! The same holds for pointers in a variable at file scope that the host sets, as long as the
//! kernel only reads it.
//!
//! A table at file scope whose initialiser has addresses (of functions, say) holds these, as long
//! as the kernel only reads it.

use std::collections::BTreeMap;

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{
    Access, Array, ArrayData, ArrayOrigin, BinaryOp, CompareOp, Definition, ElementLayout, Instruction,
    InstructionData, Kernel, Needs, NoWrap, Operation, Space, Type, Value, ValueData,
};

/// A pointer in a struct that is passed by value.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its offset in bytes.
    pub offset: u64,
    /// Its name: `p.data`.
    pub name: String,
    /// The source's declaration of its target.
    pub element: Option<ElementLayout>,
    /// Whether it points to a function.
    pub function: bool,
}

/// The pointers in each parameter's copy.
pub type Fields = BTreeMap<Array, Vec<Field>>;

/// The addresses in each table: the offset of each in bytes, and the array that it points to.
pub type Tables = BTreeMap<Array, Vec<(u64, Array)>>;

/// Lets loads from tables return the addresses there. Returns the tables that a kernel only reads.
pub fn resolve_tables(kernel: &mut Kernel, tables: &Tables) -> Vec<Array> {
    let mut read = Vec::new();
    for (&table, targets) in tables.iter().filter(|(_, targets)| !targets.is_empty()) {
        if only_read(kernel, table) {
            replace_loads(kernel, table, targets);
            read.push(table);
        }
    }
    read
}

/// The deepest address that is looked through.
const DEEPEST: u32 = 64;

/// Gives the pointers arrays to point to. Returns those that stand for unknown functions.
pub fn resolve(kernel: &mut Kernel, fields: &Fields) -> Vec<Array> {
    let mut functions = Vec::new();
    for (&copy, fields) in fields {
        let targets: Vec<(u64, Array)> = fields.iter().map(|field| (field.offset, add_array(kernel, field))).collect();
        let of_functions = fields.iter().zip(&targets).filter(|(field, _)| field.function);
        functions.extend(of_functions.map(|(_, (_, array))| *array));
        if only_read(kernel, copy) {
            replace_loads(kernel, copy, &targets);
        } else {
            store_at_entry(kernel, copy, &targets);
        }
    }
    functions
}

/// Gives the pointers in variables that a kernel only reads arrays to point to, like [`resolve`].
pub fn resolve_variables(kernel: &mut Kernel, variables: &Fields) -> Vec<Array> {
    let mut functions = Vec::new();
    for (&variable, fields) in variables {
        if only_read(kernel, variable) {
            let targets: Vec<(u64, Array)> =
                fields.iter().map(|field| (field.offset, add_array(kernel, field))).collect();
            let of_functions = fields.iter().zip(&targets).filter(|(field, _)| field.function);
            functions.extend(of_functions.map(|(_, (_, array))| *array));
            replace_loads(kernel, variable, &targets);
        }
    }
    functions
}

/// An array that stands for a function.
pub fn function_array(name: String) -> ArrayData {
    ArrayData {
        name,
        space: Space::Constant,
        origin: ArrayOrigin::Variable,
        element: None,
        size: Some(0),
        contents: None,
        volatile: false,
        sized_by: None,
        restrict: false,
        nonzero: false,
        location: None,
    }
}

/// Lets an unknown function pointer lead to any of the functions whose address is taken, or
/// elsewhere.
///
/// Where the address of its array is taken, a number chooses the function, the same number
/// everywhere.
pub fn choose_functions(kernel: &mut Kernel, unknown: &[Array], functions: &[Array]) {
    let pointer = Type::Pointer(Space::Constant);
    let blocks: Vec<_> = kernel.blocks.keys().collect();
    for block in blocks {
        let instructions = std::mem::take(&mut kernel.blocks[block].instructions);
        let mut rewritten = Vec::with_capacity(instructions.len());
        for instruction in instructions {
            let data = kernel.instructions[instruction].clone();
            if let Operation::ArrayBase(array) = data.operation
                && unknown.contains(&array)
            {
                let name = format!("function {}", kernel.arrays[array].name);
                let number = Operation::Uninterpreted(name, Vec::new());
                let number = append(kernel, number, Type::Bits(16), &data, &mut rewritten);
                let mut leads_to = data.operation.clone();
                for (index, &function) in (0_u32..).zip(functions) {
                    let index = Operation::Constant(Bits::new(16, index));
                    let index = append(kernel, index, Type::Bits(16), &data, &mut rewritten);
                    let here = Operation::Compare(CompareOp::Equal, number, index);
                    let here = append(kernel, here, Type::Bool, &data, &mut rewritten);
                    let base = append(kernel, Operation::ArrayBase(function), pointer, &data, &mut rewritten);
                    let elsewhere = append(kernel, leads_to, pointer, &data, &mut rewritten);
                    leads_to = Operation::Select(here, base, elsewhere);
                }
                kernel.instructions[instruction].operation = leads_to;
            }
            rewritten.push(instruction);
        }
        kernel.blocks[block].instructions = rewritten;
    }
}

fn add_array(kernel: &mut Kernel, field: &Field) -> Array {
    if field.function {
        return kernel.arrays.push(function_array(field.name.clone()));
    }
    kernel.arrays.push(ArrayData {
        name: field.name.clone(),
        space: Space::Global,
        origin: ArrayOrigin::Parameter,
        element: field.element.clone(),
        size: None,
        contents: None,
        volatile: false,
        sized_by: None,
        restrict: false,
        nonzero: false,
        location: kernel.location,
    })
}

/// The distance of a pointer from the start of this array: the parts of the sum.
///
/// `None` if the pointer is not made from the array alone.
pub fn distance(kernel: &Kernel, pointer: Value, array: Array, depth: u32) -> Option<Vec<Value>> {
    match kernel.operation(pointer).filter(|_| depth < DEEPEST)? {
        Operation::ArrayBase(found) if *found == array => Some(Vec::new()),
        Operation::SpaceCast(inner) => distance(kernel, *inner, array, depth + 1),
        Operation::PointerAdd { pointer, offset, .. } => {
            let mut parts = distance(kernel, *pointer, array, depth + 1)?;
            parts.push(*offset);
            Some(parts)
        }
        _ => None,
    }
}

/// Whether the address of an array is used for reads only.
pub fn only_read(kernel: &Kernel, array: Array) -> bool {
    let of_array = |value: Value| distance(kernel, value, array, 0).is_some();
    let passed_on = kernel.blocks.values().any(|block| {
        let mut used = false;
        block.terminator.for_each_operand(|value| used |= of_array(value));
        used
    });
    let instructions = kernel.blocks.values().flat_map(|block| &block.instructions);
    !passed_on
        && instructions.map(|&instruction| &kernel.instructions[instruction].operation).all(|operation| match operation
        {
            Operation::Load(_)
            | Operation::PointerAdd { .. }
            | Operation::SpaceCast(_)
            | Operation::PointerEqual(..)
            | Operation::PointerDifference(..) => true,
            Operation::MemoryCopy { to, .. } => !of_array(to.pointer),
            _ => {
                let mut used = false;
                operation.for_each_operand(|value| used |= of_array(value));
                !used
            }
        })
}

/// Replaces each load of a pointer by the pointer stored there.
fn replace_loads(kernel: &mut Kernel, copy: Array, targets: &[(u64, Array)]) {
    let blocks: Vec<_> = kernel.blocks.keys().collect();
    for block in blocks {
        let instructions = std::mem::take(&mut kernel.blocks[block].instructions);
        let mut rewritten = Vec::with_capacity(instructions.len());
        for instruction in instructions {
            let data = kernel.instructions[instruction].clone();
            if let (Operation::Load(access), Some(result)) = (&data.operation, data.result)
                && kernel.ty(result) == Type::Pointer(Space::Generic)
                && let Some(parts) = distance(kernel, access.pointer, copy, 0)
            {
                let ty = kernel.ty(result);
                kernel.instructions[instruction].operation = chosen(kernel, &parts, targets, &data, ty, &mut rewritten);
            }
            rewritten.push(instruction);
        }
        kernel.blocks[block].instructions = rewritten;
    }
}

/// The pointer at a distance: a choice among the places that hold one, and anything elsewhere.
fn chosen(
    kernel: &mut Kernel,
    parts: &[Value],
    targets: &[(u64, Array)],
    data: &InstructionData,
    ty: Type,
    before: &mut Vec<Instruction>,
) -> Operation {
    let constant = parts.iter().try_fold(0_u64, |sum, part| Some(sum.wrapping_add(kernel.constant(*part)?.to_u64()?)));
    if let Some(offset) = constant {
        return match targets.iter().find(|(at, _)| *at == offset) {
            Some(&(_, array)) => {
                let base = append_base(kernel, array, data, before);
                Operation::SpaceCast(base)
            }
            None => data.operation.clone(),
        };
    }
    let width = kernel.pointer_bits;
    let offset_type = kernel.offset_type();
    let mut offset = parts[0];
    for &part in &parts[1..] {
        let sum = Operation::Binary(BinaryOp::Add, NoWrap::default(), offset, part);
        offset = append(kernel, sum, offset_type, data, before);
    }
    let mut result = append(kernel, data.operation.clone(), ty, data, before);
    for &(at, array) in targets {
        let number = append(kernel, Operation::Constant(Bits::new(width, at)), offset_type, data, before);
        let here = append(kernel, Operation::Compare(CompareOp::Equal, offset, number), Type::Bool, data, before);
        let base = append_base(kernel, array, data, before);
        let base = append(kernel, Operation::SpaceCast(base), ty, data, before);
        result = append(kernel, Operation::Select(here, base, result), ty, data, before);
    }
    Operation::SpaceCast(result)
}

/// Stores the pointers where the kernel finds them.
fn store_at_entry(kernel: &mut Kernel, copy: Array, targets: &[(u64, Array)]) {
    let data = InstructionData { operation: Operation::Null, result: None, location: kernel.location };
    let mut stores = Vec::new();
    let offset_type = kernel.offset_type();
    let own = Type::Pointer(Space::Private);
    for &(at, array) in targets {
        let base = append(kernel, Operation::ArrayBase(copy), own, &data, &mut stores);
        let number = Operation::Constant(Bits::new(kernel.pointer_bits, at));
        let offset = append(kernel, number, offset_type, &data, &mut stores);
        let place = Operation::PointerAdd { pointer: base, offset, in_bounds: true };
        let pointer = append(kernel, place, own, &data, &mut stores);
        let target = append_base(kernel, array, &data, &mut stores);
        let access = Access { pointer, alignment: kernel.pointer_bits / 8, volatile: false, needs: Needs::Everything };
        let store = Operation::Store(access, target);
        stores.push(kernel.instructions.push(InstructionData { operation: store, ..data.clone() }));
    }
    let entry = kernel.entry;
    stores.append(&mut kernel.blocks[entry].instructions);
    kernel.blocks[entry].instructions = stores;
}

fn append_base(kernel: &mut Kernel, array: Array, like: &InstructionData, before: &mut Vec<Instruction>) -> Value {
    let ty = Type::Pointer(kernel.arrays[array].space);
    append(kernel, Operation::ArrayBase(array), ty, like, before)
}

fn append(
    kernel: &mut Kernel,
    operation: Operation,
    ty: Type,
    like: &InstructionData,
    before: &mut Vec<Instruction>,
) -> Value {
    let instruction = kernel.instructions.push(InstructionData { operation, result: None, location: like.location });
    let value = kernel.values.push(ValueData { ty, name: None, definition: Definition::Result(instruction) });
    kernel.instructions[instruction].result = Some(value);
    before.push(instruction);
    value
}
