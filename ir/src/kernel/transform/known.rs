//! Tracks the bits that are known in every execution, and replaces the branches that they decide by
//! jumps.
//!
//! Wegman and Zadeck, "Constant propagation with conditional branches" (TOPLAS 13(2), 1991), with
//! the bits of a value tracked one by one. Blocks are reached from the entry over the edges that
//! the bits known so far leave open. The known bits of a block parameter are those on which all
//! arguments over such edges agree. Knowledge only decreases, until a fixpoint is reached. A struct
//! with bit-fields needs single bits: SSA construction makes it one number, and the kernel sets
//! some of its bits and leaves others undefined.
//!
//! The known bits hold in every execution, by induction over its steps. An edge that an execution
//! takes was left open, because the condition has a value that its known bits allow. So the
//! arguments of the edge were joined. No bits are known for an operation that may have undefined
//! behaviour ([`crate::kernel::NoWrap`]). Values computed from memory, or from values of other
//! threads, are not replaced: annotations refer to loads, so a load stays in use even if the result
//! is known.

use cranelift_entity::SecondaryMap;

use crate::bits::Bits;
use crate::cfg;
use crate::computation;
use crate::kernel::{BinaryOp, Block, CompareOp, ConvertOp, Kernel, Operation, Terminator, Type, UnaryOp, Value};

/// The kernel with jumps in place of decided branches, and with constants in place of computations
/// whose bits are all known. Blocks that are no longer reachable remain ([`prune`](super::prune)
/// removes them).
pub fn decide(mut kernel: Kernel) -> Kernel {
    let known = Knowledge::of(&kernel);
    for block in kernel.blocks.keys().filter(|&block| known.reached[block]).collect::<Vec<_>>() {
        for &instruction in &kernel.blocks[block].instructions {
            let data = &mut kernel.instructions[instruction];
            if let Some(result) = data.result.filter(|&result| known.computed[result])
                && let Some(constant) = known.constant(result)
            {
                data.operation = Operation::Constant(constant.clone());
            }
        }
        let terminator = &mut kernel.blocks[block].terminator;
        if !matches!(terminator, Terminator::Jump(_))
            && let Some(slot) = known.only_way(terminator)
        {
            let target = terminator.targets().nth(slot).expect("a way is counted in its own terminator").clone();
            *terminator = Terminator::Jump(target);
        }
    }
    kernel
}

/// The known bits of a number.
#[derive(Clone, Debug, PartialEq, Eq)]
struct KnownBits {
    /// Ones where the bit is known.
    known: Bits,
    /// The bits that are known, zeros elsewhere.
    value: Bits,
}

impl KnownBits {
    fn constant(value: Bits) -> Self {
        Self { known: Bits::ones(value.width()), value }
    }

    fn nothing(width: u32) -> Self {
        Self { known: Bits::zero(width), value: Bits::zero(width) }
    }

    fn width(&self) -> u32 {
        self.known.width()
    }

    fn to_constant(&self) -> Option<&Bits> {
        self.known.is_ones().then_some(&self.value)
    }

    /// The bits that are known to be zeros.
    fn zeros(&self) -> Bits {
        self.known.and(&self.value.not())
    }

    /// The bits known to be zeros, and those known to be ones.
    fn with(zeros: &Bits, ones: Bits) -> Self {
        Self { known: zeros.or(&ones), value: ones }
    }

    /// The bits on which both agree.
    fn join(&self, other: &Self) -> Self {
        let known = self.known.and(&other.known).and(&self.value.xor(&other.value).not());
        Self { value: self.value.and(&known), known }
    }

    /// Whether the number may be this constant.
    fn may_be(&self, constant: &Bits) -> bool {
        self.known.and(constant) == self.value
    }

    /// The bits moved to other places, each as known as it was; `zeros` are the bits shifted in.
    fn moved(&self, place: impl Fn(&Bits) -> Bits, zeros: &Bits) -> Self {
        Self { known: place(&self.known).or(zeros), value: place(&self.value) }
    }

    fn and(&self, other: &Self) -> Self {
        Self::with(&self.zeros().or(&other.zeros()), self.value.and(&other.value))
    }

    fn or(&self, other: &Self) -> Self {
        Self::with(&self.zeros().and(&other.zeros()), self.value.or(&other.value))
    }

    fn xor(&self, other: &Self) -> Self {
        let known = self.known.and(&other.known);
        Self { value: self.value.xor(&other.value).and(&known), known }
    }

    fn not(&self) -> Self {
        Self::with(&self.value, self.zeros())
    }

    fn concat(&self, low: &Self) -> Self {
        Self { known: self.known.concat(&low.known), value: self.value.concat(&low.value) }
    }

    fn extract(&self, high: u32, low: u32) -> Self {
        self.moved(|bits| bits.extract(high, low), &Bits::zero(high - low + 1))
    }
}

/// The knowledge at the fixpoint.
struct Knowledge {
    /// The known bits of each value that has been computed and is a bit-vector or a Boolean.
    bits: SecondaryMap<Value, Option<KnownBits>>,
    /// Whether a value is computed only from constants, parameters and thread queries.
    computed: SecondaryMap<Value, bool>,
    /// The blocks that an execution can reach under the bits known so far.
    reached: SecondaryMap<Block, bool>,
}

impl Knowledge {
    fn of(kernel: &Kernel) -> Self {
        let graph = cfg::graph(kernel);
        let mut this = Self {
            bits: SecondaryMap::new(),
            computed: SecondaryMap::with_default(true),
            reached: SecondaryMap::new(),
        };
        this.reached[kernel.entry] = true;
        // In this order definitions come before their uses, except for the arguments over back
        // edges.
        let mut changed = true;
        while changed {
            changed = false;
            for &block in graph.reverse_postorder() {
                changed |= this.visit(kernel, block);
            }
        }
        this
    }

    /// Visits a reached block. Returns whether a block that was already visited gets new
    /// information.
    fn visit(&mut self, kernel: &Kernel, block: Block) -> bool {
        if !self.reached[block] {
            return false;
        }
        let data = &kernel.blocks[block];
        for &instruction in &data.instructions {
            let data = &kernel.instructions[instruction];
            if let Some(result) = data.result {
                let mut computed = matches!(data.operation, computation!());
                data.operation.for_each_operand(|operand| computed &= self.computed[operand]);
                self.computed[result] = computed;
            }
            if let Some(result) = data.result
                && let Some(width) = tracked(kernel.ty(result))
            {
                self.bits[result] =
                    Some(self.result(&data.operation, width).unwrap_or_else(|| KnownBits::nothing(width)));
            }
        }
        let only = self.only_way(&data.terminator);
        let open = data.terminator.targets().enumerate().filter(|(slot, _)| only.is_none_or(|only| only == *slot));
        let mut changed = false;
        for (_, target) in open {
            changed |= !std::mem::replace(&mut self.reached[target.block], true);
            for (&parameter, &argument) in kernel.blocks[target.block].parameters.iter().zip(&target.arguments) {
                changed |= self.bring(parameter, argument);
            }
        }
        changed
    }

    /// Joins an argument into a parameter. Returns whether the parameter's knowledge changes.
    fn bring(&mut self, parameter: Value, argument: Value) -> bool {
        let computed = self.computed[parameter] && self.computed[argument];
        let less = std::mem::replace(&mut self.computed[parameter], computed) != computed;
        let Some(argument) = self.bits[argument].clone() else { return less };
        let old = self.bits[parameter].as_ref();
        let new = old.map_or_else(|| argument.clone(), |old| old.join(&argument));
        let changed = old != Some(&new);
        self.bits[parameter] = Some(new);
        changed || less
    }

    fn constant(&self, value: Value) -> Option<&Bits> {
        self.bits[value].as_ref()?.to_constant()
    }

    /// The index of the only target that the known bits of the condition leave open.
    fn only_way(&self, terminator: &Terminator) -> Option<usize> {
        match terminator {
            Terminator::Jump(_) => Some(0),
            Terminator::Branch { condition, .. } => self.constant(*condition).map(|holds| usize::from(holds.is_zero())),
            Terminator::Switch { value, cases, .. } => {
                let value = self.bits[*value].as_ref()?;
                let mut open = cases.iter().enumerate().filter(|(_, (case, _))| value.may_be(case));
                match (open.next(), value.to_constant()) {
                    (None, _) => Some(cases.len()),
                    (Some((slot, _)), Some(_)) => Some(slot),
                    (Some(_), None) => None,
                }
            }
            Terminator::Return | Terminator::Trap | Terminator::Unreachable => None,
        }
    }

    /// The known bits of the result of an operation of this width; `None` if there are none.
    fn result(&self, operation: &Operation, width: u32) -> Option<KnownBits> {
        let of = |value: &Value| self.bits[*value].as_ref();
        match operation {
            Operation::Constant(bits) => Some(KnownBits::constant(bits.clone())),
            Operation::Unary(UnaryOp::Not, a) => Some(of(a)?.not()),
            Operation::Unary(UnaryOp::Negate, a) => Some(KnownBits::constant(of(a)?.to_constant()?.neg())),
            Operation::Binary(op, no_wrap, a, b) if !(no_wrap.signed || no_wrap.unsigned) => {
                let (a, b) = (of(a)?, of(b)?);
                let is_too_far =
                    |distance: &Bits| distance.to_u64().is_none_or(|distance| distance >= u64::from(width));
                // Nothing is known about quotients anyway.
                let is_undefined = no_wrap.partial && b.to_constant().is_some_and(is_too_far);
                (!is_undefined).then(|| binary(*op, a, b))?
            }
            Operation::Compare(op, a, b) => {
                compare(*op, of(a)?, of(b)?).map(|holds| KnownBits::constant(Bits::new(1, u8::from(holds))))
            }
            Operation::Select(condition, a, b) => match of(condition)?.to_constant() {
                Some(holds) => of(if holds.is_one() { a } else { b }).cloned(),
                None => Some(of(a)?.join(of(b)?)),
            },
            Operation::Convert(op, a) => Some(convert(*op, of(a)?, width)),
            Operation::Extract { high, low, value } => Some(of(value)?.extract(*high, *low)),
            Operation::Concat(high, low) => Some(of(high)?.concat(of(low)?)),
            _ => None,
        }
    }
}

/// The width of the types whose bits are tracked.
fn tracked(ty: Type) -> Option<u32> {
    matches!(ty, Type::Bool | Type::Bits(_)).then(|| ty.width()).flatten()
}

fn binary(op: BinaryOp, a: &KnownBits, b: &KnownBits) -> Option<KnownBits> {
    let width = a.width();
    let shifted = |place: fn(&Bits, &Bits) -> Bits, zeros: &dyn Fn(&Bits) -> Bits| {
        let distance = b.to_constant()?;
        Some(a.moved(|bits| place(bits, distance), &zeros(distance)))
    };
    match op {
        BinaryOp::And => Some(a.and(b)),
        BinaryOp::Or => Some(a.or(b)),
        BinaryOp::Xor => Some(a.xor(b)),
        BinaryOp::ShiftLeft => shifted(Bits::shl, &|distance| Bits::ones(width).shl(distance).not()),
        BinaryOp::LogicalShiftRight => shifted(Bits::lshr, &|distance| Bits::ones(width).lshr(distance).not()),
        // The sign bit is shifted in, and with it whether it is known.
        BinaryOp::ArithmeticShiftRight => shifted(Bits::ashr, &|_| Bits::zero(width)),
        BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply => {
            Some(KnownBits::constant(op.fold(a.to_constant()?, b.to_constant()?)))
        }
        BinaryOp::UnsignedDivide | BinaryOp::SignedDivide | BinaryOp::UnsignedRemainder | BinaryOp::SignedRemainder => {
            None
        }
    }
}

fn compare(op: CompareOp, a: &KnownBits, b: &KnownBits) -> Option<bool> {
    let differ = !a.known.and(&b.known).and(&a.value.xor(&b.value)).is_zero();
    match op {
        CompareOp::Equal | CompareOp::NotEqual if differ => return Some(op == CompareOp::NotEqual),
        _ => {}
    }
    Some(op.fold(a.to_constant()?, b.to_constant()?))
}

fn convert(op: ConvertOp, a: &KnownBits, width: u32) -> KnownBits {
    match op {
        ConvertOp::ZeroExtend => {
            let zeros = Bits::ones(a.width()).zero_extend(width).not();
            a.moved(|bits| bits.zero_extend(width), &zeros)
        }
        ConvertOp::SignExtend => a.moved(|bits| bits.sign_extend(width), &Bits::zero(width)),
        ConvertOp::Truncate => a.extract(width - 1, 0),
        ConvertOp::Bitcast => a.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Relation = fn(&Bits, &Bits) -> bool;

    /// All possible knowledge about three bits, each with the numbers that satisfy it.
    fn all() -> Vec<(KnownBits, Vec<Bits>)> {
        let numbers = || (0u8..8).map(|number| Bits::new(3, number));
        let pairs = numbers().flat_map(|known| numbers().map(move |value| (known.clone(), value)));
        let known = pairs.filter(|(known, value)| known.and(value) == *value);
        known
            .map(|(known, value)| {
                let this = KnownBits { known, value };
                let numbers = numbers().filter(|number| this.may_be(number)).collect();
                (this, numbers)
            })
            .collect()
    }

    /// The known bits of a result are exactly those on which all results agree.
    fn exactly(known: &KnownBits, results: impl IntoIterator<Item = Bits>) -> bool {
        let joined = results.into_iter().map(KnownBits::constant).reduce(|a, b| a.join(&b));
        joined.as_ref() == Some(known)
    }

    fn each_pair(check: impl Fn(&KnownBits, &KnownBits, &[(Bits, Bits)])) {
        for (a, of_a) in all() {
            for (b, of_b) in all() {
                let pairs: Vec<_> = of_a.iter().flat_map(|a| of_b.iter().map(|b| (a.clone(), b.clone()))).collect();
                check(&a, &b, &pairs);
            }
        }
    }

    #[test]
    fn bitwise_operations_know_all_that_can_be_known() {
        assert_eq!(all().len(), 27);
        each_pair(|a, b, pairs| {
            let results = |fold: fn(&Bits, &Bits) -> Bits| pairs.iter().map(move |(a, b)| fold(a, b));
            assert!(exactly(&binary(BinaryOp::And, a, b).unwrap(), results(Bits::and)), "{a:?} & {b:?}");
            assert!(exactly(&binary(BinaryOp::Or, a, b).unwrap(), results(Bits::or)), "{a:?} | {b:?}");
            assert!(exactly(&binary(BinaryOp::Xor, a, b).unwrap(), results(Bits::xor)), "{a:?} ^ {b:?}");
            assert!(exactly(&a.concat(b), results(Bits::concat)), "{a:?} ++ {b:?}");
            let both = pairs.iter().flat_map(|(a, b)| [a.clone(), b.clone()]);
            assert!(exactly(&a.join(b), both), "{a:?} or {b:?}");
        });
    }

    #[test]
    fn shifts_by_known_distances_know_all_that_can_be_known() {
        for (op, fold) in [
            (BinaryOp::ShiftLeft, Bits::shl as fn(&Bits, &Bits) -> Bits),
            (BinaryOp::LogicalShiftRight, Bits::lshr),
            (BinaryOp::ArithmeticShiftRight, Bits::ashr),
        ] {
            each_pair(|a, b, pairs| match (binary(op, a, b), b.to_constant()) {
                (Some(known), Some(_)) => {
                    assert!(exactly(&known, pairs.iter().map(|(a, b)| fold(a, b))), "{op:?} {a:?} {b:?}");
                }
                (None, None) => {}
                other => panic!("{op:?} {a:?} {b:?}: {other:?}"),
            });
        }
    }

    #[test]
    fn arithmetic_on_constants_is_computed() {
        for (op, fold) in [
            (BinaryOp::Add, Bits::add as fn(&Bits, &Bits) -> Bits),
            (BinaryOp::Subtract, Bits::sub),
            (BinaryOp::Multiply, Bits::mul),
        ] {
            each_pair(|a, b, pairs| {
                let known = binary(op, a, b);
                assert_eq!(known.is_some(), pairs.len() == 1);
                assert!(known.is_none_or(|known| exactly(&known, pairs.iter().map(|(a, b)| fold(a, b)))));
            });
        }
    }

    #[test]
    fn comparisons_are_decided_where_bits_decide_them() {
        let ops: [(CompareOp, Relation); 6] = [
            (CompareOp::Equal, |a, b| a == b),
            (CompareOp::NotEqual, |a, b| a != b),
            (CompareOp::UnsignedLess, |a, b| a.unsigned() < b.unsigned()),
            (CompareOp::UnsignedLessEqual, |a, b| a.unsigned() <= b.unsigned()),
            (CompareOp::SignedLess, |a, b| a.signed() < b.signed()),
            (CompareOp::SignedLessEqual, |a, b| a.signed() <= b.signed()),
        ];
        for (op, holds) in ops {
            each_pair(|a, b, pairs| {
                let mut all = pairs.iter().map(|(a, b)| holds(a, b));
                let first = all.next().unwrap();
                let same = all.all(|holds| holds == first);
                match compare(op, a, b) {
                    Some(known) => assert!(same && known == first, "{op:?} {a:?} {b:?}"),
                    None => assert!(!same || pairs.len() > 1, "{op:?} {a:?} {b:?}"),
                }
                if matches!(op, CompareOp::Equal | CompareOp::NotEqual) {
                    assert_eq!(compare(op, a, b).is_some(), same, "{op:?} {a:?} {b:?}");
                }
            });
        }
    }

    #[test]
    fn conversions_know_all_that_can_be_known() {
        for (a, numbers) in all() {
            let results = |change: fn(&Bits) -> Bits| numbers.iter().map(change);
            assert!(exactly(&a.not(), results(Bits::not)), "{a:?}");
            assert!(exactly(&convert(ConvertOp::ZeroExtend, &a, 5), results(|bits| bits.zero_extend(5))), "{a:?}");
            assert!(exactly(&convert(ConvertOp::SignExtend, &a, 5), results(|bits| bits.sign_extend(5))), "{a:?}");
            assert!(exactly(&convert(ConvertOp::Truncate, &a, 2), results(|bits| bits.extract(1, 0))), "{a:?}");
            assert!(exactly(&a.extract(2, 1), results(|bits| bits.extract(2, 1))), "{a:?}");
        }
    }
}
