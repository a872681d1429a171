//! Lowers a kernel in rounds, until the guesses of a round are what it finds.
//!
//! The first round takes every parameter of 64 bits for a pointer. Those that are never used as an
//! address are numbers in the next rounds. A kind of a merged register that a round finds to be
//! less known than its guess is corrected. Guesses only move in these directions, so rounds end.
//!
//! # Soundness
//!
//! Any guess about a parameter is sound: a pointer's address is an unknown number, and an access at
//! a number goes anywhere. A guess about a merged register must agree with what the jumps pass in
//! the last round, which is the condition for its end: otherwise a number might count as one that
//! is not computed from an address ([`super::taint`]).

use std::collections::{BTreeMap, BTreeSet, HashSet};

use lockstep_ir::kernel::{Array, BinaryOp, Block, Definition, Kernel, Operation, Value};

use super::declare::Pointee;
use super::lower::{Guesses, Input, RefusedStep, Round, round};
use super::parameters::Slot;
use super::places::{Places, Sources};

/// The most rounds: each moves at least one guess.
const MOST_ROUNDS: usize = 100;

/// Lowers a kernel. Also returns the parameters that are taken for addresses because of how they
/// are used, without a declaration or a conversion that says so.
pub fn lower(input: &Input<'_>, sources: &Sources) -> Result<(Round, Vec<Array>), RefusedStep> {
    let mut guesses = Guesses::default();
    for _ in 0..MOST_ROUNDS {
        let mut places = Places::new(sources, &input.flat.places);
        let found = round(input, &guesses, &mut places)?;
        let uses = Uses::new(&found.kernel);
        let (converted, used) = uses.addresses(&found);
        let demoted: Vec<Slot> = found
            .parameters
            .pointers()
            .filter(|(slot, array)| {
                let is_declared = input.function.parameters[slot.0].pointee != Pointee::NotDeclared;
                !is_declared && !used.contains(array) && !converted.contains(array)
            })
            .map(|(slot, _)| slot)
            .filter(|slot| !guesses.numbers.contains(slot))
            .collect();
        if !demoted.is_empty() {
            guesses.numbers.extend(demoted);
            // Numbers that were computed from these are no addresses any more.
            guesses.kinds.clear();
            continue;
        }
        let mut changed = false;
        let mut kinds = guesses.kinds.clone();
        let mut passed: Vec<_> = found.kinds.iter().map(|(place, kind)| (*place, *kind)).collect();
        passed.sort_unstable_by_key(|(place, _)| *place);
        for (place, kind) in passed {
            let before = kinds.get(&place).copied().unwrap_or_default();
            let joined = before.join(kind);
            changed |= found.kind_used(place).is_none_or(|used| used != joined);
            kinds.insert(place, joined);
        }
        if !changed {
            let inferred = found.parameters.pointers().filter(|(slot, array)| {
                input.function.parameters[slot.0].pointee == Pointee::NotDeclared && !converted.contains(array)
            });
            let inferred = inferred.map(|(_, array)| array).collect();
            return Ok((found, inferred));
        }
        guesses.kinds = kinds;
    }
    Err(RefusedStep { construct: "PTX whose addresses cannot be followed".into(), place: 0 })
}

/// The values that jumps pass to each parameter of a block.
struct Uses<'a> {
    kernel: &'a Kernel,
    incoming: BTreeMap<Block, Vec<Vec<Value>>>,
}

impl<'a> Uses<'a> {
    fn new(kernel: &'a Kernel) -> Self {
        let mut incoming: BTreeMap<Block, Vec<Vec<Value>>> = BTreeMap::new();
        for block in kernel.blocks.values() {
            for target in block.terminator.targets().filter(|target| !target.arguments.is_empty()) {
                incoming.entry(target.block).or_default().push(target.arguments.clone());
            }
        }
        Self { kernel, incoming }
    }

    /// The arrays to which converted pointers lead, and those to which accesses do.
    fn addresses(&self, round: &Round) -> (HashSet<Array>, HashSet<Array>) {
        let converted = self.roots(&round.seen.converted);
        let mut used = self.roots(&round.seen.pointers);
        for &number in &round.seen.numbers {
            let candidates = self.roots(&[number]);
            let known = candidates.iter().any(|array| converted.contains(array) || used.contains(array));
            // A sum of two parameters: either may be the address.
            if !known && candidates.len() == 1 {
                used.extend(candidates);
            }
        }
        (converted, used)
    }

    /// The arrays whose addresses some values are, or are sums with.
    fn roots(&self, values: &[Value]) -> HashSet<Array> {
        let mut found = HashSet::new();
        let mut seen: BTreeSet<Value> = values.iter().copied().collect();
        let mut work = values.to_vec();
        while let Some(value) = work.pop() {
            let mut visit = |next: Value| {
                if seen.insert(next) {
                    work.push(next);
                }
            };
            match self.kernel.values[value].definition {
                Definition::Parameter(block, index) => {
                    for arguments in self.incoming.get(&block).into_iter().flatten() {
                        arguments.get(index as usize).copied().into_iter().for_each(&mut visit);
                    }
                }
                Definition::Result(instruction) => match &self.kernel.instructions[instruction].operation {
                    Operation::ArrayBase(array) => {
                        found.insert(*array);
                    }
                    Operation::PointerAdd { pointer: from, .. }
                    | Operation::SpaceCast(from)
                    | Operation::PointerToInteger(from)
                    | Operation::IntegerToPointer(from)
                    | Operation::Convert(_, from)
                    | Operation::Binary(BinaryOp::Subtract | BinaryOp::And, _, from, _) => visit(*from),
                    Operation::Select(_, a, b)
                    | Operation::Binary(BinaryOp::Add | BinaryOp::Or | BinaryOp::Xor, _, a, b) => {
                        visit(*a);
                        visit(*b);
                    }
                    _ => {}
                },
            }
        }
        found
    }
}

impl Round {
    /// The kind with which a merged register was lowered.
    fn kind_used(&self, place: (usize, usize)) -> Option<super::lower::Kind> {
        self.used_kinds.get(&place).copied()
    }
}

#[cfg(test)]
mod tests {
    use lockstep_ir::kernel::Space;

    use super::super::lower::{Holds, Kind};

    #[test]
    fn kinds_join_towards_numbers() {
        let kind = |holds| Kind { holds, tainted: false };
        let pointer = |space| kind(Holds::Pointer(space));
        assert_eq!(kind(Holds::Zero).join(pointer(Space::Global)), pointer(Space::Global));
        assert_eq!(pointer(Space::Local).join(pointer(Space::Global)), pointer(Space::Generic));
        let number = kind(Holds::Number).join(pointer(Space::Global));
        assert_eq!(number, Kind { holds: Holds::Number, tainted: true });
    }
}
