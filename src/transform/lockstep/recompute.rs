//! Recomputation of a value at another place, or for other threads, for annotations that are
//! written once and hold in several places.
//!
//! A value is computed once more from its operands, down to constants, parameters, ids and loads.
//! Loads see memory as it is at the place. Any other dependency (variables of the source that
//! change, the result of an atomic) is refused by name. The exception is a value that is the same
//! for all threads of the group, if it is needed only for other threads.

use std::collections::BTreeSet;

use lockstep_ir::interaction;
use lockstep_ir::kernel::{Access, Block, Definition, Operation, ThreadQuery, Value};
use lockstep_ir::sequential::{Copies, Expression, Pair};

use super::memory::arrays::Contents;
use super::memory::contents::View;
use super::memory::touch::{Extent, Touch};
use super::{Lowered, Lowering, Unsupported};
use crate::analysis::accesses::byte_width;

/// The place and the threads to recompute a value for.
#[derive(Clone, Copy)]
pub struct Place {
    /// The block.
    pub block: Block,
    /// The threads that replace the program's two; `None` keeps the two themselves.
    pub instance: Option<Instance>,
}

/// Two threads of the group.
#[derive(Clone, Copy)]
pub struct Instance {
    /// Their ids in the first dimension, `pointer_bits` wide.
    pub ids: [Expression; 2],
    /// The thread of the program with which each of the two shares its ids in the other dimensions.
    pub like: [usize; 2],
}

impl Lowering<'_> {
    /// The value of a scalar at a place.
    pub fn recomputed(&mut self, value: Value, place: Place) -> Result<[Expression; 2], Unsupported> {
        let mut saved = Vec::new();
        let result = self.recompute_all(value, place, &mut saved);
        let found = result.map(|()| [0, 1].map(|thread| self.scalar(value, thread)));
        for (value, before) in saved.into_iter().rev() {
            self.values[value] = before;
        }
        found
    }

    fn recompute_all(
        &mut self,
        value: Value,
        place: Place,
        saved: &mut Vec<(Value, Option<Copies<Lowered>>)>,
    ) -> Result<(), Unsupported> {
        for value in self.operands_first(value) {
            let new = self.recompute(value, place)?;
            saved.push((value, self.values[value].replace(new)));
        }
        Ok(())
    }

    /// The values from which a value is computed, each after its operands.
    fn operands_first(&self, value: Value) -> Vec<Value> {
        let mut order = Vec::new();
        let mut seen = BTreeSet::new();
        let mut stack = vec![(value, false)];
        while let Some((value, visited)) = stack.pop() {
            if visited {
                order.push(value);
            } else if seen.insert(value) {
                stack.push((value, true));
                if let Some(operation) = self.kernel.operation(value) {
                    operation.for_each_operand(|operand| stack.push((operand, false)));
                }
            }
        }
        order
    }

    fn recompute(&mut self, value: Value, place: Place) -> Result<Copies<Lowered>, Unsupported> {
        let Definition::Result(instruction) = self.kernel.values[value].definition else {
            return self.unchanged(value, place);
        };
        let operation = self.kernel.instructions[instruction].operation.clone();
        match &operation {
            Operation::ThreadQuery(query) => self.query_of(*query, place),
            Operation::Load(access) => self.load_again(value, access, place),
            Operation::Annotation { name, operands } => {
                self.annotation_value(place.block, name, operands, self.kernel.ty(value))
            }
            Operation::Constant(_)
            | Operation::Parameter(_)
            | Operation::Unary(..)
            | Operation::Binary(..)
            | Operation::Compare(..)
            | Operation::Select(..)
            | Operation::Convert(..)
            | Operation::Extract { .. }
            | Operation::Concat(..)
            | Operation::Float(..)
            | Operation::Uninterpreted(..)
            | Operation::Contents(_)
            | Operation::ArrayBase(_)
            | Operation::Null
            | Operation::PointerAdd { .. }
            | Operation::SpaceCast(_)
            | Operation::PointerEqual(..) => self.value(&operation, value),
            // The address may be that of the thread's own memory.
            Operation::PointerToInteger(_)
            | Operation::PointerDifference(..)
            | Operation::IntegerToPointer(_)
            | Operation::Undefined
            | Operation::Anything
            | Operation::Choice(_)
            | Operation::Cached { .. }
            | Operation::Counted(_)
            | Operation::Assume(..)
            | Operation::Assert(..) => self.unchanged(value, place),
            interaction!() => self.unchanged(value, place),
        }
    }

    /// Keeps a value that cannot be computed again, if it is the same for all threads of the group.
    fn unchanged(&self, value: Value, place: Place) -> Result<Copies<Lowered>, Unsupported> {
        let same = self.of_pair.group_uniformity.as_ref().unwrap_or(&self.of_pair.uniformity).value(value);
        match (self.values[value], place.instance) {
            (Some(copies), Some(Instance { like, .. })) if same => {
                Ok(Copies::Each(like.map(|thread| *copies.of(thread))))
            }
            _ => {
                let name = self.kernel.values[value].name.as_deref();
                let name = name.map_or("a value".to_owned(), |name| format!("`{name}`"));
                let why = if place.instance.is_some() {
                    "is not known of other threads"
                } else {
                    "changes from place to place"
                };
                self.unsupported(format!("annotation about {name}, which {why}"))
            }
        }
    }

    fn query_of(&mut self, query: ThreadQuery, place: Place) -> Result<Copies<Lowered>, Unsupported> {
        let own = self.thread_query(query)?;
        let Some(Instance { ids, like }) = place.instance else { return Ok(own) };
        let each = match query {
            ThreadQuery::LocalId(0) => ids.map(Lowered::Scalar),
            ThreadQuery::GlobalId(0) => {
                let bits = self.kernel.pointer_bits;
                [0, 1].map(|slot| {
                    let id = self.threads.global_id(&mut self.program.expressions, like[slot], ids[slot]);
                    Lowered::Scalar(self.e().zero_extend(bits, id))
                })
            }
            ThreadQuery::LocalId(_)
            | ThreadQuery::GlobalId(_)
            | ThreadQuery::GroupId(_)
            | ThreadQuery::LocalSize(_)
            | ThreadQuery::NumGroups(_)
            | ThreadQuery::GlobalSize(_)
            | ThreadQuery::GlobalOffset(_)
            | ThreadQuery::Dimensions
            | ThreadQuery::LaneId
            | ThreadQuery::WarpSize => like.map(|thread| *own.of(thread)),
        };
        Ok(Copies::Each(each))
    }

    /// The value that a load would return at a place. It is no access.
    fn load_again(&mut self, value: Value, access: &Access, place: Place) -> Result<Copies<Lowered>, Unsupported> {
        let ty = self.kernel.ty(value);
        let Definition::Result(instruction) = self.kernel.values[value].definition else {
            return self.unchanged(value, place);
        };
        let bytes = byte_width(self.kernel, ty);
        for array in self.facts.points_to[access.pointer].arrays.clone() {
            let seen = match (self.arrays.get(array).contents, place.instance) {
                (Contents::Function(_), _) => true,
                // The contents of the array at the barrier.
                (Contents::Shared { own, .. }, Some(_)) => self.pair == Pair::SameGroup || own.is_some(),
                (Contents::Shared { own, .. }, None) => own.is_some(),
                (Contents::Private(_), None) => true,
                (Contents::Private(_), Some(_)) | (Contents::Adversarial, _) => false,
            };
            if !seen {
                let name = &self.kernel.arrays[array].name;
                return self.unsupported(format!("annotation about `{name}`, whose contents are not followed there"));
            }
        }
        if matches!(ty, lockstep_ir::kernel::Type::Pointer(_)) || self.facts.points_to[access.pointer].arrays.is_empty()
        {
            return self.unsupported("annotation about a pointer out of memory");
        }
        let yes = self.true_();
        let pointers = [0, 1].map(|thread| self.pointer(access.pointer, thread));
        let touch = Touch {
            instruction,
            position: 0,
            active: [yes; 2],
            offset: pointers.map(|pointer| pointer.offset),
            tag: pointers.map(|pointer| pointer.tag),
            extent: Extent::Bytes(bytes),
            value: None,
            event: None,
        };
        // After a barrier, the threads of a group see the same contents, which the copies of
        // threads of different groups hold.
        let (view, like) = match place.instance {
            Some(_) if self.pair == Pair::SameGroup => (View::Barrier, [0, 1]),
            Some(Instance { like, .. }) => (View::Own, like),
            None => (View::Own, [0, 1]),
        };
        Ok(Copies::Each([0, 1].map(|slot| {
            let bits = self.read_contents_from(access.pointer, &touch, [slot, like[slot]], bytes, view);
            Lowered::Scalar(self.bits_as_value(bits, ty))
        })))
    }
}
