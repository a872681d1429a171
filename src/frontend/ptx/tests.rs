//! Checks the meaning of instructions against the PTX manual.

use lockstep_ir::kernel::{
    AtomicOp, BarrierKind, FloatType, GroupOp, Ordering, Scope, Terminator, ThreadQuery, WarpOp, verify,
};

use super::inline::{Assembly, assembly};
use crate::builder::Lanes;
use crate::builtins::Unsupported;
use crate::builtins::testing::{Bench, mask, sign_extend};
use lockstep_ir::kernel::{ConvertOp, Operation, Space, Type, Value};

const B16: Type = Type::Bits(16);
const B32: Type = Type::Bits(32);
const B64: Type = Type::Bits(64);

fn try_run(
    bench: &mut Bench,
    template: &str,
    constraints: &str,
    arguments: &[Value],
    results: &[Type],
) -> Result<Lanes, Unsupported> {
    let text = Assembly { template: template.into(), constraints: constraints.into() };
    let arguments: Vec<Lanes> = arguments.iter().map(|&argument| vec![argument]).collect();
    assembly(&mut bench.builder(), &text, &arguments, results)
}

fn run(bench: &mut Bench, template: &str, constraints: &str, arguments: &[Value], results: &[Type]) -> Lanes {
    let lanes = try_run(bench, template, constraints, arguments, results);
    let lanes = lanes.unwrap_or_else(|refusal| panic!("{template}: {refusal}"));
    let types: Vec<Type> = lanes.iter().map(|&lane| bench.kernel.ty(lane)).collect();
    assert_eq!(types, results, "{template}");
    let problems = verify(bench.kernel.clone()).err().unwrap_or_default();
    assert!(problems.is_empty(), "{template}: {problems:?}");
    lanes
}

/// Checks an instruction whose operands all have these widths, on numbers that are likely to show a
/// mistake.
fn check(opcode: &str, result: u32, widths: &[u32], expected: impl Fn(&[u128]) -> u128) {
    let mut bench = Bench::cuda();
    let inputs: Vec<Value> = widths.iter().map(|&width| bench.input(Type::Bits(width))).collect();
    let operands: Vec<String> = (1..=widths.len()).map(|index| format!(", ${index}")).collect();
    let letter = |width: u32| match width {
        16 => "h",
        32 => "r",
        _ => "l",
    };
    let letters: Vec<String> = widths.iter().map(|&width| format!(",{}", letter(width))).collect();
    let template = format!("{opcode} $0{};", operands.concat());
    let constraints = format!("={}{}", letter(result), letters.concat());
    let value = run(&mut bench, &template, &constraints, &inputs, &[Type::Bits(result)])[0];
    let interesting: [u128; 9] = [0, 1, 5, 8, 31, 33, 0x8000_0001, 0x7fff_ffff_1234_5678, 0xfedc_ba98_7654_3210];
    let mut indices = vec![0; widths.len()];
    loop {
        let numbers: Vec<u128> =
            indices.iter().zip(widths).map(|(&index, &width)| interesting[index] & mask(width)).collect();
        let wanted = expected(&numbers) & mask(result);
        assert_eq!(bench.evaluate(&numbers, value), wanted, "{opcode} {numbers:x?}");
        let Some(next) = indices.iter().position(|&index| index + 1 < interesting.len()) else { return };
        indices[next] += 1;
        indices[..next].fill(0);
    }
}

fn signed(x: u128, width: u32) -> i128 {
    sign_extend(x, width)
}

#[test]
fn sums_products_and_shifts() {
    check("add.s32", 32, &[32, 32], |x| x[0] + x[1]);
    check("sub.u64", 64, &[64, 64], |x| x[0].wrapping_sub(x[1]));
    check("mul.lo.u32", 32, &[32, 32], |x| x[0] * x[1]);
    check("mul.hi.u32", 32, &[32, 32], |x| (x[0] * x[1]) >> 32);
    check("mul.wide.u32", 64, &[32, 32], |x| x[0] * x[1]);
    check("mul.wide.s16", 32, &[16, 16], |x| (signed(x[0], 16) * signed(x[1], 16)).cast_unsigned());
    check("mad.lo.s32", 32, &[32, 32, 32], |x| x[0] * x[1] + x[2]);
    check("mad.wide.s32", 64, &[32, 32, 64], |x| {
        (signed(x[0], 32) * signed(x[1], 32)).cast_unsigned().wrapping_add(x[2])
    });
    check("mul24.lo.u32", 32, &[32, 32], |x| (x[0] & mask(24)) * (x[1] & mask(24)));
    check("mul24.hi.s32", 32, &[32, 32], |x| {
        ((signed(x[0] & mask(24), 24) * signed(x[1] & mask(24), 24)) >> 16).cast_unsigned()
    });
    check("shl.b16", 16, &[16, 32], |x| if x[1] > 15 { 0 } else { x[0] << x[1] });
    check("shr.u32", 32, &[32, 32], |x| if x[1] > 31 { 0 } else { x[0] >> x[1] });
    check("shr.s64", 64, &[64, 32], |x| (signed(x[0], 64) >> x[1].min(63)).cast_unsigned());
    check("shf.l.wrap.b32", 32, &[32, 32, 32], |x| (((x[1] << 32) | x[0]) << (x[2] & 31)) >> 32);
    check("shf.r.clamp.b32", 32, &[32, 32, 32], |x| ((x[1] << 32) | x[0]) >> x[2].min(32));
    check("sad.s32", 32, &[32, 32, 32], |x| (signed(x[0], 32) - signed(x[1], 32)).unsigned_abs().wrapping_add(x[2]));
    check("min.s32", 32, &[32, 32], |x| signed(x[0], 32).min(signed(x[1], 32)).cast_unsigned());
    check("add.sat.s32", 32, &[32, 32], |x| {
        let sum = signed(x[0], 32) + signed(x[1], 32);
        sum.clamp(i128::from(i32::MIN), i128::from(i32::MAX)).cast_unsigned()
    });
    check("cnot.b32", 32, &[32], |x| u128::from(x[0] == 0));
}

#[test]
fn fields_and_single_bits() {
    check("bfe.u32", 32, &[32, 32, 32], |x| {
        let (position, length) = (x[1] & 255, x[2] & 255);
        let bit = |index: u128| u128::from(index < 32 && (x[0] >> index) & 1 == 1);
        (0..32).filter(|&index| index < length && position + index < 32).map(|i| bit(position + i) << i).sum()
    });
    check("bfe.s64", 64, &[64, 32, 32], |x| {
        let (position, length) = (x[1] & 255, x[2] & 255);
        let sign = if length == 0 { 0 } else { (x[0] >> (position + length - 1).min(63)) & 1 };
        let bit = |i: u128| if i < length && position + i < 64 { (x[0] >> (position + i)) & 1 } else { sign };
        (0..64).map(|i| bit(i) << i).sum()
    });
    check("bfi.b32", 32, &[32, 32, 32, 32], |x| {
        let (position, length) = (x[2] & 255, x[3] & 255);
        let inserted = |i: u128| i >= position && i - position < length;
        let bit = |i: u128| if inserted(i) { (x[0] >> (i - position)) & 1 } else { (x[1] >> i) & 1 };
        (0..32).map(|i| bit(i) << i).sum()
    });
    check("popc.b64", 32, &[64], |x| u128::from(x[0].count_ones()));
    check("clz.b32", 32, &[32], |x| u128::from(x[0].leading_zeros() - 96));
    check("brev.b32", 32, &[32], |x| x[0].reverse_bits() >> 96);
    check("bfind.u32", 32, &[32], |x| if x[0] == 0 { u128::MAX } else { u128::from(x[0].ilog2()) });
    check("bfind.shiftamt.s64", 32, &[64], |x| {
        let magnitude = if x[0] >> 63 == 1 { !x[0] & mask(64) } else { x[0] };
        if magnitude == 0 { u128::MAX } else { 63 - u128::from(magnitude.ilog2()) }
    });
    check("prmt.b32", 32, &[32, 32, 32], |x| {
        let bytes = (x[1] << 32) | x[0];
        let byte = |digit: u128| {
            let byte = (bytes >> (8 * (digit & 7))) & 255;
            if digit & 8 == 0 { byte } else { 255 * (byte >> 7) }
        };
        (0..4).map(|i| byte((x[2] >> (4 * i)) & 15) << (8 * i)).sum()
    });
}

#[test]
fn tables_of_three_bits() {
    for table in [0x00_u128, 0x80, 0x96, 0xC0, 0xE8, 0xCA, 0xFE, 0xA0, 0x1B] {
        let mut bench = Bench::cuda();
        let inputs: Lanes = bench.inputs(B32, 3);
        let text = format!("lop3.b32 $0, $1, $2, $3, {table};");
        let value = run(&mut bench, &text, "=r,r,r,r", &inputs, &[B32])[0];
        let numbers = [0xF0, 0xCC, 0xAA];
        assert_eq!(bench.evaluate(&numbers, value) & 255, table, "{table:x}");
    }
}

#[test]
fn carries_go_from_one_sum_to_the_next() {
    let mut bench = Bench::cuda();
    let inputs = bench.inputs(B32, 4);
    let text = "add.cc.u32 $0, $2, $4; addc.u32 $1, $3, $5;";
    let sum = run(&mut bench, text, "=r,=r,r,r,r,r", &inputs, &[B32, B32]);
    let text = "sub.cc.u32 $0, $2, $4;\n\tsubc.u32 $1, $3, $5;";
    let difference = run(&mut bench, text, "=r,=r,r,r,r,r", &inputs, &[B32, B32]);
    for (a, b) in [(0xffff_ffff_u64, 1), (1 << 40, 7), (3, 5), (u64::MAX, u64::MAX)] {
        let words = [a, a >> 32, b, b >> 32].map(|word| u128::from(word) & mask(32));
        let found = |pair: &Lanes| [0, 1].map(|part| bench.evaluate(&words, pair[part]));
        let expected = |whole: u64| [whole, whole >> 32].map(|word| u128::from(word) & mask(32));
        assert_eq!(found(&sum), expected(a.wrapping_add(b)));
        assert_eq!(found(&difference), expected(a.wrapping_sub(b)));
    }
}

#[test]
fn predicates_choose() {
    let mut bench = Bench::cuda();
    let inputs = bench.inputs(B32, 2);
    let text = "{ .reg .pred p, q; setp.lt.s32 p|q, $1, 10; setp.gt.and.u32 q, $2, 3, q;\n
        selp.b32 $0, 1, 2, p; @!q mov.u32 $0, $0; @q add.u32 $0, $0, 100; }";
    let value = run(&mut bench, text, "=r,r,r", &inputs, &[B32])[0];
    for (a, b, expected) in [(0, 0, 1), (0, 9, 1), (10, 3, 2), (10, 4, 102), (u128::from(u32::MAX), 9, 1)] {
        assert_eq!(bench.evaluate(&[a, b], value), expected, "{a} {b}");
    }
}

#[test]
fn a_result_that_is_an_operand_too() {
    let mut bench = Bench::cuda();
    let inputs = bench.inputs(B32, 2);
    // `+r` comes first, the operand tied to it comes last.
    let arguments = [inputs[1], inputs[0]];
    let value = run(&mut bench, "shl.b32 $0, $0, 4; or.b32 $0, $0, $1;", "=r,r,0", &arguments, &[B32])[0];
    assert_eq!(bench.evaluate(&[0x12, 3], value), 0x123);
}

#[test]
fn moves_pack_and_unpack() {
    let mut bench = Bench::cuda();
    let words = bench.inputs(B32, 2);
    let joined = run(&mut bench, "mov.b64 $0, {$1, $2};", "=l,r,r", &words, &[B64])[0];
    let halves = run(&mut bench, "{ mov.b32 {_, $0}, $1; }", "=h,r", &words[..1], &[B16])[0];
    let inputs = [0x1234_5678, 0x9abc_def0];
    assert_eq!(bench.evaluate(&inputs, joined), 0x9abc_def0_1234_5678);
    assert_eq!(bench.evaluate(&inputs, halves), 0x1234);
}

#[test]
fn conversions_of_integers() {
    let mut bench = Bench::cuda();
    let input = bench.input(B32);
    for (opcode, number, expected) in [
        ("cvt.s64.s32", 0xffff_ffff_u128, u128::from(u64::MAX)),
        ("cvt.u64.u32", 0xffff_ffff, 0xffff_ffff),
        ("cvt.u64.u8", 0x1ff, 0xff),
        ("cvt.s64.s8", 0x80, u128::from(u64::MAX - 127)),
        ("cvt.sat.u64.s32", 0xffff_ffff, 0),
    ] {
        let value = run(&mut bench, &format!("{opcode} $0, $1;"), "=l,r", &[input], &[B64])[0];
        assert_eq!(bench.evaluate(&[number], value), expected, "{opcode}");
    }
    let value = run(&mut bench, "cvt.sat.s8.s32 $0, $1;", "=r,r", &[input], &[B32])[0];
    assert_eq!(bench.evaluate(&[1000], value), 127);
}

#[test]
fn floats_are_the_operations_of_the_kernel() {
    let mut bench = Bench::cuda();
    let float = Type::Float(FloatType::F32);
    let inputs = bench.inputs(float, 2);
    let sum = run(&mut bench, "add.rn.f32 $0, $1, $2;", "=f,f,f", &inputs, &[float])[0];
    let expected = Operation::Float(lockstep_ir::kernel::FloatOp::Add, inputs.clone());
    assert_eq!(*bench.operation(sum), expected);
    let negated = run(&mut bench, "neg.f32 $0, $1;", "=f,f", &inputs[..1], &[float])[0];
    assert_eq!(bench.evaluate(&[0x3f80_0000, 0], negated), 0xbf80_0000);
    let fast = run(&mut bench, "rsqrt.approx.ftz.f32 $0, $1;", "=f,f", &inputs[..1], &[float])[0];
    let Operation::Convert(ConvertOp::Bitcast, bits) = *bench.operation(fast) else { panic!("bits") };
    assert!(matches!(bench.operation(bits), Operation::Uninterpreted(name, _) if name == "ptx.rsqrt.approx.ftz.f32"));
}

#[test]
fn special_registers() {
    let mut bench = Bench::cuda();
    let lane = run(&mut bench, "mov.u32 $0, %laneid;", "=r", &[], &[B32])[0];
    let before = run(&mut bench, "mov.u32 $0, %lanemask_lt;", "=r", &[], &[B32])[0];
    let index = run(&mut bench, "cvt.u64.u32 $0, %tid.y;", "=l", &[], &[B64])[0];
    let answers = |query| match query {
        ThreadQuery::LaneId => 5,
        ThreadQuery::LocalId(1) => 9,
        other => panic!("{other:?}"),
    };
    assert_eq!([lane, before, index].map(|value| bench.evaluate_with(&[], answers, value)), [5, 31, 9]);
    run(&mut bench, "mov.u64 $0, %globaltimer;", "=l", &[], &[B64]);
    let refusal = try_run(&mut bench, "mov.u32 $0, %no_such_register;", "=r", &[], &[B32]).expect_err("unknown");
    assert_eq!(refusal.0, "special register %no_such_register");
}

#[test]
fn loads_and_stores_go_where_the_pointer_leads() {
    let mut bench = Bench::cuda();
    let pointer = bench.pointer(Space::Global);
    let lanes = run(&mut bench, "ld.global.nc.v2.u32 {$0, $1}, [$2+8];", "=r,=r,l", &[pointer], &[B32, B32]);
    assert_eq!(lanes.len(), 2);
    let loads = bench.find(|operation| matches!(operation, Operation::Load(_)));
    let [Operation::Load(access)] = loads.as_slice() else { panic!("{loads:?}") };
    assert_eq!((bench.offset(&[], access.pointer), access.alignment, access.volatile), (8, 8, false));
    run(&mut bench, "st.volatile.global.u8 [$0], $1;", "l,r,~{memory}", &[pointer, lanes[0]], &[]);
    let Operation::Store(access, value) = bench.last().clone() else { panic!("{:?}", bench.last()) };
    assert_eq!((bench.kernel.ty(value), access.volatile), (Type::Bits(8), true));
    // Loaded bytes fill their registers with their sign.
    run(&mut bench, "ld.global.s8 $0, [$1];", "=r,l", &[pointer], &[B32]);
}

#[test]
fn addresses_of_shared_memory_are_numbers() {
    let mut bench = Bench::cuda();
    let (pointer, index) = (bench.pointer(Space::Local), bench.input(B32));
    let mut builder = bench.builder();
    let number = builder.append(Operation::PointerToInteger(pointer), B64);
    let number = builder.convert(ConvertOp::Truncate, number, B32);
    let number = builder.binary(lockstep_ir::kernel::BinaryOp::Add, number, index);
    run(&mut bench, "st.shared.u32 [$0+-4], $1;", "r,r", &[number, index], &[]);
    let Operation::Store(access, _) = bench.last().clone() else { panic!("{:?}", bench.last()) };
    assert_eq!(bench.kernel.ty(access.pointer), Type::Pointer(Space::Local));
    assert_eq!(bench.offset(&[12], access.pointer), 8);
    let refusal = try_run(&mut bench, "st.shared.u32 [$0], $1;", "r,r", &[index, index], &[]).expect_err("a number");
    assert_eq!(refusal.0, "inline PTX st.shared.u32 at an address that is not seen to be a pointer's");
    let refusal = try_run(&mut bench, "st.global.u32 [$0], $1;", "l,r", &[pointer, index], &[]).expect_err("shared");
    assert_eq!(refusal.0, "inline PTX st.global.u32 at an address of another space");
    // The low half of such an address is another address.
    let mut builder = bench.builder();
    let low = builder.convert(ConvertOp::Truncate, number, B16);
    let low = builder.convert(ConvertOp::ZeroExtend, low, B32);
    let refusal = try_run(&mut bench, "st.shared.u32 [$0], $1;", "r,r", &[low, index], &[]).expect_err("a number");
    assert_eq!(refusal.0, "inline PTX st.shared.u32 at an address that is not seen to be a pointer's");
    let text = "{ .reg .u64 a; cvta.to.shared.u64 a, $1; cvt.u32.u64 $0, a; ld.shared.u32 $0, [$0]; }";
    run(&mut bench, text, "=r,l", &[pointer], &[B32]);
}

#[test]
fn atomics_have_orderings_and_scopes() {
    let mut bench = Bench::cuda();
    let (pointer, one) = (bench.pointer(Space::Global), bench.input(B32));
    for (text, constraints, results, expected) in [
        ("red.global.add.u32 [$0], $1;", "l,r", 0, (AtomicOp::Add, Ordering::Relaxed, Scope::Device)),
        ("atom.add.release.sys.u32 $0, [$1], $2;", "=r,l,r", 1, (AtomicOp::Add, Ordering::Release, Scope::System)),
        ("atom.global.cta.min.s32 _, [$0], $1;", "l,r", 0, (AtomicOp::SignedMin, Ordering::Relaxed, Scope::Group)),
        ("st.release.gpu.u32 [$0], $1;", "l,r", 0, (AtomicOp::Store, Ordering::Release, Scope::Device)),
        ("ld.acquire.cta.u32 $0, [$1];", "=r,l,~{memory}", 1, (AtomicOp::Load, Ordering::Acquire, Scope::Group)),
        (
            "atom.cas.acq_rel.gpu.b32 $0, [$1], $2, 7;",
            "=r,l,r",
            1,
            (AtomicOp::CompareExchange, Ordering::AcquireRelease, Scope::Device),
        ),
    ] {
        let given = if constraints.contains("l,r") { vec![pointer, one] } else { vec![pointer] };
        run(&mut bench, text, constraints, &given, &[B32; 1][..results]);
        let atomics = bench.find(|operation| matches!(operation, Operation::Atomic { .. }));
        let Some(Operation::Atomic { op, ordering, scope, .. }) = atomics.last() else { panic!("{text}") };
        assert_eq!((*op, *ordering, *scope), expected, "{text}");
    }
    let (float, pointer) = (bench.input(Type::Float(FloatType::F32)), bench.pointer(Space::Local));
    run(&mut bench, "red.shared.add.f32 [$0], $1;", "l,f", &[pointer, float], &[]);
}

#[test]
fn barriers_and_fences() {
    let mut bench = Bench::cuda();
    let number = bench.input(B32);
    let zero = bench.number(32, 0);
    run(&mut bench, "bar.sync 0;", "~{memory}", &[], &[]);
    run(&mut bench, "barrier.sync.aligned $0;", "n", &[zero], &[]);
    run(&mut bench, "bar.sync 1, $0;", "r", &[number], &[]);
    run(&mut bench, "bar.arrive 2, 64;", "", &[], &[]);
    run(&mut bench, "bar.warp.sync $0;", "r", &[number], &[]);
    let kinds: Vec<BarrierKind> = bench
        .find(|operation| matches!(operation, Operation::Barrier { .. }))
        .into_iter()
        .map(|operation| match operation {
            Operation::Barrier { kind, .. } => kind,
            other => panic!("{other:?}"),
        })
        .collect();
    assert!(
        matches!(
            kinds.as_slice(),
            [
                BarrierKind::Group,
                BarrierKind::Group,
                BarrierKind::Named { count: Some(_), .. },
                BarrierKind::Arrive { .. },
                BarrierKind::Warp { mask: Some(_) },
            ]
        ),
        "{kinds:?}"
    );
    for (text, expected) in [
        ("membar.cta;", (Ordering::SequentiallyConsistent, Scope::Group)),
        ("membar.gl;", (Ordering::SequentiallyConsistent, Scope::Device)),
        ("fence.acq_rel.sys;", (Ordering::AcquireRelease, Scope::System)),
    ] {
        run(&mut bench, text, "~{memory}", &[], &[]);
        let Operation::Fence { ordering, scope, .. } = *bench.last() else { panic!("{text}") };
        assert_eq!((ordering, scope), expected, "{text}");
    }
    let text = "{ .reg .pred p; setp.ne.u32 p, $1, 0; bar.red.popc.u32 $0, 0, !p; }";
    run(&mut bench, text, "=r,r", &[number], &[B32]);
    assert_eq!(
        bench.find(|operation| matches!(operation, Operation::GroupExchange { op: GroupOp::Count, .. })).len(),
        1
    );
}

#[test]
fn warps_exchange() {
    let mut bench = Bench::cuda();
    let [value, mask] = [B32; 2].map(|ty| bench.input(ty));
    let text = "{ .reg .pred p; .reg .u32 t; shfl.sync.up.b32 t|p, $1, 1, 0, $2; @p add.u32 t, t, $1; mov.u32 $0, t; }";
    run(&mut bench, text, "=r,r,r", &[value, mask], &[B32]);
    let text = "{ .reg .pred p; setp.ne.u32 p, $1, 0; vote.sync.ballot.b32 $0, p, $2; }";
    run(&mut bench, text, "=r,r,r", &[value, mask], &[B32]);
    run(&mut bench, "redux.sync.add.u32 $0, $1, $2;", "=r,r,r", &[value, mask], &[B32]);
    run(&mut bench, "match.any.sync.b32 $0, $1, $2;", "=r,r,r", &[value, mask], &[B32]);
    run(&mut bench, "activemask.b32 $0;", "=r", &[], &[B32]);
    // All lanes of a warp take part in its joint computations.
    let product = "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {$0, $1}, {$2}, {$2}, {$3, $3};";
    let doubles = [Type::Float(FloatType::F64); 2].map(|ty| bench.input(ty));
    run(&mut bench, product, "=d,=d,d,d", &doubles, &[Type::Float(FloatType::F64); 2]);
    let rows = bench.pointer(Space::Local);
    let matrices = "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$0, $1, $2, $3}, [$4];";
    run(&mut bench, matrices, "=r,=r,=r,=r,l", &[rows], &[B32; 4]);
    let found: Vec<(WarpOp, Option<u64>)> = bench
        .find(|operation| matches!(operation, Operation::WarpExchange { .. }))
        .into_iter()
        .map(|operation| match operation {
            Operation::WarpExchange { op, mask, .. } => {
                (op, mask.and_then(|mask| bench.kernel.constant(mask)).and_then(lockstep_ir::bits::Bits::to_u64))
            }
            other => panic!("{other:?}"),
        })
        .collect();
    let all = Some(0xffff_ffff);
    let expected = [
        (WarpOp::ShuffleUp, None),
        (WarpOp::Ballot, None),
        (WarpOp::ReduceAdd, None),
        (WarpOp::MatchAny, None),
        (WarpOp::ActiveMask, None),
        (WarpOp::VoteAll, all),
        (WarpOp::VoteAll, all),
    ];
    assert_eq!(found, expected);
}

#[test]
fn guarded_accesses_have_a_block_of_their_own() {
    let mut bench = Bench::cuda();
    let (pointer, flag) = (bench.pointer(Space::Global), bench.input(B32));
    let text = Assembly {
        template: "{ .reg .pred p; setp.ne.b32 p, $2, 0; mov.u32 $0, 5; @p ld.global.u32 $0, [$1]; }".into(),
        constraints: "=r,l,r".into(),
    };
    let mut builder = bench.builder();
    let entry = builder.block;
    let lanes = assembly(&mut builder, &text, &[vec![pointer], vec![flag]], &[B32]).expect("known");
    let after = builder.block;
    let Terminator::Branch { then, otherwise, .. } = &bench.kernel.blocks[entry].terminator else { panic!("a branch") };
    assert_eq!(otherwise.block, after);
    let inside = &bench.kernel.blocks[then.block].instructions;
    let is_load = |operation: &Operation| matches!(operation, Operation::Load(_));
    assert!(inside.iter().any(|&instruction| is_load(&bench.kernel.instructions[instruction].operation)));
    assert_eq!(bench.kernel.blocks[after].parameters, lanes);
    assert!(verify(bench.kernel).is_ok());
}

#[test]
fn unknown_ptx_is_refused_unless_it_has_no_effect() {
    let mut bench = Bench::cuda();
    let (pointer, number) = (bench.pointer(Space::Global), bench.input(B32));
    let mut message = |text: &str, constraints: &str, given: &[Value], results: &[Type]| match try_run(
        &mut bench,
        text,
        constraints,
        given,
        results,
    ) {
        Ok(_) => String::new(),
        Err(refusal) => refusal.0,
    };
    let copy = "cp.async.ca.shared.global [$0], [$1], 12;";
    let both = [pointer, pointer];
    assert_eq!(message(copy, "l,l", &both, &[]), "inline PTX instruction cp.async.ca.shared.global");
    let arrive = "cp.async.mbarrier.arrive.shared.b64 [$0];";
    assert_eq!(message(arrive, "l", &[pointer], &[]), "inline PTX instruction cp.async.mbarrier.arrive.shared.b64");
    let waits = |test: &str, back: &str| format!("{{.reg .pred p; W: {test} p, [$0], 0; {back} D: }}");
    let test = "mbarrier.try_wait.parity.b64";
    assert_eq!(message(&waits(test, "@p bra D; bra W;"), "l,~{memory}", &[pointer], &[]), "");
    assert_eq!(
        message("{.reg .pred p; W: mbarrier.test_wait.parity.b64 p, [$0], 1; @!p bra W; }", "l", &[pointer], &[]),
        ""
    );
    // It waits until the phase is not complete; it also counts; it is no test.
    let refused = "inline PTX with the label W";
    assert_eq!(message(&waits(test, "@!p bra D; bra W;"), "l", &[pointer], &[]), refused);
    assert_eq!(message(&waits(test, "@p bra D; membar.cta; bra W;"), "l", &[pointer], &[]), refused);
    assert_eq!(message(&waits("mbarrier.arrive.b64", "@p bra D; bra W;"), "l", &[pointer], &[]), refused);
    let relaxed = "inline PTX instruction mbarrier.arrive.relaxed.cta.b64";
    assert_eq!(message("mbarrier.arrive.relaxed.cta.b64 _, [$0];", "l", &[pointer], &[]), relaxed);
    assert_eq!(message("griddepcontrol.launch_dependents;", "", &[], &[]), "");
    let refused = "inline PTX instruction griddepcontrol.launch_dependents";
    assert_eq!(message("griddepcontrol.launch_dependents;", "~{memory}", &[], &[]), refused);
    let refused = "inline PTX instruction tcgen05.wait::ld.sync.aligned";
    assert_eq!(message("tcgen05.wait::ld.sync.aligned;", "", &[], &[]), refused);
    assert_eq!(message("frobnicate.u32 $0, $1;", "=r,r", &[number], &[B32]), "inline PTX instruction frobnicate.u32");
    assert_eq!(
        message("wgmma.wait_group.sync.aligned 0;", "", &[], &[]),
        "inline PTX instruction wgmma.wait_group.sync.aligned"
    );
    assert_eq!(message("mov.u32 $0, missing;", "=r", &[], &[B32]), "inline PTX operand missing");
    assert_eq!(message("", "~{memory}", &[], &[]), "");
}
