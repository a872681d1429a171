use proptest::prelude::*;

use super::*;
use crate::bits::Bits;
use crate::cfg;
use crate::kernel::random::{self, Vocabulary};
use crate::kernel::{
    Array, AsyncWait, BinaryOp, CompareOp, Definition, InstructionData, NoWrap, Operation, Type, Value, verify,
};

/// The end of a run.
#[derive(Debug, PartialEq, Eq)]
enum End {
    Return,
    Trap,
    Unreachable,
    OutOfFuel,
}

/// Executes a kernel of [`Vocabulary::Executable`]. Returns its trace and its end.
fn run(kernel: &Kernel, input: u8) -> (Vec<Bits>, End) {
    let mut values: Vec<Option<Bits>> = vec![None; kernel.values.len()];
    let mut trace = Vec::new();
    let mut closed = 0u64;
    let mut block = kernel.entry;
    for _ in 0..2_000 {
        let data = &kernel.blocks[block];
        for &instruction in &data.instructions {
            let data = &kernel.instructions[instruction];
            let get = |value: &Value| values[value.as_u32() as usize].clone().expect("defined before its use");
            let result = match &data.operation {
                Operation::Constant(bits) => bits.clone(),
                Operation::Parameter(0) => Bits::new(8, input),
                Operation::Binary(BinaryOp::Add, NoWrap { .. }, a, b) => get(a).add(&get(b)),
                Operation::Binary(BinaryOp::Multiply, NoWrap { .. }, a, b) => get(a).mul(&get(b)),
                Operation::Binary(BinaryOp::Xor, NoWrap { .. }, a, b) => get(a).xor(&get(b)),
                Operation::Binary(BinaryOp::And, NoWrap { .. }, a, b) => get(a).and(&get(b)),
                Operation::Binary(BinaryOp::Or, NoWrap { .. }, a, b) => get(a).or(&get(b)),
                Operation::Binary(BinaryOp::LogicalShiftRight, NoWrap { .. }, a, b) => get(a).lshr(&get(b)),
                Operation::Binary(BinaryOp::Subtract, NoWrap { .. }, a, b) => get(a).sub(&get(b)),
                Operation::Compare(CompareOp::UnsignedLess, a, b) => Bits::new(1, u8::from(get(a) < get(b))),
                Operation::Compare(CompareOp::UnsignedLessEqual, a, b) => Bits::new(1, u8::from(get(a) <= get(b))),
                Operation::Select(a, b, c) => {
                    if get(a).is_one() {
                        get(b)
                    } else {
                        get(c)
                    }
                }
                Operation::Annotation { operands, .. } => {
                    trace.push(get(&operands[0]));
                    continue;
                }
                Operation::AsyncWait(AsyncWait::Commit) => {
                    closed += 1;
                    continue;
                }
                Operation::AsyncWait(AsyncWait::Batches { closed: number, kept: _ }) => {
                    trace.push(number.as_ref().map_or(Bits::new(kernel.pointer_bits, closed), get));
                    continue;
                }
                Operation::AsyncWait(AsyncWait::AllBut(later)) => {
                    let (closed, later) = (Bits::new(kernel.pointer_bits, closed), get(later));
                    let none = Bits::zero(kernel.pointer_bits);
                    trace.push(if later <= closed { closed.sub(&later) } else { none });
                    continue;
                }
                other => panic!("not executable: {other:?}"),
            };
            values[data.result.expect("has a result").as_u32() as usize] = Some(result);
        }
        let get = |value: &Value| values[value.as_u32() as usize].clone().expect("defined before its use");
        let target = match &data.terminator {
            Terminator::Jump(target) => target,
            Terminator::Branch { condition, then, otherwise } => {
                if get(condition).is_one() {
                    then
                } else {
                    otherwise
                }
            }
            Terminator::Switch { value, cases, default } => {
                let value = get(value);
                cases.iter().find(|(case, _)| *case == value).map_or(default, |(_, target)| target)
            }
            Terminator::Return => return (trace, End::Return),
            Terminator::Trap => return (trace, End::Trap),
            Terminator::Unreachable => return (trace, End::Unreachable),
        };
        let arguments: Vec<Bits> = target.arguments.iter().map(get).collect();
        for (&parameter, argument) in kernel.blocks[target.block].parameters.iter().zip(arguments) {
            values[parameter.as_u32() as usize] = Some(argument);
        }
        block = target.block;
    }
    (trace, End::OutOfFuel)
}

/// Asserts that both kernels compute the same, as far as the fuel reaches: inserted blocks cost
/// some.
fn assert_same(before: &Kernel, after: &Kernel) {
    for input in [0, 1, 77, 200] {
        let (expected, end) = run(before, input);
        let (trace, new_end) = run(after, input);
        if end == End::OutOfFuel || new_end == End::OutOfFuel {
            let common = expected.len().min(trace.len());
            assert_eq!(expected[..common], trace[..common]);
            assert!(end == End::OutOfFuel || expected.len() > 400, "the transformed kernel does not end");
        } else {
            assert_eq!((expected, end), (trace, new_end));
        }
    }
}

fn assert_valid(kernel: &Kernel) {
    if let Err(problems) = verify(kernel.clone()) {
        panic!("{problems:?}");
    }
}

fn assert_closed(kernel: &Kernel) {
    let cfg = cfg::analyse(kernel);
    let blocks = kernel.instruction_blocks();
    for (this, data) in cfg.loops.iter() {
        let inside = |block: Block| cfg.loops.contains(this, block);
        let predecessors = cfg.graph.predecessors(data.header);
        let outside: Vec<Block> = predecessors.iter().copied().filter(|&block| !inside(block)).collect();
        assert_eq!(outside.len(), 1, "one preheader");
        assert!(matches!(kernel.blocks[outside[0]].terminator, Terminator::Jump(_)));
        for &(_, target) in &data.exits {
            assert!(cfg.graph.predecessors(target).iter().all(|&block| inside(block)), "dedicated exits");
        }
        for (block, data) in &kernel.blocks {
            let check = |value: Value| {
                let home = match kernel.values[value].definition {
                    Definition::Result(instruction) => blocks[instruction].unwrap(),
                    Definition::Parameter(block, _) => block,
                };
                assert!(inside(block) || !inside(home), "{value} of {home} is used in {block}");
            };
            for &instruction in &data.instructions {
                kernel.instructions[instruction].operation.for_each_operand(check);
            }
            data.terminator.for_each_operand(check);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn pruning_keeps_meaning_and_rules(seed: u64, size in 1usize..14) {
        let kernel = random::kernel(seed, size, Vocabulary::Executable);
        let pruned = prune(kernel.clone());
        assert_valid(&pruned);
        assert_same(&kernel, &pruned);
        prop_assert_eq!(cfg::graph(&pruned).reverse_postorder().len(), pruned.blocks.len());
    }

    #[test]
    fn deciding_keeps_meaning_and_rules(seed: u64, size in 1usize..14) {
        let kernel = random::kernel(seed, size, Vocabulary::Executable);
        let decided = decide(kernel.clone());
        assert_valid(&decided);
        assert_same(&kernel, &decided);
        assert_valid(&decide(random::kernel(seed, size, Vocabulary::Everything)));
    }

    #[test]
    fn leaving_early_keeps_meaning_and_rules(seed: u64, size in 1usize..14) {
        let kernel = random::kernel(seed, size, Vocabulary::Executable);
        let early = leave_early(kernel.clone());
        assert_valid(&early);
        assert_same(&kernel, &early);
        assert_valid(&leave_early(random::kernel(seed, size, Vocabulary::Everything)));
    }

    #[test]
    fn splitting_makes_reducible_and_keeps_meaning(seed: u64, size in 1usize..12) {
        let kernel = random::kernel(seed, size, Vocabulary::Executable);
        let Ok(reducible) = make_reducible(kernel.clone()) else { return Ok(()) };
        assert_valid(&reducible);
        assert_same(&kernel, &reducible);
        prop_assert!(cfg::analyse(&reducible).order.is_some());
    }

    #[test]
    fn closing_loops_keeps_meaning(seed: u64, size in 1usize..12) {
        let kernel = random::kernel(seed, size, Vocabulary::Executable);
        let Ok(reducible) = make_reducible(kernel.clone()) else { return Ok(()) };
        let closed = close_loops(reducible);
        assert_valid(&closed);
        assert_same(&kernel, &closed);
        prop_assert!(cfg::analyse(&closed).order.is_some());
        assert_closed(&closed);
    }

    #[test]
    fn numbers_of_batches_are_those_of_a_counter(seed: u64, size in 1usize..14) {
        let mut kernel = random::kernel(seed, size, Vocabulary::Executable);
        let is_traced = |data: &&mut InstructionData| matches!(data.operation, Operation::Annotation { .. });
        for (index, data) in kernel.instructions.values_mut().filter(is_traced).enumerate() {
            let wait = AsyncWait::Batches { closed: None, kept: 1 };
            data.operation = Operation::AsyncWait(if index % 3 == 0 { AsyncWait::Commit } else { wait });
        }
        let numbered = number_batches(kernel.clone());
        assert_valid(&numbered);
        assert_same(&kernel, &numbered);
        let closes = |data: &InstructionData| data.operation == Operation::AsyncWait(AsyncWait::Commit);
        prop_assert!(!numbered.instructions.values().any(closes));
    }

    #[test]
    fn every_operation_survives(seed: u64, size in 1usize..12) {
        let kernel = random::kernel(seed, size, Vocabulary::Everything);
        let Ok(reducible) = make_reducible(number_batches(kernel)) else { return Ok(()) };
        assert_valid(&close_loops(reducible));
    }
}

#[test]
fn splitting_that_would_explode_is_refused_by_place() {
    // A complete graph: each of the 12 blocks is an entry of every cycle.
    let mut kernel = Kernel::new("k", crate::kernel::Language::Cuda, 64);
    let blocks: Vec<Block> = (0..12).map(|_| kernel.add_block()).collect();
    let condition = kernel.append(kernel.entry, Operation::Undefined, Type::Bits(8), None);
    for from in [kernel.entry].into_iter().chain(blocks.clone()) {
        let cases =
            (0u32..).zip(&blocks).map(|(case, &block)| (Bits::new(8, case), Target { block, arguments: vec![] }));
        let default = Target { block: blocks[0], arguments: vec![] };
        kernel.blocks[from].terminator = Terminator::Switch { value: condition, cases: cases.collect(), default };
    }
    let Err(error) = make_reducible(kernel) else { panic!("2^12 copies were made") };
    assert_eq!(error.place, "block1 of k");
}

/// A loop whose condition is a bit-field of a number that each iteration recomputes. The other bits
/// of the number are undefined. With `same` the bit-field keeps its value; otherwise it changes.
fn loop_on_a_bit_field(same: bool) -> Kernel {
    let byte = Type::Bits(8);
    let mut kernel = Kernel::new("k", crate::kernel::Language::Cuda, 64);
    let (entry, header, body, end) = (kernel.entry, kernel.add_block(), kernel.add_block(), kernel.add_block());
    let constant = |kernel: &mut Kernel, block, value: u8| {
        kernel.append(block, Operation::Constant(Bits::new(8, value)), byte, None)
    };
    let binary = |kernel: &mut Kernel, block, op, a, b| {
        kernel.append(block, Operation::Binary(op, NoWrap::default(), a, b), byte, None)
    };
    let packed = |kernel: &mut Kernel, block, field| {
        let (rest, mask) = (kernel.append(block, Operation::Undefined, byte, None), constant(kernel, block, 0xF0));
        let rest = binary(kernel, block, BinaryOp::And, rest, mask);
        let field = constant(kernel, block, field);
        binary(kernel, block, BinaryOp::Or, rest, field)
    };
    let first = packed(&mut kernel, entry, 4);
    kernel.blocks[entry].terminator = Terminator::Jump(Target { block: header, arguments: vec![first] });
    let struct_ = kernel.add_parameter(header, byte, None);
    let mask = constant(&mut kernel, header, 0x0F);
    let field = binary(&mut kernel, header, BinaryOp::And, struct_, mask);
    let cases = vec![(Bits::new(8, 4u8), Target { block: body, arguments: vec![] })];
    let default = Target { block: end, arguments: vec![] };
    kernel.blocks[header].terminator = Terminator::Switch { value: field, cases, default };
    let next = packed(&mut kernel, body, if same { 4 } else { 5 });
    kernel.blocks[body].terminator = Terminator::Jump(Target { block: header, arguments: vec![next] });
    kernel.blocks[end].terminator = Terminator::Return;
    kernel
}

#[test]
fn a_bit_field_that_keeps_its_value_in_a_loop_decides_a_branch() {
    let endless = prune(decide(loop_on_a_bit_field(true)));
    assert_valid(&endless);
    assert_eq!(endless.blocks.len(), 3, "the block behind the loop is gone");
    assert!(endless.blocks.values().all(|block| matches!(block.terminator, Terminator::Jump(_))));
}

#[test]
fn a_bit_field_that_changes_in_a_loop_decides_nothing() {
    let kernel = loop_on_a_bit_field(false);
    assert_eq!(format!("{:?}", decide(kernel.clone()).blocks), format!("{:?}", kernel.blocks));
}

/// `while (!done) { i += 1; if (i >= 3) { trace; done = LAST; } }`, and a use of `i` behind it.
fn until_done(last: &str) -> String {
    format!(
        "kernel \"k\" cuda pointers 64
entry block0

block0:
    v0: bv8 = constant 0bv8
    v1: bv8 = constant 1bv8
    v2: bv8 = constant 3bv8
    jump block1(v0, v0)

block1(v3: bv8, v4: bv8):
    v5: bool = unsigned_less v4, v1
    branch v5, block2, block5

block2:
    v6: bv8 = add v3, v1
    v7: bool = unsigned_less_equal v2, v6
    branch v7, block3, block4(v4)

block3:
    annotation \"trace\" (v6)
    jump block4({last})

block4(v8: bv8):
    jump block1(v6, v8)

block5:
    annotation \"trace\" (v3)
    return
"
    )
}

#[test]
fn what_is_done_last_is_no_part_of_a_loop() {
    let members = |last: &str| {
        let kernel = crate::kernel::parse(&until_done(last)).expect("the kernel is well formed");
        let early = leave_early(kernel.clone());
        assert_valid(&early);
        assert_same(&kernel, &early);
        let cfg = cfg::analyse(&early);
        let [(_, data)] = cfg.loops.iter().collect::<Vec<_>>()[..] else { panic!("one loop") };
        let mut inside = data.members.iter().flat_map(|&block| &early.blocks[block].instructions);
        inside.any(|&at| matches!(early.instructions[at].operation, Operation::Annotation { .. }))
    };
    assert!(!members("v1"));
    // The loop goes on behind it.
    assert!(members("v4"));
}

/// A way may be the only one to a block, which still leads to others.
#[test]
fn leaving_early_may_leave_blocks_behind() {
    for vocabulary in [Vocabulary::Executable, Vocabulary::Everything] {
        assert_valid(&leave_early(random::kernel(13_739_526_275_048_749_502, 12, vocabulary)));
    }
}

/// Loops whose flags, counts and tests are any small ones keep their meaning, and many of them are
/// left early.
#[test]
fn leaving_early_keeps_the_meaning_of_small_loops() {
    let mut early_ways = 0;
    for first in ["v0", "v1"] {
        for (passed, last) in
            ["v0", "v1", "v4", "v6"].into_iter().flat_map(|a| ["v0", "v1", "v4", "v6"].map(|b| (a, b)))
        {
            for (counted, test) in [("v6", "v4, v1"), ("v6", "v3, v2"), ("v8", "v4, v2"), ("v3", "v8, v2")] {
                let text = until_done(last)
                    .replace("jump block1(v0, v0)", &format!("jump block1(v0, {first})"))
                    .replace("block4(v4)", &format!("block4({passed})"))
                    .replace("jump block1(v6, v8)", &format!("jump block1({counted}, v8)"))
                    .replace("unsigned_less v4, v1", &format!("unsigned_less {}", test.replace("v8", "v4")));
                let kernel = crate::kernel::parse(&text).expect("the kernel is well formed");
                let early = leave_early(kernel.clone());
                assert_valid(&early);
                assert_same(&kernel, &early);
                early_ways += exits::replace_ways(&mut prune(kernel));
            }
        }
    }
    assert!(early_ways >= 10, "only {early_ways} ways");
}

/// A kernel that copies a word from one array to another.
const COPY: &str = "kernel \"copy\" cuda pointers 64
arr0 = global parameter \"to\"
arr1 = global parameter \"from\"
parameter \"to\" pointer arr0
parameter \"from\" pointer arr1
entry block0

block0:
    v0: pointer(global) = array_base arr1
    v1: bv32 = load v0 align 4
    v2: pointer(global) = array_base arr0
    store v2 align 4, v1
    return
";

#[test]
fn two_arrays_are_made_one() {
    let arrays = || crate::kernel::parse(COPY).unwrap();
    let [to, from] = [0, 1].map(Array::from_u32);
    let bases = |kernel: &Kernel| -> Vec<Array> {
        let base = |data: &InstructionData| match data.operation {
            Operation::ArrayBase(array) => Some(array),
            _ => None,
        };
        kernel.instructions.values().filter_map(base).collect()
    };
    let at_one_place = make_one(arrays(), [to, from], 0);
    assert_valid(&at_one_place);
    assert_eq!(bases(&at_one_place), [to, to]);
    let behind = make_one(arrays(), [to, from], 12);
    assert_valid(&behind);
    assert_eq!(bases(&behind), [to, to]);
    let is_distance = |data: &InstructionData| data.operation == Operation::Constant(Bits::new(64, 12u8));
    let is_sum = |data: &InstructionData| matches!(data.operation, Operation::PointerAdd { .. });
    assert_eq!(behind.instructions.values().filter(|data| is_distance(data)).count(), 1);
    assert_eq!(behind.instructions.values().filter(|data| is_sum(data)).count(), 1);
}
