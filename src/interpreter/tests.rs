use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{
    Access, ArrayData, ArrayOrigin, BinaryOp, CompareOp, ConvertOp, Kernel, Language, Needs, NoWrap, Operation,
    Parameter, ParameterKind, Space, Target, Terminator, Type, UnaryOp, Value, verify,
};
use lockstep_options::deadline::Deadline;

use super::memory::{Fill, Region, scrambled};
use super::{Arithmetic, Grid, How, Input, Schedule, Undefined, Workers, Wrong, compile, run};

/// A launch with one thread.
const ALONE: Grid =
    Grid { local_size: [1; 3], num_groups: [1; 3], global_offset: [0; 3], dimensions: 1, warp_size: 32 };

/// The size in bytes of the largest value in the tests.
const BYTES: u64 = 32;

/// A kernel with number parameters of these widths, and an array that it may write.
///
/// The array is the last parameter.
fn kernel(widths: &[u32]) -> (Kernel, Vec<Value>, Value) {
    let mut kernel = Kernel::new("k", Language::OpenCl, 64);
    let entry = kernel.entry;
    let out = kernel.arrays.push(ArrayData {
        name: "out".into(),
        space: Space::Global,
        origin: ArrayOrigin::Parameter,
        element: None,
        size: None,
        contents: None,
        volatile: false,
        sized_by: None,
        restrict: false,
        nonzero: false,
        location: None,
    });
    let mut values = Vec::new();
    for (index, &width) in (0u32..).zip(widths) {
        let ty = Type::Bits(width);
        kernel.parameters.push(Parameter { name: format!("p{index}"), kind: ParameterKind::Scalar(ty) });
        values.push(kernel.append(entry, Operation::Parameter(index), ty, None));
    }
    kernel.parameters.push(Parameter { name: "out".into(), kind: ParameterKind::Pointer(out) });
    let base = kernel.append(entry, Operation::ArrayBase(out), Type::Pointer(Space::Global), None);
    (kernel, values, base)
}

fn store(kernel: &mut Kernel, pointer: Value, value: Value) {
    let access = Access { pointer, alignment: 1, volatile: false, needs: Needs::Everything };
    let last = kernel.blocks.keys().next_back().expect("there is the entry");
    kernel.append_effect(last, Operation::Store(access, value), None);
}

/// The number of this width that the kernel leaves in its array; there must be no errors.
fn result(kernel: Kernel, values: &[Bits], width: u32) -> Bits {
    let (events, result) = ran(kernel, values, width);
    assert_eq!(events, Vec::new());
    result
}

/// The errors in the kernel, and the number that it leaves in its array.
fn ran(kernel: Kernel, values: &[Bits], width: u32) -> (Vec<Wrong>, Bits) {
    let code = compile(&verify(kernel).expect("a kernel that keeps the rules"));
    let words = |bits: &Bits| {
        let mut words: Vec<u64> = bits.unsigned().iter_u64_digits().collect();
        words.resize(usize::try_from(bits.width().div_ceil(64)).expect("small"), 0);
        words
    };
    let input = Input {
        regions: vec![Region::new(BYTES, Fill::zeros())],
        local_bytes: vec![0],
        private: Vec::new(),
        values: (0..).zip(values.iter().map(words)).collect(),
    };
    let how = How {
        most_steps: 10_000,
        schedule: Schedule::InOrder,
        warps_in_lock_step: false,
        lanes_apart: false,
        returned_arrive: false,
        races: None,
        groups: None,
        workers: Workers::ONE,
        deadline: Deadline::NEVER,
    };
    let ran = run(&code, &ALONE, input, how).expect("no races are looked for");
    assert!(!ran.broken_off);
    let bytes: Vec<u8> = ran.regions[0].contents(BYTES).flatten().collect();
    let what = ran.events.iter().map(|event| event.what).collect();
    (what, Bits::new(width, num_bigint::BigUint::from_bytes_le(&bytes)))
}

const COMPARISONS: [CompareOp; 6] = [
    CompareOp::Equal,
    CompareOp::NotEqual,
    CompareOp::UnsignedLess,
    CompareOp::UnsignedLessEqual,
    CompareOp::SignedLess,
    CompareOp::SignedLessEqual,
];

/// Numbers at the ends of their range, small ones, and some in between.
fn numbers_of(width: u32) -> Vec<Bits> {
    let one = Bits::one(width);
    let least = one.shl(&Bits::new(width, width - 1));
    let mut numbers = vec![Bits::zero(width), one.clone(), Bits::ones(width), least.sub(&one), least];
    numbers.extend((2u64..8).map(|number| Bits::new(width, number)));
    numbers.extend((0u64..4).map(|seed| {
        let half = Bits::new(64, scrambled(seed));
        half.concat(&Bits::new(64, scrambled(seed + 10))).extract(width - 1, 0)
    }));
    numbers
}

/// Checks that a single operation computes its defined result, whatever the width.
fn agrees(make: impl Fn(&[Value]) -> Operation, operands: &[Bits], result_width: u32) {
    let widths: Vec<u32> = operands.iter().map(Bits::width).collect();
    let (mut kernel, values, base) = kernel(&widths);
    let operation = make(&values);
    let is_comparison = matches!(operation, Operation::Compare(..));
    let ty = if is_comparison { Type::Bool } else { Type::Bits(result_width) };
    let expected = operation.fold(operands, result_width).expect("an operation on numbers");
    let entry = kernel.entry;
    let value = kernel.append(entry, operation.clone(), ty, None);
    store(&mut kernel, base, value);
    assert_eq!(result(kernel, operands, result_width), expected, "{operation:?} of {operands:?}");
}

#[test]
fn operations_on_numbers_of_any_width_compute_what_they_mean() {
    for width in [1, 7, 8, 16, 33, 63, 64, 65, 100, 128] {
        let numbers = numbers_of(width);
        for a in &numbers {
            agrees(|x| Operation::Unary(UnaryOp::Not, x[0]), std::slice::from_ref(a), width);
            agrees(|x| Operation::Unary(UnaryOp::Negate, x[0]), std::slice::from_ref(a), width);
            for b in &numbers {
                let both = [a.clone(), b.clone()];
                for &op in BinaryOp::ALL {
                    agrees(|x| Operation::Binary(op, NoWrap::default(), x[0], x[1]), &both, width);
                }
                for op in COMPARISONS {
                    agrees(|x| Operation::Compare(op, x[0], x[1]), &both, 1);
                }
            }
        }
    }
}

/// The errors of a single operation with these marks, in this language, and its result.
fn events_and_result(language: Language, op: BinaryOp, marks: NoWrap, operands: &[Bits; 2]) -> (Vec<Wrong>, Bits) {
    let width = operands[0].width();
    let (mut kernel, values, base) = kernel(&[width; 2]);
    kernel.language = language;
    let entry = kernel.entry;
    let value = kernel.append(entry, Operation::Binary(op, marks, values[0], values[1]), Type::Bits(width), None);
    store(&mut kernel, base, value);
    ran(kernel, operands, width)
}

#[test]
fn arithmetic_that_is_undefined_is_reported_and_the_run_goes_on() {
    let signed = NoWrap { signed: true, ..NoWrap::default() };
    let partial = NoWrap { partial: true, ..NoWrap::default() };
    let c = Language::Cuda;
    for width in [8, 32, 64, 100] {
        let one = Bits::one(width);
        let most = Bits::ones(width).lshr(&one);
        for op in [BinaryOp::Add, BinaryOp::Subtract, BinaryOp::Multiply, BinaryOp::ShiftLeft] {
            let wraps = match op {
                BinaryOp::Subtract => [most.not(), one.clone()],
                BinaryOp::Multiply => [most.clone(), Bits::new(width, 2u8)],
                _ => [most.clone(), one.clone()],
            };
            let (events, result) = events_and_result(c, op, signed, &wraps);
            let is_it =
                |what: &Wrong| matches!(what, Wrong::Undefined(Arithmetic { why: Undefined::SignedOverflow, .. }));
            assert!(matches!(events.as_slice(), [what] if is_it(what)), "{op:?} of {width} bits: {events:?}");
            assert_eq!(result, op.fold(&wraps[0], &wraps[1]));
            assert_eq!(
                events_and_result(c, op, NoWrap::default(), &wraps).0,
                [],
                "{op:?} of {width} bits is not marked"
            );
            let fits = [one.clone(), one.clone()];
            assert_eq!(events_and_result(c, op, signed, &fits).0, [], "{op:?} of ones fits in {width} bits");
        }
        let by_zero = [most.clone(), Bits::zero(width)];
        for op in [BinaryOp::SignedDivide, BinaryOp::UnsignedRemainder] {
            let (events, result) = events_and_result(c, op, partial, &by_zero);
            assert!(matches!(events.as_slice(), [Wrong::Undefined(_)]), "{events:?}");
            assert_eq!(result, op.fold(&by_zero[0], &by_zero[1]));
            let (events, _) = events_and_result(Language::OpenCl, op, partial, &by_zero);
            assert!(matches!(events.as_slice(), [Wrong::AnyValue(_)]), "OpenCL takes any value: {events:?}");
        }
        let too_far = [one.clone(), Bits::new(width, width)];
        assert!(matches!(
            events_and_result(c, BinaryOp::LogicalShiftRight, partial, &too_far).0.as_slice(),
            [Wrong::Undefined(_)]
        ));
    }
}

#[test]
fn changes_of_width_compute_what_they_mean() {
    for (width, other) in [(1, 8), (7, 33), (8, 64), (33, 65), (64, 100), (70, 128)] {
        for a in numbers_of(width) {
            let a = [a];
            agrees(|x| Operation::Convert(ConvertOp::ZeroExtend, x[0]), &a, other);
            agrees(|x| Operation::Convert(ConvertOp::SignExtend, x[0]), &a, other);
        }
        for a in numbers_of(other) {
            let narrow = other.min(width);
            agrees(|x| Operation::Convert(ConvertOp::Truncate, x[0]), std::slice::from_ref(&a), narrow);
            let (high, low) = (other - 1, other - narrow);
            let extract = |x: &[Value]| Operation::Extract { high, low, value: x[0] };
            agrees(extract, std::slice::from_ref(&a), narrow);
            for b in numbers_of(width) {
                agrees(|x| Operation::Concat(x[0], x[1]), &[a.clone(), b], other + width);
            }
        }
    }
}

/// Executes `(a, b) = (b, a)` repeatedly.
///
/// The arguments of a jump are read before any parameter is written.
#[test]
fn a_jump_passes_its_arguments_all_at_once() {
    let byte = Type::Bits(8);
    let (mut kernel, values, base) = kernel(&[8, 8, 8]);
    let entry = kernel.entry;
    let (header, end) = (kernel.add_block(), kernel.add_block());
    let [a, b, left] = [(); 3].map(|()| kernel.add_parameter(header, byte, None));
    let constant =
        |kernel: &mut Kernel, number: u8| kernel.append(entry, Operation::Constant(Bits::new(8, number)), byte, None);
    let (zero, one) = (constant(&mut kernel, 0), constant(&mut kernel, 1));
    kernel.blocks[entry].terminator = Terminator::Jump(Target { block: header, arguments: values });
    let next = kernel.append(header, Operation::Binary(BinaryOp::Subtract, NoWrap::default(), left, one), byte, None);
    let more = kernel.append(header, Operation::Compare(CompareOp::NotEqual, left, zero), Type::Bool, None);
    let again = Target { block: header, arguments: vec![b, a, next] };
    kernel.blocks[header].terminator =
        Terminator::Branch { condition: more, then: again, otherwise: Target { block: end, arguments: vec![] } };
    let both = kernel.append(end, Operation::Concat(a, b), Type::Bits(16), None);
    store(&mut kernel, base, both);
    kernel.blocks[end].terminator = Terminator::Return;
    for (times, expected) in [(0, 0x1122u32), (1, 0x2211), (2, 0x1122), (5, 0x2211)] {
        let given = [0x11, 0x22, times].map(|number: u8| Bits::new(8, number));
        assert_eq!(result(kernel.clone(), &given, 16), Bits::new(16, expected), "{times} times");
    }
}
