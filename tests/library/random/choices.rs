//! Turns unknown values into inputs: bits of a further parameter give the results of functions
//! without a body.

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{
    Access, Array, ArrayData, ArrayOrigin, BinaryOp, Block, ConvertOp, Kernel, Needs, NoWrap, Operation, Parameter,
    ParameterKind, Space, ThreadQuery, Type, Value, VerifiedKernel, verify,
};

use super::program::Program;

const WORD: Type = Type::Bits(64);

/// The kernel with one more parameter, whose bits are the results of functions without a body.
///
/// Each thread has [`Program::calls`] of the bits, of which its first call takes the lowest one.
pub fn with_choices(program: &Program, kernel: &VerifiedKernel) -> VerifiedKernel {
    if program.calls == 0 {
        return kernel.clone();
    }
    let mut kernel: Kernel = (**kernel).clone();
    let parameter = u32::try_from(kernel.parameters.len()).expect("few parameters");
    kernel.parameters.push(Parameter { name: "choices".to_owned(), kind: ParameterKind::Scalar(WORD) });
    let made = kernel.arrays.push(ArrayData {
        name: "made".to_owned(),
        space: Space::Private,
        origin: ArrayOrigin::Stack,
        element: None,
        size: Some(8),
        contents: None,
        volatile: false,
        sized_by: None,
        restrict: false,
        nonzero: false,
        location: None,
    });
    for block in kernel.blocks.keys().collect::<Vec<_>>() {
        let old = std::mem::take(&mut kernel.blocks[block].instructions);
        let mut chooses = Chooses { kernel: &mut kernel, block, made };
        if block == chooses.kernel.entry {
            let none = chooses.number(0);
            let access = chooses.made();
            chooses.kernel.append_effect(block, Operation::Store(access, none), None);
        }
        for instruction in old {
            if chooses.kernel.instructions[instruction].operation == Operation::Anything {
                let bit = chooses.next_bit(program, parameter);
                let result = chooses.kernel.instructions[instruction].result;
                let is_word = result.is_some_and(|result| chooses.kernel.ty(result) == WORD);
                chooses.kernel.instructions[instruction].operation = if is_word {
                    Operation::Binary(BinaryOp::Or, NoWrap::default(), bit, bit)
                } else {
                    Operation::Convert(ConvertOp::Truncate, bit)
                };
            }
            chooses.kernel.blocks[block].instructions.push(instruction);
        }
    }
    verify(kernel).unwrap_or_else(|problems| panic!("not a kernel: {problems:?}"))
}

/// Where instructions are appended.
struct Chooses<'a> {
    kernel: &'a mut Kernel,
    block: Block,
    /// The number of calls that the thread has made.
    made: Array,
}

impl Chooses<'_> {
    fn append(&mut self, operation: Operation) -> Value {
        self.kernel.append(self.block, operation, WORD, None)
    }

    fn number(&mut self, number: u64) -> Value {
        self.append(Operation::Constant(Bits::new(64, number)))
    }

    fn binary(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        self.append(Operation::Binary(op, NoWrap::default(), a, b))
    }

    fn query(&mut self, query: ThreadQuery) -> Value {
        let query = Operation::ThreadQuery(query);
        self.append(query)
    }

    fn made(&mut self) -> Access {
        let base = Operation::ArrayBase(self.made);
        let pointer = self.kernel.append(self.block, base, Type::Pointer(Space::Private), None);
        Access { pointer, alignment: 8, volatile: false, needs: Needs::Everything }
    }

    /// The thread's next bit of the parameter.
    fn next_bit(&mut self, program: &Program, parameter: u32) -> Value {
        let access = self.made();
        let made = self.append(Operation::Load(access.clone()));
        let one = self.number(1);
        let after = self.binary(BinaryOp::Add, made, one);
        self.kernel.append_effect(self.block, Operation::Store(access, after), None);
        let row = self.number((program.local_size[0] * program.num_groups[0]).into());
        let (x, y) = (self.query(ThreadQuery::GlobalId(0)), self.query(ThreadQuery::GlobalId(1)));
        let start = self.binary(BinaryOp::Multiply, y, row);
        let thread = self.binary(BinaryOp::Add, start, x);
        let calls = self.number(program.calls.into());
        let first = self.binary(BinaryOp::Multiply, thread, calls);
        let at = self.binary(BinaryOp::Add, first, made);
        let choices = self.append(Operation::Parameter(parameter));
        let shifted = self.binary(BinaryOp::LogicalShiftRight, choices, at);
        self.binary(BinaryOp::And, shifted, one)
    }
}
