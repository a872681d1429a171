//! Calls of the annotation functions of specifications (`src/frontend/annotations.h`,
//! docs/annotations.md).
//!
//! An assumption or assertion of one thread becomes an operation of its own. The rest become an
//! [`Operation::Annotation`], whose meaning for two threads the lock-step stage knows. In a
//! function that a kernel calls, a precondition is an assertion that the caller must meet. In the
//! kernel it is an assumption about every launch. A misplaced annotation becomes an
//! [`Operation::Annotation`], too: `src/transform/analysis/placement.rs` names the right place.

use lockstep_ir::assumption::Assumed;
use lockstep_ir::kernel::MISPLACED_FUNCTION_WIDE;
use lockstep_ir::kernel::{
    Access, ArrayData, ArrayOrigin, AssertKind, AssumeKind, BinaryOp, CompareOp, ConvertOp, Needs, NoWrap, Operation,
    Space, Type, UnaryOp, Value,
};

use super::kernels::Importer;
use super::raw::LValue;
use super::types::Unreadable;
use crate::Annotations;
use crate::builder::{Builder, Lanes};

/// Annotations without a result that have a meaning in the lock-step stage. The first operand is a
/// truth value.
const STATEMENTS: [&str; 8] = [
    "__invariant",
    "__global_invariant",
    "__candidate_invariant",
    "__candidate_global_invariant",
    "__function_wide_invariant",
    "__function_wide_candidate_invariant",
    "__candidate_assert",
    "__candidate_global_assert",
];

/// Values that the lock-step stage knows.
const VALUES: [&str; 10] = [
    "__enabled",
    "__dominator_enabled",
    "__lockstep_same_group",
    "__read",
    "__write",
    "__read_offset_bytes",
    "__write_offset_bytes",
    "__ptr_base",
    "__ptr_offset_bytes",
    "__atomic_has_taken_value",
];

/// The name of an annotation function without Clang's mangling of its parameter types.
pub fn plain(name: &str) -> &str {
    let Some(rest) = name.strip_prefix("_Z") else { return name };
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let length: usize = rest[..digits].parse().unwrap_or(0);
    match rest.get(digits..digits + length) {
        Some(base) if base.starts_with("__") => base,
        _ => name,
    }
}

impl Importer<'_> {
    /// A call of an annotation; `None` if it is not one.
    pub fn annotation(&mut self, name: &str, call: LValue) -> Result<Option<Lanes>, Unreadable> {
        let name = plain(name);
        if let Some(misplaced) = name.strip_prefix(super::contracts::MISPLACED) {
            return self.misplaced(misplaced, call).map(Some);
        }
        if let Some(result) = self.specified_access(name, call)? {
            return Ok(Some(result));
        }
        match name {
            "__assert" => self.states(call, |holds| Operation::Assert(holds, AssertKind::User)),
            "__global_assert" => self.states(call, |holds| Operation::Assert(holds, AssertKind::Global)),
            // Postconditions stand at the end of their function: [`super::contracts`] has moved
            // them.
            super::contracts::ENSURED => self.states(call, |holds| Operation::Assert(holds, AssertKind::User)),
            super::contracts::GLOBALLY_ENSURED => {
                self.states(call, |holds| Operation::Assert(holds, AssertKind::Global))
            }
            "__assume" => self.states(call, |holds| Operation::Assume(holds, AssumeKind::User)),
            "__ensures" | "__global_ensures" => self.misplaced(name, call).map(Some),
            _ if name.starts_with("__return_val_") => self.misplaced(name, call).map(Some),
            "__requires" | "__global_requires" => self.precondition(name, call),
            _ if STATEMENTS.contains(&name) => self.statement(name, call).map(Some),
            _ if name.starts_with("__barrier_invariant_") => self.statement(name, call).map(Some),
            _ if VALUES.contains(&name) => self.annotation_value(name, call).map(Some),
            "__other_int" | "__other_bool" | "__other_ptr_base" => self.annotation_value("__other", call).map(Some),
            "__old_int" | "__old_bool" => self.operand(call.call_arguments()[0]).map(Some),
            "__implies" => self.connective(call, |builder, a, b| {
                let not = builder.unary(UnaryOp::Not, a);
                builder.binary(BinaryOp::Or, not, b)
            }),
            "__lockstep_and" => self.connective(call, |builder, a, b| builder.binary(BinaryOp::And, a, b)),
            "__ite" => self.if_then_else(call).map(Some),
            // Different pointer parameters point to different arrays in any case, which is a listed
            // assumption.
            "__requires_fresh_array" => Ok(Some(Lanes::new())),
            _ => match name.strip_prefix("__add_noovfl_") {
                Some(of) => self.sum_without_overflow(call, !of.starts_with("unsigned_")).map(Some),
                None if is_refused(name) => Err(format!("annotation {name}")),
                None => Ok(None),
            },
        }
    }

    /// An access of a function that is only specified, or the place of such an access.
    fn specified_access(&mut self, name: &str, call: LValue) -> Result<Option<Lanes>, Unreadable> {
        use super::contracts::{ANYWHERE, HAPPENS, READS, WRITES};
        if name == HAPPENS {
            return Ok(Some(vec![self.builder().append(Operation::Anything, Type::Bool)]));
        }
        let Some(kind) = [ANYWHERE, READS, WRITES].into_iter().find(|kind| name.starts_with(kind)) else {
            return Ok(None);
        };
        let pointer = self.scalar(call.call_arguments()[0])?;
        if let Some(location) = self.location {
            let function = self.kernel.locations[location].function.clone();
            self.assumptions.add(Assumed::AsSpecified { function }.everywhere());
        }
        let bits = self.kernel.pointer_bits;
        let mut builder = self.builder();
        if kind == ANYWHERE {
            let ty = builder.ty(pointer);
            let offset = Operation::Annotation { name: "__anywhere".into(), operands: vec![pointer] };
            let offset = builder.append(offset, Type::Bits(bits));
            let place = Operation::PointerAdd { pointer, offset, in_bounds: false };
            return Ok(Some(vec![builder.append(place, ty)]));
        }
        // The access has no bytes if it does not happen.
        let happens = self.scalar(call.call_arguments()[1])?;
        let ty = self.kernel.offset_type();
        let bytes = self.builder().convert(ConvertOp::ZeroExtend, happens, ty);
        let at = |pointer| Access { pointer, alignment: 1, volatile: false, needs: Needs::Everything };
        if kind == READS {
            let to = self.scratch_byte();
            self.builder().append_effect(Operation::MemoryCopy { to: at(to), from: at(pointer), bytes });
        } else {
            // No position in an array is tracked for the values that a copy leaves: each byte might
            // have changed.
            let mut builder = self.builder();
            let value = builder.append(Operation::Anything, Type::Bits(8));
            builder.append_effect(Operation::MemorySet { to: at(pointer), value, bytes });
        }
        Ok(Some(Lanes::new()))
    }

    /// A byte of the thread's own memory to copy to.
    fn scratch_byte(&mut self) -> Value {
        let location = self.location;
        let array = self.kernel.arrays.push(ArrayData {
            name: "what a function reads".to_owned(),
            space: Space::Private,
            origin: ArrayOrigin::Stack,
            element: None,
            size: Some(1),
            contents: None,
            volatile: false,
            sized_by: None,
            restrict: false,
            nonzero: false,
            location,
        });
        self.builder().append(Operation::ArrayBase(array), Type::Pointer(Space::Private))
    }

    /// The truth value passed to a call.
    fn truth(&mut self, call: LValue) -> Result<Value, Unreadable> {
        let argument = self.scalar(*call.call_arguments().first().ok_or("annotation without an argument")?)?;
        let mut builder = self.builder();
        match builder.ty(argument) {
            Type::Bool => Ok(argument),
            Type::Bits(width) => {
                let zero = builder.number(width, 0);
                Ok(builder.compare(CompareOp::NotEqual, argument, zero))
            }
            Type::Float(_) | Type::Pointer(_) => Err("annotation of this type".into()),
        }
    }

    /// A truth value computed from two others without a branch.
    fn connective(
        &mut self,
        call: LValue,
        apply: fn(&mut Builder<'_>, Value, Value) -> Value,
    ) -> Result<Option<Lanes>, Unreadable> {
        let (a, b) = (self.scalar(call.call_arguments()[0])?, self.scalar(call.call_arguments()[1])?);
        Ok(Some(vec![apply(&mut self.builder(), a, b)]))
    }

    fn states(&mut self, call: LValue, operation: fn(Value) -> Operation) -> Result<Option<Lanes>, Unreadable> {
        let holds = self.truth(call)?;
        match self.annotations {
            Annotations::None | Annotations::OnlyPreconditions => {}
            Annotations::All | Annotations::InvariantsAsCandidates => self.builder().append_effect(operation(holds)),
        }
        Ok(Some(Lanes::new()))
    }

    fn precondition(&mut self, name: &str, call: LValue) -> Result<Option<Lanes>, Unreadable> {
        let holds = self.truth(call)?;
        let in_kernel = self.location.is_none_or(|location| self.kernel.locations[location].inlined_at.is_none());
        let operation = match (in_kernel, self.annotations) {
            (_, Annotations::None) | (false, Annotations::OnlyPreconditions) => return Ok(Some(Lanes::new())),
            (true, _) => Operation::Assume(holds, AssumeKind::Precondition),
            (false, _) if name == "__global_requires" => Operation::Assert(holds, AssertKind::Global),
            (false, _) => Operation::Assert(holds, AssertKind::User),
        };
        self.builder().append_effect(operation);
        Ok(Some(Lanes::new()))
    }

    fn statement(&mut self, name: &str, call: LValue) -> Result<Lanes, Unreadable> {
        let mut operands = vec![self.truth(call)?];
        for argument in call.call_arguments().into_iter().skip(1) {
            operands.push(self.scalar(argument)?);
        }
        let used = self.used_as_a_value(name, call)?;
        let name = match (self.annotations, name) {
            (Annotations::None | Annotations::OnlyPreconditions, _) => return Ok(used),
            (Annotations::All, name) => name,
            (Annotations::InvariantsAsCandidates, "__invariant") => "__candidate_invariant",
            (Annotations::InvariantsAsCandidates, "__global_invariant") => "__candidate_global_invariant",
            (Annotations::InvariantsAsCandidates, "__function_wide_invariant") => "__function_wide_candidate_invariant",
            (Annotations::InvariantsAsCandidates, name) => name,
        };
        self.builder().append_effect(Operation::Annotation { name: name.into(), operands });
        Ok(used)
    }

    /// The value of an invariant where the source uses it, which no kernel may do: an invariant
    /// goes before a comma.
    fn used_as_a_value(&mut self, name: &str, call: LValue) -> Result<Lanes, Unreadable> {
        if call.is_used() { self.annotation_value(name, call) } else { Ok(Lanes::new()) }
    }

    /// An annotation where it has no meaning. If annotations are ignored it is nothing, or any
    /// value.
    fn misplaced(&mut self, name: &str, call: LValue) -> Result<Lanes, Unreadable> {
        let results = self.lanes(call.ty())?;
        let ignored = match self.annotations {
            Annotations::None => true,
            Annotations::OnlyPreconditions => !name.ends_with("requires"),
            Annotations::All | Annotations::InvariantsAsCandidates => false,
        };
        if !ignored {
            let mut operands = Vec::new();
            for argument in call.call_arguments() {
                operands.push(self.scalar(argument)?);
            }
            // An annotation that has a meaning in other places is told apart from the others.
            let name = match name.strip_prefix("__function_wide_") {
                Some(rest) => format!("{MISPLACED_FUNCTION_WIDE}{rest}"),
                None => name.to_owned(),
            };
            self.builder().append_effect(Operation::Annotation { name, operands });
        }
        Ok(results.into_iter().map(|ty| self.builder().append(Operation::Undefined, ty)).collect())
    }

    fn annotation_value(&mut self, name: &str, call: LValue) -> Result<Lanes, Unreadable> {
        let mut operands = Vec::new();
        for argument in call.call_arguments() {
            operands.push(self.scalar(argument)?);
        }
        let results = self.lanes(call.ty())?;
        let &[ty] = results.as_slice() else { return Err(format!("annotation {name} with this result")) };
        Ok(vec![self.builder().append(Operation::Annotation { name: name.into(), operands }, ty)])
    }

    /// Computes both alternatives, so that no branch moves the statement away from its place.
    fn if_then_else(&mut self, call: LValue) -> Result<Lanes, Unreadable> {
        let condition = self.truth(call)?;
        let (then, otherwise) = (self.scalar(call.call_arguments()[1])?, self.scalar(call.call_arguments()[2])?);
        Ok(vec![self.builder().select(condition, then, otherwise)])
    }

    /// `a + b`, which is assumed not to overflow.
    fn sum_without_overflow(&mut self, call: LValue, signed: bool) -> Result<Lanes, Unreadable> {
        let (a, b) = (self.scalar(call.call_arguments()[0])?, self.scalar(call.call_arguments()[1])?);
        let mut builder = self.builder();
        let ty = builder.ty(a);
        let Type::Bits(width) = ty else { return Err("sum without overflow of this type".into()) };
        let op = if signed { ConvertOp::SignExtend } else { ConvertOp::ZeroExtend };
        let wide = [a, b].map(|number| builder.convert(op, number, Type::Bits(width + 1)));
        let exact = builder.binary(BinaryOp::Add, wide[0], wide[1]);
        let sum = builder.append(Operation::Binary(BinaryOp::Add, NoWrap::default(), a, b), ty);
        let again = builder.convert(op, sum, Type::Bits(width + 1));
        let fits = builder.compare(CompareOp::Equal, exact, again);
        if self.annotations != Annotations::None {
            self.builder().append_effect(Operation::Assume(fits, AssumeKind::User));
        }
        Ok(vec![sum])
    }
}

/// Whether a name is in the catalogue but has no meaning here.
fn is_refused(name: &str) -> bool {
    const NAMES: [&str; 3] = ["__reads_from", "__writes_to", "__array_snapshot"];
    const FAMILIES: [&str; 3] = ["__unsafe_", "__non_temporal_loads_", "bugle_"];
    NAMES.contains(&name) || FAMILIES.iter().any(|family| name.starts_with(family))
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn overloaded_names_are_read() {
        assert_eq!(plain("_Z6__readPU3AS1VKv"), "__read");
        assert_eq!(plain("__read"), "__read");
        assert_eq!(plain("_Z13get_global_idj"), "_Z13get_global_idj");
        assert_eq!(plain("_Z99__read"), "_Z99__read");
        assert_eq!(plain("_Z"), "_Z");
    }
}
