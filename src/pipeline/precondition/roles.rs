//! The roles of integer parameters in a kernel, which say what a sensible precondition about them
//! looks like.

use std::collections::BTreeSet;

use cranelift_entity::SecondaryMap;
use lockstep_ir::kernel::{BinaryOp, CompareOp, Kernel, Operation, ThreadQuery, Value};

/// The parameters, by name, in each role. A parameter may have several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roles {
    /// Widths and strides: multiplied with something.
    pub factors: BTreeSet<String>,
    /// Divisors.
    pub divisors: BTreeSet<String>,
    /// Offsets and masks: added to a number that differs between threads, or combined with its
    /// bits, and no factors.
    pub offsets: BTreeSet<String>,
    /// Indices of single elements: compared for equality with a number that differs between groups.
    pub positions: BTreeSet<String>,
    /// Numbers of elements for all groups together: compared with a number that differs between
    /// groups.
    pub totals: BTreeSet<String>,
}

impl Roles {
    /// Whether a parameter names a place among the elements, and is no number of them.
    pub fn is_place(&self, name: &str) -> bool {
        self.offsets.contains(name) || self.positions.contains(name)
    }
}

/// The roles of a kernel's parameters.
pub fn roles(kernel: &Kernel) -> Roles {
    let is_of_thread = |query: ThreadQuery| {
        matches!(
            query,
            ThreadQuery::LocalId(_) | ThreadQuery::GroupId(_) | ThreadQuery::GlobalId(_) | ThreadQuery::LaneId
        )
    };
    let is_of_group = |query: ThreadQuery| matches!(query, ThreadQuery::GroupId(_) | ThreadQuery::GlobalId(_));
    let computes = |operation: &Operation| {
        matches!(operation, Operation::Binary(..) | Operation::Convert(..) | Operation::Select(..))
    };
    let of = |is_meant: &dyn Fn(ThreadQuery) -> bool| {
        let asks = |operation: &Operation| matches!(operation, Operation::ThreadQuery(query) if is_meant(*query));
        dependent(kernel, &asks, &computes)
    };
    let (of_thread, of_group) = (of(&is_of_thread), of(&is_of_group));
    let mut roles = Roles::default();
    for data in kernel.instructions.values() {
        let (Operation::Binary(_, _, a, b) | Operation::Compare(_, a, b)) = data.operation else { continue };
        for (one, other) in [(a, b), (b, a)] {
            let Some(name) = parameter(kernel, one) else { continue };
            match data.operation {
                Operation::Binary(BinaryOp::Multiply | BinaryOp::ShiftLeft, ..) => {
                    roles.factors.insert(name);
                }
                Operation::Binary(
                    BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Xor | BinaryOp::Or | BinaryOp::And,
                    ..,
                ) if of_thread[other] => {
                    roles.offsets.insert(name);
                }
                Operation::Binary(op, _, _, divisor) if is_division(op) && divisor == one => {
                    roles.divisors.insert(name);
                }
                Operation::Compare(CompareOp::Equal | CompareOp::NotEqual, ..) if of_group[other] => {
                    roles.positions.insert(name);
                }
                Operation::Compare(..) if of_group[other] => {
                    roles.totals.insert(name);
                }
                _ => {}
            }
        }
    }
    roles.offsets.retain(|name| !roles.factors.contains(name));
    roles
}

fn is_division(op: BinaryOp) -> bool {
    use BinaryOp::{SignedDivide, SignedRemainder, UnsignedDivide, UnsignedRemainder};
    matches!(op, SignedDivide | SignedRemainder | UnsignedDivide | UnsignedRemainder)
}

/// The name of the parameter that a value is, perhaps widened or narrowed.
fn parameter(kernel: &Kernel, mut value: Value) -> Option<String> {
    while let Some(&Operation::Convert(_, inner)) = kernel.operation(value) {
        value = inner;
    }
    match kernel.operation(value) {
        Some(&Operation::Parameter(index)) => Some(kernel.parameters[index as usize].name.clone()),
        _ => None,
    }
}

/// The values that are computed from the results of these operations, through others that are
/// followed.
pub fn dependent(
    kernel: &Kernel,
    is_meant: &dyn Fn(&Operation) -> bool,
    is_followed: &dyn Fn(&Operation) -> bool,
) -> SecondaryMap<Value, bool> {
    let mut dependent: SecondaryMap<Value, bool> = SecondaryMap::new();
    loop {
        let mut found = Vec::new();
        for data in kernel.instructions.values() {
            let Some(result) = data.result.filter(|&result| !dependent[result]) else { continue };
            let mut depends = is_meant(&data.operation);
            if is_followed(&data.operation) {
                data.operation.for_each_operand(|operand| depends |= dependent[operand]);
            }
            found.extend(depends.then_some(result));
        }
        for data in kernel.blocks.values() {
            for target in data.terminator.targets() {
                let parameters = kernel.blocks[target.block].parameters.iter().zip(&target.arguments);
                found.extend(parameters.filter(|(to, from)| dependent[**from] && !dependent[**to]).map(|(to, _)| *to));
            }
        }
        if found.is_empty() {
            return dependent;
        }
        for value in found {
            dependent[value] = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use lockstep_ir::bits::Bits;
    use lockstep_ir::kernel::{Language, NoWrap, Parameter, ParameterKind, Type};

    use super::*;

    #[test]
    fn parameters_have_the_roles_of_their_uses() {
        let word = Type::Bits(32);
        let mut kernel = Kernel::new("k", Language::OpenCl, 32);
        let names = ["width", "offset", "n", "rows", "bins"];
        kernel.parameters =
            names.map(|name| Parameter { name: name.into(), kind: ParameterKind::Scalar(word) }).to_vec();
        let entry = kernel.entry;
        let mut add = |operation, ty| kernel.append(entry, operation, ty, None);
        let [width, offset, n, rows, bins] = [0, 1, 2, 3, 4].map(|index| add(Operation::Parameter(index), word));
        let local = add(Operation::ThreadQuery(ThreadQuery::LocalId(0)), word);
        let group = add(Operation::ThreadQuery(ThreadQuery::GroupId(0)), word);
        let two = add(Operation::Constant(Bits::new(32, 2_u32)), word);
        let binary = |op, a, b| Operation::Binary(op, NoWrap::default(), a, b);
        let start = add(binary(BinaryOp::Multiply, group, width), word);
        add(binary(BinaryOp::Add, start, width), word);
        add(binary(BinaryOp::Add, local, offset), word);
        // A number that no thread's id is in.
        add(binary(BinaryOp::Add, two, rows), word);
        add(Operation::Compare(CompareOp::SignedLess, start, n), Type::Bool);
        add(Operation::Compare(CompareOp::SignedLess, local, rows), Type::Bool);
        add(Operation::Compare(CompareOp::NotEqual, start, rows), Type::Bool);
        add(binary(BinaryOp::UnsignedRemainder, local, bins), word);
        add(binary(BinaryOp::UnsignedRemainder, rows, two), word);
        let set = |name: &str| BTreeSet::from([name.to_owned()]);
        let expected = Roles {
            factors: set("width"),
            divisors: set("bins"),
            offsets: set("offset"),
            positions: set("rows"),
            totals: set("n"),
        };
        assert_eq!(roles(&kernel), expected);
    }
}
