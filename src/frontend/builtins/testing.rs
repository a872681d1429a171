//! A kernel to call built-in functions in, and an evaluator of what they append.

use std::collections::HashMap;

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{
    ArrayData, ArrayOrigin, ConvertOp, Kernel, Language, Operation, Parameter, ParameterKind, Space, ThreadQuery, Type,
    UnaryOp, Value,
};

use super::Unsupported;
use super::call::Answer;
use crate::builder::{Builder, Lanes};
use crate::{cuda, opencl};

/// Appends the meaning of a call of a language's built-in function.
type Expand = fn(&mut Builder<'_>, &str, &[Lanes], &[Type]) -> Answer;

/// A kernel under construction.
pub struct Bench {
    pub kernel: Kernel,
    expand: Expand,
}

impl Bench {
    pub fn opencl() -> Self {
        Self { kernel: Kernel::new("test", Language::OpenCl, 64), expand: opencl::call }
    }

    pub fn cuda() -> Self {
        Self { kernel: Kernel::new("test", Language::Cuda, 64), expand: cuda::call }
    }

    pub fn builder(&mut self) -> Builder<'_> {
        let block = self.kernel.entry;
        Builder { kernel: &mut self.kernel, block, location: None }
    }

    /// A scalar parameter.
    pub fn input(&mut self, ty: Type) -> Value {
        let index = u32::try_from(self.kernel.parameters.len()).expect("few parameters");
        self.kernel.parameters.push(Parameter { name: format!("p{index}"), kind: ParameterKind::Scalar(ty) });
        self.builder().append(Operation::Parameter(index), ty)
    }

    /// Scalar parameters of one type.
    pub fn inputs(&mut self, ty: Type, count: usize) -> Lanes {
        (0..count).map(|_| self.input(ty)).collect()
    }

    pub fn number(&mut self, width: u32, value: u64) -> Value {
        self.builder().number(width, value)
    }

    /// A pointer to a new array.
    pub fn pointer(&mut self, space: Space) -> Value {
        self.array(space, ArrayOrigin::Variable)
    }

    /// An image.
    pub fn image(&mut self, dimensions: u8) -> Value {
        self.array(Space::Global, ArrayOrigin::Image { dimensions })
    }

    fn array(&mut self, space: Space, origin: ArrayOrigin) -> Value {
        let array = self.kernel.arrays.push(ArrayData {
            name: "A".into(),
            space,
            origin,
            element: None,
            size: None,
            contents: None,
            volatile: false,
            sized_by: None,
            restrict: false,
            nonzero: false,
            location: None,
        });
        self.builder().append(Operation::ArrayBase(array), Type::Pointer(space))
    }

    pub fn try_call(&mut self, name: &str, arguments: &[Lanes], result: &[Type]) -> Result<Option<Lanes>, Unsupported> {
        (self.expand)(&mut self.builder(), name, arguments, result)
    }

    pub fn call(&mut self, name: &str, arguments: &[Lanes], result: &[Type]) -> Lanes {
        let answer = self.try_call(name, arguments, result);
        let lanes = answer.unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
        let lanes = lanes.unwrap_or_else(|| panic!("{name} is not known"));
        let types: Vec<Type> = lanes.iter().map(|&lane| self.kernel.ty(lane)).collect();
        assert_eq!(types, result, "{name}");
        lanes
    }

    /// The last operation.
    pub fn last(&self) -> &Operation {
        let instruction = self.kernel.blocks[self.kernel.entry].instructions.last().expect("an instruction");
        &self.kernel.instructions[*instruction].operation
    }

    /// The operations that satisfy a predicate.
    pub fn find(&self, wanted: impl Fn(&Operation) -> bool) -> Vec<Operation> {
        let operations = self.kernel.instructions.values().map(|data| &data.operation);
        operations.filter(|operation| wanted(operation)).cloned().collect()
    }

    pub fn operation(&self, value: Value) -> &Operation {
        self.kernel.operation(value).expect("the result of an instruction")
    }

    /// The distance of a pointer from the start of its array, for these values of the parameters.
    pub fn offset(&self, inputs: &[u128], pointer: Value) -> u128 {
        match *self.operation(pointer) {
            Operation::PointerAdd { pointer, offset, .. } => {
                let sum = self.offset(inputs, pointer) + self.evaluate(inputs, offset);
                sum & u128::from(u64::MAX)
            }
            _ => 0,
        }
    }

    /// A value, for these values of the parameters. No launch is known.
    pub fn evaluate(&self, inputs: &[u128], value: Value) -> u128 {
        self.evaluate_with(inputs, |query| panic!("{query:?}"), value)
    }

    /// A value, for these values of the parameters and these answers of the launch.
    pub fn evaluate_with(&self, inputs: &[u128], queries: impl Fn(ThreadQuery) -> u128, value: Value) -> u128 {
        let mut known = HashMap::new();
        let bits = Evaluation { kernel: &self.kernel, inputs, queries }.value(value, &mut known);
        bits.unsigned().try_into().expect("at most 128 bits")
    }
}

struct Evaluation<'kernel, Queries> {
    kernel: &'kernel Kernel,
    inputs: &'kernel [u128],
    queries: Queries,
}

impl<Queries: Fn(ThreadQuery) -> u128> Evaluation<'_, Queries> {
    fn value(&self, value: Value, known: &mut HashMap<Value, Bits>) -> Bits {
        if let Some(result) = known.get(&value) {
            return result.clone();
        }
        let result = self.operation(value, known);
        assert_eq!(result.width(), self.width(value), "{:?}", self.kernel.operation(value));
        known.insert(value, result.clone());
        result
    }

    fn width(&self, value: Value) -> u32 {
        self.kernel.ty(value).width().expect("not a pointer")
    }

    fn operation(&self, value: Value, known: &mut HashMap<Value, Bits>) -> Bits {
        let width = self.width(value);
        match self.kernel.operation(value).expect("the result of an instruction") {
            Operation::Constant(bits) => bits.clone(),
            Operation::Parameter(index) => Bits::new(width, self.inputs[usize::try_from(*index).expect("small")]),
            Operation::ThreadQuery(query) => Bits::new(width, (self.queries)(*query)),
            Operation::Unary(UnaryOp::Not, a) => self.value(*a, known).not(),
            Operation::Unary(UnaryOp::Negate, a) => self.value(*a, known).neg(),
            Operation::Binary(op, _, a, b) => op.fold(&self.value(*a, known), &self.value(*b, known)),
            Operation::Compare(op, a, b) => {
                let holds = op.fold(&self.value(*a, known), &self.value(*b, known));
                Bits::new(1, u32::from(holds))
            }
            Operation::Select(a, b, c) => {
                let chosen = if self.value(*a, known).is_one() { b } else { c };
                self.value(*chosen, known)
            }
            Operation::Convert(ConvertOp::SignExtend, a) => self.value(*a, known).sign_extend(width),
            Operation::Convert(ConvertOp::ZeroExtend, a) => self.value(*a, known).zero_extend(width),
            Operation::Convert(ConvertOp::Truncate, a) => self.value(*a, known).extract(width - 1, 0),
            Operation::Convert(ConvertOp::Bitcast, a) => self.value(*a, known),
            Operation::Extract { high, low, value } => self.value(*value, known).extract(*high, *low),
            Operation::Concat(high, low) => self.value(*high, known).concat(&self.value(*low, known)),
            other => panic!("not evaluated: {other:?}"),
        }
    }
}

/// A mask with this many ones.
pub fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

/// A value of this width in two's complement.
pub fn sign_extend(value: u128, width: u32) -> i128 {
    (value << (128 - width)).cast_signed() >> (128 - width)
}
