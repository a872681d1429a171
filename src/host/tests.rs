//! Tests of whole runs, on programs that are written step by step.

use lockstep_ir::host::{
    Call, Callee, Comparison, Conversion, Function, HostProgram, IntegerOperation, Slot, Step, Variable, address,
};
use lockstep_options::deadline::Deadline;

use super::*;

/// A device that keeps the launches, and adds one to the first byte of the first argument.
#[derive(Default)]
struct Recorder(Vec<Launch>);

impl Device for Recorder {
    fn launch(&mut self, launch: &Launch, memory: &mut Memory) -> Result<(), Stopped> {
        self.0.push(launch.clone());
        let word = |address: u64, memory: &Memory| {
            memory.read(address, 8).map(|bytes| u64::from_le_bytes(bytes.try_into().expect("8 bytes")))
        };
        let LaunchArguments::Pointers(arguments) = launch.arguments else { panic!("they are pointers") };
        let pointer = word(word(arguments, memory)?, memory)?;
        let (object, offset) = memory.object_at(pointer).expect("an object");
        let mut bytes = memory.bytes_of_device(object).expect("it is of the device").to_vec();
        bytes[usize::try_from(offset).expect("small")] += 1;
        memory.replace_device(object, bytes, true);
        Ok(())
    }
}

const LIMITS: Limits = Limits { steps: 1_000_000, deadline: Deadline::NEVER, bytes: memory::MOST_BYTES };

fn ended(program: &HostProgram, limits: Limits) -> (Ended, Vec<Launch>) {
    let mut device = Recorder::default();
    let ended = run(program, &["first".into(), "second".into()], &mut device, limits);
    (ended, device.0)
}

/// The cause of the end of a program.
fn cause(program: &HostProgram) -> Cause {
    ended(program, LIMITS).0.cause
}

/// The reason why a program stops.
fn stopped(program: &HostProgram) -> (StopKind, String) {
    match cause(program) {
        Cause::Stopped(Stopped { kind, reason }) => (kind, reason),
        other => panic!("it does not stop: {other:?}"),
    }
}

/// A function whose constants follow its parameters, with more slots behind them.
fn function(name: &str, parameters: u32, constants: &[u64], more: u32, steps: Vec<Step>) -> Function {
    let slots = parameters + u32::try_from(constants.len()).expect("few") + more;
    Function { name: name.into(), parameters, constants: constants.into(), slots, steps, stub_of: None }
}

/// A program with a `main` without parameters, and with functions of other files behind it.
fn program(constants: &[u64], more: u32, steps: Vec<Step>, others: &[&str]) -> HostProgram {
    let others = others.iter().map(|name| Function { name: (*name).into(), ..Function::default() });
    let functions = std::iter::once(function("main", 0, constants, more, steps)).chain(others).collect();
    HostProgram { functions, ..HostProgram::default() }
}

fn call(callee: u32, arguments: &[Slot], result: Slot) -> Step {
    let call = Call { callee: Callee::Known(callee), arguments: arguments.into(), result, results: 1, place: Some(7) };
    Step::Call(Box::new(call))
}

fn returns(slot: Slot) -> Step {
    Step::Return([slot].into())
}

fn integer(operation: IntegerOperation, to: Slot, a: Slot, b: Slot) -> Step {
    Step::Integer { operation, width: 32, to, a, b }
}

/// The sum of the numbers below a constant.
fn sum(bound: u64) -> HostProgram {
    let less = Comparison::Less { or_equal: false, is_signed: true };
    let steps = vec![
        Step::Compare { comparison: less, width: 32, to: 4, a: 2, b: 0 },
        Step::Branch { condition: 4, then: 2, otherwise: 5 },
        integer(IntegerOperation::Add, 3, 3, 2),
        integer(IntegerOperation::Add, 2, 2, 1),
        Step::Jump(0),
        returns(3),
    ];
    program(&[bound, 1], 3, steps, &[])
}

#[test]
fn loops_are_executed() {
    let (ended, _) = ended(&sum(1000), LIMITS);
    assert_eq!(ended.cause, Cause::Returned(499_500));
    assert_eq!(ended.steps, 5 * 1000 + 3);
}

#[test]
fn steps_and_time_are_limited() {
    for (limits, expected) in [
        (Limits { steps: 5000, ..LIMITS }, "the program takes more than 5000 steps"),
        (Limits { deadline: Deadline::at(std::time::Instant::now()), ..LIMITS }, "the time is up"),
    ] {
        let (ended, _) = ended(&sum(1000), limits);
        assert_eq!(ended.cause, Cause::Stopped(Stopped::limit(expected)));
        assert!(ended.steps <= 5000 && ended.function.is_none_or(|function| function == 0));
    }
    let exact = Limits { steps: 5003, ..LIMITS };
    assert_eq!(ended(&sum(1000), exact).0.cause, Cause::Returned(499_500));
    let forever = program(&[], 0, vec![Step::Jump(0)], &[]);
    assert_eq!(stopped(&forever).0, StopKind::Limit);
}

/// The Fibonacci number of a constant, by two calls for each.
fn fibonacci(number: u64) -> HostProgram {
    let less = Comparison::Less { or_equal: false, is_signed: true };
    let steps = vec![
        Step::Compare { comparison: less, width: 32, to: 3, a: 0, b: 2 },
        Step::Branch { condition: 3, then: 2, otherwise: 3 },
        returns(0),
        integer(IntegerOperation::Sub, 4, 0, 1),
        call(1, &[4], 5),
        integer(IntegerOperation::Sub, 4, 0, 2),
        call(1, &[4], 6),
        integer(IntegerOperation::Add, 5, 5, 6),
        returns(5),
    ];
    let main = function("main", 0, &[number], 1, vec![call(1, &[0], 1), returns(1)]);
    let functions = vec![main, function("fibonacci", 1, &[1, 2], 4, steps)];
    HostProgram { functions, ..HostProgram::default() }
}

#[test]
fn calls_have_frames_of_their_own() {
    assert_eq!(cause(&fibonacci(20)), Cause::Returned(6765));
}

#[test]
fn the_depth_of_calls_is_limited() {
    let endless = vec![call(0, &[], 0), returns(0)];
    let (kind, reason) = stopped(&program(&[], 1, endless, &[]));
    assert_eq!((kind, reason.as_str()), (StopKind::Limit, "the program calls functions in 100000 others"));
}

#[test]
fn functions_are_called_by_their_addresses() {
    let mut found = fibonacci(10);
    let pointer = address(found.function_object(1), 0);
    let by_pointer = |pointer: u64, found: &mut HostProgram| {
        let call = Call { callee: Callee::Pointer(1), arguments: [0].into(), result: 2, results: 1, place: None };
        found.functions[0] = function("main", 0, &[10, pointer], 1, vec![Step::Call(Box::new(call)), returns(2)]);
    };
    by_pointer(pointer, &mut found);
    assert_eq!(cause(&found), Cause::Returned(55));
    for wrong in [0, pointer + 8, address(1000, 0), u64::MAX, address(2, 0) + (1 << 40)] {
        by_pointer(wrong, &mut found);
        let (kind, reason) = stopped(&found);
        assert_eq!(kind, StopKind::Fault, "{wrong:#x}");
        assert!(reason.contains("where none begins"), "{reason}");
    }
}

/// A program that stores at and loads from an offset of a variable of 8 bytes.
fn accesses(offset: u64) -> HostProgram {
    let steps = vec![
        Step::Store { value: 1, address: 0, offset: 0, bytes: 4 },
        Step::Load { to: 2, address: 0, offset: 0, bytes: 4 },
        returns(2),
    ];
    let mut found = program(&[address(1, offset), 0xFFFF_FFFF_0000_002A], 1, steps, &[]);
    found.variables = vec![Variable { name: "x".into(), bytes: 8, ..Variable::default() }];
    found
}

#[test]
fn accesses_within_an_object_succeed_and_others_do_not() {
    assert_eq!(cause(&accesses(4)), Cause::Returned(42));
    for (offset, expected) in [
        (5, "the host writes 4 bytes at offset 5 of the variable `x` of 8 bytes"),
        (1 << 39, "the host writes 4 bytes at offset 549755813888 of the variable `x` of 8 bytes"),
        (u64::MAX, "the host writes 4 bytes, 1 before the start of the variable `x` of 8 bytes"),
        (1 << 40, "the host writes 4 bytes of a function"),
        (1 << 50, "the host writes 4 bytes at address 0x4010000000000, where nothing is"),
    ] {
        assert_eq!(stopped(&accesses(offset)), (StopKind::Fault, expected.to_owned()));
    }
    let mut null = accesses(0);
    null.functions[0].constants[0] = 16;
    assert_eq!(stopped(&null).1, "the host writes 4 bytes at address 0x10, where nothing is");
}

#[test]
fn numbers_have_up_to_eight_bytes_in_memory() {
    for bytes in 1..=8 {
        let steps = vec![
            Step::Store { value: 1, address: 0, offset: 8 - u64::from(bytes), bytes },
            Step::Load { to: 2, address: 0, offset: 8 - u64::from(bytes), bytes },
            Step::Compare { comparison: Comparison::Equal, width: 64, to: 3, a: 2, b: 4 },
            returns(3),
        ];
        let value = 0x8877_6655_4433_2211;
        let kept = value & u64::MAX >> (64 - 8 * u32::from(bytes));
        let mut found = program(&[], 5, steps, &[]);
        found.functions[0].parameters = 5;
        let main = HostProgram { main: 1, ..found };
        let caller =
            function("main", 0, &[address(1, 0), value, 0, 0, kept], 1, vec![call(0, &[0, 1, 2, 3, 4], 5), returns(5)]);
        let mut both = main;
        both.functions.push(caller);
        both.variables = vec![Variable { name: "x".into(), bytes: 8, ..Variable::default() }];
        assert_eq!(cause(&both), Cause::Returned(1), "{bytes}");
    }
}

#[test]
fn variables_have_their_contents() {
    let steps = vec![Step::Load { to: 1, address: 0, offset: 2, bytes: 2 }, returns(1)];
    let mut found = program(&[address(1, 0)], 1, steps, &[]);
    let x = Variable { name: "x".into(), bytes: 4, contents: vec![1, 2, 3], is_elsewhere: false };
    found.variables = vec![x.clone()];
    assert_eq!(cause(&found), Cause::Returned(3));
    found.variables = vec![Variable { is_elsewhere: true, ..x }];
    let (kind, reason) = stopped(&found);
    assert_eq!(kind, StopKind::NotKnown);
    assert!(reason.starts_with("the host reads 2 bytes of the variable `x` of 4 bytes, which is one of"), "{reason}");
}

#[test]
fn divisions_without_a_result_are_faults() {
    for (operation, a, b, expected) in [
        (IntegerOperation::UDiv, 1, 0, "the program divides by zero"),
        (IntegerOperation::SRem, 1, 0, "the program divides by zero"),
        (IntegerOperation::SDiv, 1 << 31, 0xFFFF_FFFF, "a quotient does not fit its type"),
    ] {
        let found = program(&[a, b], 1, vec![integer(operation, 2, 0, 1), returns(2)], &[]);
        assert_eq!(stopped(&found), (StopKind::Fault, expected.to_owned()));
    }
}

#[test]
fn freed_memory_is_not_accessed() {
    let steps =
        vec![call(1, &[0], 1), call(2, &[1], 2), Step::Load { to: 2, address: 1, offset: 0, bytes: 1 }, returns(2)];
    let found = program(&[8], 2, steps, &["malloc", "free"]);
    assert_eq!(stopped(&found).1, "the host reads 1 byte of memory that it has freed");
    let twice = vec![call(1, &[0], 1), call(2, &[1], 2), call(2, &[1], 2), returns(2)];
    let found = program(&[8], 2, twice, &["malloc", "free"]);
    assert_eq!(stopped(&found), (StopKind::Fault, "the program frees memory that it has freed".to_owned()));
    let (ended, _) = ended(&found, LIMITS);
    assert_eq!((ended.place, ended.function), (Some(7), Some(0)));
}

#[test]
fn local_variables_end_with_their_function() {
    let local = function("local", 0, &[1], 1, vec![Step::Reserve { to: 1, bytes: 8, count: 0 }, returns(1)]);
    let steps = vec![call(1, &[], 0), Step::Load { to: 0, address: 0, offset: 0, bytes: 4 }, returns(0)];
    let main = function("main", 0, &[], 1, steps);
    let found = HostProgram { functions: vec![main, local], ..HostProgram::default() };
    assert_eq!(stopped(&found), (StopKind::Fault, "the host reads 4 bytes of memory that it has freed".to_owned()));
}

#[test]
fn memory_is_limited() {
    let reserve = |bytes: u64, count: u64| {
        program(&[count], 1, vec![Step::Reserve { to: 1, bytes, count: 0 }, Step::Jump(0)], &[])
    };
    for (bytes, count) in [(1 << 20, 1), (u64::MAX, 1), (1 << 40, 1 << 40), (1, 1 << 31)] {
        assert_eq!(stopped(&reserve(bytes, count)).0, StopKind::Limit, "{bytes} {count}");
    }
    let huge = HostProgram {
        variables: vec![Variable { name: "x".into(), bytes: u64::MAX, ..Variable::default() }],
        ..sum(1)
    };
    assert_eq!(stopped(&huge).0, StopKind::Limit);
}

#[test]
fn copies_and_fills_are_checked() {
    let run_of = |bytes: u64, to: u64, from: u64| {
        let steps = vec![
            Step::Copy { to: 0, from: 1, bytes: 2 },
            Step::Load { to: 4, address: 0, offset: 0, bytes: 2 },
            returns(4),
        ];
        let mut found = program(&[to, from, bytes, 0], 1, steps, &[]);
        found.variables = vec![
            Variable { name: "x".into(), bytes: 4, contents: vec![1, 2, 3, 4], is_elsewhere: false },
            Variable { name: "y".into(), bytes: 4, contents: vec![5, 6], is_elsewhere: false },
        ];
        cause(&found)
    };
    assert_eq!(run_of(4, address(1, 0), address(2, 0)), Cause::Returned(0x605));
    assert_eq!(run_of(3, address(1, 1), address(1, 0)), Cause::Returned(0x201));
    assert_eq!(run_of(0, address(1, 0), 0), Cause::Returned(0x201));
    let fault = |reason: &str| Cause::Stopped(Stopped::fault(reason));
    assert_eq!(
        run_of(5, address(1, 0), address(2, 0)),
        fault("the host reads 5 bytes at offset 0 of the variable `y` of 4 bytes")
    );
    assert_eq!(
        run_of(u64::MAX, address(1, 0), address(1, 0)),
        fault("the host reads 18446744073709551615 bytes at offset 0 of the variable `x` of 4 bytes")
    );
    let steps = vec![Step::Fill { to: 0, value: 1, bytes: 2 }, returns(1)];
    let found = HostProgram {
        variables: vec![Variable { name: "x".into(), bytes: 4, ..Variable::default() }],
        ..program(&[address(1, 0), 1, 5], 0, steps, &[])
    };
    assert_eq!(stopped(&found).1, "the host writes 5 bytes at offset 0 of the variable `x` of 4 bytes");
}

#[test]
fn switches_and_selections_choose() {
    let steps = vec![
        Step::Switch { value: 0, cases: [(4, 1), (5, 2)].into(), otherwise: 3 },
        returns(1),
        Step::Jump(4),
        returns(2),
        Step::Select { to: 3, condition: 0, a: 1, b: 2 },
        returns(3),
    ];
    let choose = |value: u64| cause(&program(&[value, 10, 20], 1, steps.clone(), &[]));
    assert_eq!([4, 5, 6].map(choose), [10, 10, 20].map(Cause::Returned));
}

#[test]
fn main_gets_its_options() {
    // The second letter of the third word, plus the number of words.
    let steps = vec![
        Step::Load { to: 2, address: 1, offset: 16, bytes: 8 },
        Step::Load { to: 2, address: 2, offset: 1, bytes: 1 },
        Step::Convert { conversion: Conversion::Truncate(8), to: 2, a: 2 },
        integer(IntegerOperation::Add, 2, 2, 0),
        returns(2),
    ];
    let functions = vec![function("main", 2, &[], 1, steps)];
    let found = HostProgram { functions, ..HostProgram::default() };
    assert_eq!(cause(&found), Cause::Returned(i32::from(b'e') + 3));
}

#[test]
fn functions_before_main_run_first() {
    let before = function(
        "before",
        0,
        &[address(1, 0), 9],
        0,
        vec![Step::Store { value: 1, address: 0, offset: 0, bytes: 4 }, Step::Return([].into())],
    );
    let steps = vec![Step::Load { to: 1, address: 0, offset: 0, bytes: 4 }, returns(1)];
    let found = HostProgram {
        functions: vec![function("main", 0, &[address(1, 0)], 1, steps), before],
        variables: vec![Variable { name: "x".into(), bytes: 4, ..Variable::default() }],
        before_main: vec![1],
        ..HostProgram::default()
    };
    assert_eq!(cause(&found), Cause::Returned(9));
}

#[test]
fn functions_that_are_not_known_end_the_run_by_name() {
    for name in
        ["qsort", "opendir", "scanf", "_Z4minev", "cudaGraphLaunch", "clSVMAlloc", "clCreateImage", "__cxa_begin_catch"]
    {
        let found = program(&[1], 1, vec![call(1, &[0], 1), returns(1)], &[name]);
        assert_eq!(stopped(&found), (StopKind::NotKnown, format!("calls `{name}`, which is not known")));
    }
    let found = program(&[], 0, vec![Step::Stop("inline assembly".into())], &[]);
    assert_eq!(stopped(&found), (StopKind::NotKnown, "inline assembly".to_owned()));
}

#[test]
fn programs_end_themselves() {
    let with = |name: &str| cause(&program(&[3, 0], 1, vec![call(1, &[0, 1], 2), returns(2)], &[name]));
    assert_eq!(with("exit"), Cause::Exit(3));
    assert_eq!(with("abort"), Cause::Stopped(Stopped::fault("the program aborts")));
    assert_eq!(with("__cxa_throw"), Cause::Stopped(Stopped::thrown()));
    assert_eq!(with("_ZSt20__throw_length_errorPKc"), Cause::Stopped(Stopped::thrown()));
    assert_eq!(with("_ZSt9terminatev"), Cause::Stopped(Stopped::fault("the program terminates")));
}

/// A program that allocates memory of the device, launches a kernel, and copies the result back.
fn launches(num_groups: u64, direction: u64) -> HostProgram {
    let others = [
        "_Z10cudaMallocIhE9cudaErrorPPT_m",
        "__cudaPushCallConfiguration",
        "__cudaPopCallConfiguration",
        "cudaLaunchKernel",
        "cudaMemcpy",
        "cudaPeekAtLastError",
    ];
    let (p, arguments, out) = (address(1, 0), address(2, 0), address(3, 0));
    // The slots up to here are constants.
    let constants = [p, arguments, out, 4, num_groups | 2 << 32, 1, 32 | 1 << 32, 100, 0, direction, 0, address(4, 0)];
    let (p, arguments, out, bytes, grid, one, block, shared, null, direction, kernel, sizes) =
        (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    let (result, pointer, at) = (12, 13, 14);
    let steps = vec![
        call(1, &[p, bytes], result),
        Step::Store { value: p, address: arguments, offset: 0, bytes: 8 },
        call(2, &[grid, one, block, one, shared, null], result),
        Step::Address { to: at, base: sizes, index: one, scale: 16 },
        Step::Address { to: 15, base: sizes, index: one, scale: 32 },
        Step::Address { to: 16, base: sizes, index: one, scale: 40 },
        call(3, &[sizes, at, 15, 16], result),
        call(4, &[kernel, grid, one, block, one, arguments, shared, null], result),
        Step::Load { to: pointer, address: p, offset: 0, bytes: 8 },
        call(5, &[out, pointer, bytes, direction], result),
        call(6, &[], result),
        Step::Load { to: at, address: out, offset: 0, bytes: 1 },
        integer(IntegerOperation::Add, result, result, at),
        returns(result),
    ];
    let mut found = program(&constants, 5, steps, &others);
    let stub = Function { stub_of: Some("_Z6kernelPh".into()), ..Function::default() };
    found.functions.push(Function { name: "_Z21__device_stub__kernelPh".into(), ..stub });
    let variable = |name: &str, bytes: u64| Variable { name: name.into(), bytes, ..Variable::default() };
    found.variables = vec![variable("p", 8), variable("arguments", 8), variable("out", 4), variable("sizes", 48)];
    let kernel = found.function_object(found.functions.len() - 1);
    found.functions[0].constants[10] = address(kernel, 0);
    found
}

#[test]
fn kernels_are_launched() {
    let (ended, launches) = ended(&launches(3, 2), LIMITS);
    assert_eq!(ended.cause, Cause::Returned(1));
    let expected = Launch {
        symbol: "_Z6kernelPh".into(),
        place: Some(7),
        dimensions: None,
        num_groups: [3, 2, 1],
        local_size: [32, 1, 1],
        global_offset: [0; 3],
        shared_bytes: 100,
        arguments: LaunchArguments::Pointers(address(2, 0)),
    };
    assert_eq!(launches, [expected]);
}

#[test]
fn launches_with_impossible_sizes_fail_as_on_a_device() {
    let (ended, launches) = ended(&launches(0, 2), LIMITS);
    assert_eq!((ended.cause, launches), (Cause::Returned(9), Vec::new()));
}

#[test]
fn copies_in_a_wrong_direction_are_faults() {
    let expected = "a copy to the device is given the address of memory of the host";
    assert_eq!(stopped(&launches(1, 1)), (StopKind::Fault, expected.to_owned()));
}

#[test]
fn the_host_does_not_access_memory_of_the_device() {
    let mut found = launches(1, 2);
    found.functions[0].steps[9] = Step::Load { to: 14, address: 13, offset: 0, bytes: 4 };
    let expected = "the host accesses memory of the device at offset 0 of an allocation of 4 bytes on the device";
    assert_eq!(stopped(&found), (StopKind::Fault, expected.to_owned()));
}

#[test]
fn programs_that_contradict_themselves_are_refused() {
    let with = |step: Step| stopped(&program(&[1], 1, vec![step], &[])).0;
    for step in [
        Step::Move { to: 2, from: 0 },
        Step::Integer { operation: IntegerOperation::Add, width: 0, to: 0, a: 0, b: 0 },
        Step::Integer { operation: IntegerOperation::Add, width: 65, to: 0, a: 0, b: 0 },
        Step::Overflow { operation: IntegerOperation::Add, is_signed: true, width: 8, to: 1, a: 0, b: 0 },
        Step::Load { to: 0, address: 0, offset: 0, bytes: 9 },
        Step::Convert { conversion: Conversion::SwapBytes(0), to: 0, a: 0 },
        Step::Jump(1),
        call(1, &[], 0),
        call(0, &[5], 0),
        call(0, &[], 2),
        returns(9),
        Step::Move { to: 0, from: 0 },
    ] {
        assert_eq!(with(step.clone()), StopKind::NotKnown, "{step:?}");
    }
    let nothing = HostProgram::default();
    assert_eq!(stopped(&nothing).0, StopKind::NotKnown);
    let constants = Function { constants: vec![1; 3], ..function("main", 0, &[], 1, vec![returns(0)]) };
    let found = HostProgram { functions: vec![constants], ..HostProgram::default() };
    assert_eq!(stopped(&found).0, StopKind::NotKnown);
}

#[test]
fn arguments_that_are_missing_are_no_panic() {
    for name in ROUTINES {
        for results in [0, 1, 3] {
            let call = Call { callee: Callee::Known(1), arguments: [].into(), result: 0, results, place: None };
            let found = program(&[], 3, vec![Step::Call(Box::new(call)), returns(0)], &[name]);
            cause(&found);
        }
        for argument in [u64::MAX, 1, 1 << 40, 0x8000_0000_0000_0000] {
            let found = program(&[argument], 1, vec![call(1, &[0; 9], 1), returns(1)], &[name]);
            cause(&found);
        }
    }
}

/// Arbitrary numbers, the same ones in each run.
struct Arbitrary(u64);

impl Arbitrary {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    /// A number that may be an address, a size or neither.
    fn word(&mut self) -> u64 {
        match self.below(8) {
            0 => self.below(20),
            1 => u64::MAX - self.below(3),
            2 => 1 << self.below(64),
            3 => address(self.below(9), (1 << 40) - 1 - self.below(3)),
            _ => address(self.below(9), self.below(70)),
        }
    }
}

#[test]
fn arbitrary_arguments_are_no_panic() {
    let mut arbitrary = Arbitrary(1);
    for round in 0..40 {
        for name in ROUTINES {
            let constants: Vec<u64> = (0..8).map(|_| arbitrary.word()).collect();
            let slots: Vec<Slot> = (0..8).collect();
            let mut found = program(&constants, 1, vec![call(1, &slots, 8), call(1, &slots, 8), returns(8)], &[name]);
            let contents = |arbitrary: &mut Arbitrary| (0..8).flat_map(|_| arbitrary.word().to_le_bytes()).collect();
            found.variables = (0..4)
                .map(|number| Variable {
                    name: format!("v{number}"),
                    bytes: 64,
                    contents: contents(&mut arbitrary),
                    is_elsewhere: number == round % 5,
                })
                .collect();
            cause(&found);
        }
    }
}

/// A step with arbitrary parts, most of them possible.
fn arbitrary_step(arbitrary: &mut Arbitrary, steps: u64) -> Step {
    use IntegerOperation as Op;
    const OPERATIONS: [Op; 9] = [Op::Add, Op::Sub, Op::Mul, Op::SDiv, Op::URem, Op::Shl, Op::AShr, Op::SMin, Op::SRem];
    let small = |number: u64| u8::try_from(number).expect("small");
    let mut slot = || Slot::try_from(arbitrary.below(12)).expect("small");
    let [to, a, b, c] = [slot(), slot(), slot(), slot()];
    let width = small(arbitrary.below(64) + 1);
    let bytes = small(arbitrary.below(8) + 1);
    let mut target = || u32::try_from(arbitrary.below(steps)).expect("small");
    let (then, otherwise) = (target(), target());
    let operation = OPERATIONS[usize::try_from(arbitrary.below(9)).expect("small")];
    match arbitrary.below(16) {
        0..=2 => Step::Integer { operation, width, to, a, b },
        3 => Step::Overflow { operation: Op::Mul, is_signed: width > 9, width, to, a, b },
        4 => Step::Convert { conversion: Conversion::FloatToSigned(width > 9, width), to, a },
        5 => Step::Convert { conversion: Conversion::SwapBytes(width), to, a },
        6 => Step::Address { to, base: a, index: b, scale: arbitrary.below(9) },
        7 => Step::Load { to, address: a, offset: arbitrary.below(70), bytes },
        8 => Step::Store { value: a, address: b, offset: arbitrary.below(70), bytes },
        9 => Step::Reserve { to, bytes: arbitrary.below(70), count: a },
        10 => Step::Copy { to, from: a, bytes: b },
        11 => Step::Fill { to, value: a, bytes: b },
        12 => Step::Branch { condition: a, then, otherwise },
        13 => call(u32::try_from(arbitrary.below(3)).expect("small"), &[a, b, c], to),
        14 => returns(a),
        _ => Step::Move { to, from: a },
    }
}

#[test]
fn arbitrary_programs_are_no_panic() {
    let mut arbitrary = Arbitrary(2);
    let mut returned = 0;
    for _ in 0..3000 {
        let functions = (0..2).map(|_| {
            let constants: Vec<u64> = (0..6).map(|_| arbitrary.word()).collect();
            let steps = (0..20).map(|_| arbitrary_step(&mut arbitrary, 20)).collect();
            function("f", 3, &constants, 4, steps)
        });
        let malloc = Function { name: "malloc".into(), ..Function::default() };
        let functions = functions.collect::<Vec<_>>().into_iter().chain([malloc]).collect();
        let variable = Variable { name: "v".into(), bytes: 64, ..Variable::default() };
        let found = HostProgram { functions, variables: vec![variable; 4], ..HostProgram::default() };
        let (ended, _) = ended(&found, Limits { steps: 10_000, ..LIMITS });
        returned += u32::from(matches!(ended.cause, Cause::Returned(_)));
    }
    assert!(returned > 100, "only {returned} returned");
}

/// Names of routines of all kinds.
const ROUTINES: [&str; 58] = [
    "malloc",
    "calloc",
    "realloc",
    "free",
    "posix_memalign",
    "_Znwm",
    "_ZdlPvmSt11align_val_t",
    "memcpy",
    "memset",
    "memcmp",
    "memchr",
    "strlen",
    "strcmp",
    "strncpy",
    "strcat",
    "strdup",
    "strstr",
    "strtok",
    "toupper",
    "isalpha",
    "atoi",
    "strtol",
    "strtod",
    "ldexp",
    "frexp",
    "modf",
    "lround",
    "abs",
    "ffs",
    "sincos",
    "rand_r",
    "erand48",
    "time",
    "gettimeofday",
    "printf",
    "snprintf",
    "fwrite",
    "__assert_fail",
    "_ZNSolsEi",
    "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base",
    "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_",
    "_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm",
    "_ZSt11_Hash_bytesPKvmm",
    "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_appendEPKcm",
    "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm",
    "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE4findEPKcmm",
    "cudaMalloc",
    "cudaMallocPitch",
    "cudaMalloc3D",
    "cudaMemcpy",
    "cudaMemcpy2D",
    "cudaMemcpy3D",
    "cudaMemset2D",
    "cudaMemcpyToSymbol",
    "cudaGetDeviceProperties",
    "cudaLaunchKernel",
    "cudaLaunchKernelExC",
    "__cudaPopCallConfiguration",
];
