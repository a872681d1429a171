//! Compiles a kernel to its register form.
//!
//! Every value has registers of its own. A jump copies its arguments into the parameters of its
//! target block, all at once. So it uses temporary registers where a parameter is itself an
//! argument. Unsupported operations become steps that report this: a run that never reaches them is
//! still valid.

use std::mem;

use cranelift_entity::SecondaryMap;
use lockstep_ir::bits::Bits;
use lockstep_ir::cfg;
use lockstep_ir::kernel::{
    Access, ArrayOrigin, AssertKind, AsyncGroup, AsyncWait, BarrierKind, Block, CompareOp, ConvertOp, FloatOp, Kernel,
    Language, NoWrap, Operation, PhaseOp, Space, SpaceSet, Target, Terminator, Type, UnaryOp, Value, VerifiedKernel,
};
use lockstep_ir::source::Location;

use super::code::{
    ArrayPlace, AsyncCopy, AtomicStep, Call, Code, Copy, Exchange, ImageStep, Marked, NamedBarrier, Part, PhaseStep,
    Position, Register, Step, Switch, Wide,
};
use super::contents::ContentsStep;
use super::images;

/// The register form of a kernel.
pub fn compile(kernel: &VerifiedKernel) -> Code {
    let mut compiler = Compiler::new(kernel);
    let cfg = cfg::analyse(kernel);
    // The steps of a loop are contiguous: a warp in lockstep, which schedules by position, reaches
    // the loop's end before the code behind it.
    let order = cfg.order.as_deref().unwrap_or(cfg.graph.reverse_postorder());
    for &block in order {
        compiler.starts[block] = Some(compiler.here());
        for &instruction in &kernel.blocks[block].instructions {
            let data = &kernel.instructions[instruction];
            compiler.location = data.location;
            compiler.part = Part::Instruction(instruction);
            compiler.operation(&data.operation, data.result);
        }
        compiler.location = kernel.blocks[block].location;
        compiler.part = Part::End(block);
        compiler.terminator(&kernel.blocks[block].terminator);
    }
    compiler.finish()
}

struct Compiler<'a> {
    kernel: &'a Kernel,
    code: Code,
    registers: SecondaryMap<Value, Option<Register>>,
    starts: SecondaryMap<Block, Option<Position>>,
    /// Jumps whose target has no position yet, with the holes to fill once it has one.
    open: Vec<(Hole, Block)>,
    location: Option<Location>,
    part: Part,
    /// Values that come from annotations, or are computed from such values.
    ghosts: SecondaryMap<Value, bool>,
}

/// A jump target that is not yet known.
#[derive(Clone, Copy)]
enum Hole {
    Jump(Position),
    Then(Position),
    Otherwise(Position),
    Case(usize, usize),
    Default(usize),
}

/// The number of registers of a value of this type.
fn words(ty: Type) -> u32 {
    ty.width().map_or(2, |width| width.div_ceil(64))
}

/// The 64-bit words of a constant, the lowest first.
fn words_of(bits: &Bits) -> Vec<u64> {
    let mut words: Vec<u64> = bits.unsigned().iter_u64_digits().collect();
    words.resize(usize::try_from(bits.width().div_ceil(64)).expect("small"), 0);
    words
}

/// The values that come from annotations, or are computed from such values.
///
/// Computation includes the arguments of jumps, and choices by a branch on such a value.
fn ghosts(kernel: &Kernel) -> SecondaryMap<Value, bool> {
    let mut ghosts = SecondaryMap::<Value, bool>::new();
    let mut changed = true;
    while changed {
        changed = false;
        let mut found = |ghosts: &mut SecondaryMap<Value, bool>, value: Value| {
            changed |= !mem::replace(&mut ghosts[value], true);
        };
        for data in kernel.instructions.values() {
            let mut ghost = matches!(data.operation, Operation::Annotation { .. });
            data.operation.for_each_operand(|operand| ghost |= ghosts[operand]);
            if let Some(result) = data.result.filter(|_| ghost) {
                found(&mut ghosts, result);
            }
        }
        for data in kernel.blocks.values() {
            let chosen = match &data.terminator {
                Terminator::Branch { condition, .. } => ghosts[*condition],
                Terminator::Switch { value, .. } => ghosts[*value],
                Terminator::Jump(_) | Terminator::Return | Terminator::Trap | Terminator::Unreachable => false,
            };
            for target in data.terminator.targets() {
                for (&parameter, &argument) in kernel.blocks[target.block].parameters.iter().zip(&target.arguments) {
                    if chosen || ghosts[argument] {
                        found(&mut ghosts, parameter);
                    }
                }
            }
        }
    }
    ghosts
}

/// Whether the language leaves the result undefined for some operands.
fn is_marked(marks: NoWrap) -> bool {
    marks.partial || ((marks.signed || marks.unsigned) && !marks.meant)
}

fn byte(number: u32) -> u8 {
    u8::try_from(number).expect("at most 64 bits")
}

impl<'a> Compiler<'a> {
    fn new(kernel: &'a Kernel) -> Self {
        let mut private_bytes = 0u64;
        let place = |data: &lockstep_ir::kernel::ArrayData| {
            let bytes = data.size.unwrap_or(0);
            let private = private_bytes;
            if data.space == Space::Private {
                // The strictest alignment is 16 bytes.
                private_bytes = private_bytes.saturating_add(bytes.saturating_add(15) / 16 * 16);
            }
            let is_image = matches!(data.origin, ArrayOrigin::Image { .. });
            let of_library = data.origin == ArrayOrigin::Library;
            ArrayPlace { space: data.space, private, bytes, is_image, of_library }
        };
        let arrays = kernel.arrays.values().map(place).collect();
        let code = Code {
            arrays,
            private_bytes,
            pointer_bytes: byte(kernel.pointer_bits / 8),
            orders_by_space: kernel.language == Language::OpenCl,
            // LLVM IR may come from any language, and a run claims no race that one of them orders.
            fences_synchronise: kernel.language.has_fence_order() || kernel.language == Language::Llvm,
            observed_precede: vec![kernel.language != Language::OpenCl; kernel.arrays.len()],
            quotients_are_open: kernel.language == Language::OpenCl,
            ..Code::default()
        };
        let mut this = Self {
            kernel,
            code,
            registers: SecondaryMap::new(),
            starts: SecondaryMap::new(),
            open: Vec::new(),
            location: None,
            part: Part::End(kernel.entry),
            ghosts: ghosts(kernel),
        };
        for value in kernel.values.keys() {
            let register = this.fresh(words(kernel.ty(value)));
            this.registers[value] = Some(register);
        }
        this
    }

    fn finish(mut self) -> Code {
        for (hole, block) in mem::take(&mut self.open) {
            let start = self.starts[block].expect("a reachable block leads to reachable ones");
            match hole {
                Hole::Jump(at) => match self.step_mut(at) {
                    Step::Jump { to } => *to = start,
                    step => unreachable!("{step:?} is no jump"),
                },
                Hole::Then(at) => match self.step_mut(at) {
                    Step::Branch { then, .. } => *then = start,
                    step => unreachable!("{step:?} is no branch"),
                },
                Hole::Otherwise(at) => match self.step_mut(at) {
                    Step::Branch { otherwise, .. } => *otherwise = start,
                    step => unreachable!("{step:?} is no branch"),
                },
                Hole::Case(switch, case) => self.code.switches[switch].cases[case].1 = start,
                Hole::Default(switch) => self.code.switches[switch].default = start,
            }
        }
        self.code
    }

    fn step_mut(&mut self, at: Position) -> &mut Step {
        &mut self.code.steps[usize::try_from(at).expect("positions are 32 bits")]
    }

    fn fresh(&mut self, words: u32) -> Register {
        let register = self.code.registers;
        self.code.registers += words;
        register
    }

    fn here(&self) -> Position {
        Position::try_from(self.code.steps.len()).expect("fewer than 2^32 steps")
    }

    fn push(&mut self, step: Step) -> Position {
        let here = self.here();
        self.code.steps.push(step);
        self.code.places.push(self.location);
        self.code.parts.push(self.part);
        here
    }

    fn refuse(&mut self, what: impl Into<String>) {
        let number = index(self.code.refused.len());
        self.code.refused.push(what.into());
        self.push(Step::Refuse(number));
    }

    fn register(&self, value: Value) -> Register {
        self.registers[value].expect("every value has a register")
    }

    fn copy(&mut self, to: Register, from: Register, words: u32) {
        for word in 0..words {
            self.push(Step::Copy { to: to + word, a: from + word });
        }
    }

    // --- Control flow
    // -------------------------------------------------------------------------------

    fn terminator(&mut self, terminator: &Terminator) {
        match terminator {
            Terminator::Jump(target) => self.jump(target),
            Terminator::Branch { condition, then, otherwise } => {
                let condition = self.register(*condition);
                let branch = self.push(Step::Branch { condition, then: 0, otherwise: 0 });
                self.lead(Hole::Then(branch), then);
                self.lead(Hole::Otherwise(branch), otherwise);
            }
            Terminator::Switch { value, cases, default } => self.switch(*value, cases, default),
            Terminator::Return => {
                self.push(Step::Return);
            }
            Terminator::Trap => {
                self.push(Step::Trap);
            }
            Terminator::Unreachable => {
                self.push(Step::Unreachable);
            }
        }
    }

    fn jump(&mut self, target: &Target) {
        self.pass(target);
        let jump = self.push(Step::Jump { to: 0 });
        self.open.push((Hole::Jump(jump), target.block));
    }

    /// Connects a hole to a target: directly to the block if nothing has to be copied on the way.
    fn lead(&mut self, hole: Hole, target: &Target) {
        if target.arguments.is_empty() {
            self.open.push((hole, target.block));
            return;
        }
        let here = self.here();
        match hole {
            Hole::Then(at) => {
                if let Step::Branch { then, .. } = self.step_mut(at) {
                    *then = here;
                }
            }
            Hole::Otherwise(at) => {
                if let Step::Branch { otherwise, .. } = self.step_mut(at) {
                    *otherwise = here;
                }
            }
            Hole::Case(switch, case) => self.code.switches[switch].cases[case].1 = here,
            Hole::Default(switch) => self.code.switches[switch].default = here,
            Hole::Jump(_) => unreachable!("a jump copies before it jumps"),
        }
        self.jump(target);
    }

    fn switch(&mut self, value: Value, cases: &[(Bits, Target)], default: &Target) {
        let fits = |bits: &Bits| bits.width() <= 64;
        if !cases.iter().all(|(case, _)| fits(case)) {
            return self.refuse("a switch on more than 64 bits");
        }
        let number = self.code.switches.len();
        let values = cases.iter().map(|(case, _)| (case.to_u64().expect("at most 64 bits"), 0)).collect();
        self.code.switches.push(Switch { value: self.register(value), cases: values, default: 0 });
        self.push(Step::Switch(index(number)));
        for (case, (_, target)) in cases.iter().enumerate() {
            self.lead(Hole::Case(number, case), target);
        }
        self.lead(Hole::Default(number), default);
    }

    /// Copies arguments into parameters, all at once.
    fn pass(&mut self, target: &Target) {
        let parameters = &self.kernel.blocks[target.block].parameters;
        let moves: Vec<(Register, Register, u32)> = parameters
            .iter()
            .zip(&target.arguments)
            .map(|(&to, &from)| (self.register(to), self.register(from), words(self.kernel.ty(to))))
            .filter(|(to, from, _)| to != from)
            .collect();
        let clash = moves.iter().any(|(to, ..)| moves.iter().any(|(_, from, _)| to == from));
        if !clash {
            return moves.into_iter().for_each(|(to, from, words)| self.copy(to, from, words));
        }
        let between: Vec<Register> = moves.iter().map(|(.., words)| self.fresh(*words)).collect();
        for (&(_, from, words), &middle) in moves.iter().zip(&between) {
            self.copy(middle, from, words);
        }
        for (&(to, _, words), &middle) in moves.iter().zip(&between) {
            self.copy(to, middle, words);
        }
    }

    // --- Operations
    // ---------------------------------------------------------------------------------

    fn operation(&mut self, operation: &Operation, result: Option<Value>) {
        let ty = result.map(|result| self.kernel.ty(result));
        let to = result.map_or(0, |result| self.register(result));
        match operation {
            Operation::Constant(bits) => {
                let words = words_of(bits);
                self.code.constants.extend((to..).zip(words));
            }
            Operation::Undefined => {
                let words = ty.map_or(0, words);
                self.push(Step::Undefined { to, words });
            }
            Operation::Anything => {
                let words = ty.map_or(0, words);
                let bits = ty.and_then(Type::width).unwrap_or(0);
                self.push(Step::Anything { to, words, bits });
            }
            Operation::Choice(Some(taken)) | Operation::Cached { value: taken, .. } => {
                let from = self.register(*taken);
                self.copy(to, from, ty.map_or(0, words));
            }
            Operation::Choice(None) => {
                self.push(Step::Choice { to });
            }
            Operation::Parameter(parameter) => {
                let words = ty.map_or(0, words);
                self.code.parameters.push((*parameter, to, words));
            }
            Operation::ThreadQuery(query) => {
                let width = byte(ty.and_then(Type::width).expect("queries are numbers"));
                self.push(Step::Query { query: *query, width, to });
            }
            Operation::Contents(fact) => {
                let number = index(self.code.contents.len());
                self.code.contents.push(ContentsStep {
                    kind: fact.kind,
                    array: usize::try_from(fact.array.as_u32()).expect("arrays are in memory"),
                    bytes: usize::try_from(fact.element / 8).expect("small"),
                    signed: fact.signed,
                    bounds: fact.bounds.map(|bounds| bounds.map(|bound| self.register(bound))),
                });
                self.push(Step::Contents { number, to });
            }
            Operation::Unary(..)
            | Operation::Binary(..)
            | Operation::Compare(..)
            | Operation::Convert(..)
            | Operation::Extract { .. }
            | Operation::Concat(..) => self.number(operation, to, ty.expect("it has a result")),
            Operation::Select(condition, a, b) => {
                let condition = self.register(*condition);
                for word in 0..ty.map_or(0, words) {
                    let (a, b) = (self.register(*a) + word, self.register(*b) + word);
                    self.push(Step::Select { to: to + word, condition, a, b });
                }
            }
            Operation::Float(op, operands) => self.float(*op, operands, to, ty.expect("it has a result")),
            Operation::Uninterpreted(name, operands) => {
                let operands = operands.iter().map(|&operand| (self.register(operand), self.kernel.ty(operand)));
                let call =
                    Call { name: name.clone(), operands: operands.collect(), to, ty: ty.expect("it has a result") };
                let number = index(self.code.calls.len());
                self.code.calls.push(call);
                self.push(Step::Call(number));
            }
            Operation::ArrayBase(_)
            | Operation::Null
            | Operation::PointerAdd { .. }
            | Operation::SpaceCast(_)
            | Operation::PointerToInteger(_)
            | Operation::IntegerToPointer(_)
            | Operation::PointerEqual(..)
            | Operation::PointerDifference(..) => self.pointer(operation, to),
            Operation::Load(_)
            | Operation::Store(..)
            | Operation::Atomic { .. }
            | Operation::MemoryCopy { .. }
            | Operation::MemorySet { .. } => self.memory(operation, result),
            Operation::ImageRead { image, coordinates } => self.image(*image, coordinates, result, false),
            Operation::ImageWrite { image, coordinates, value } => {
                self.image(*image, coordinates, Some(*value), true);
            }
            Operation::Fence { ordering, scope, spaces } => {
                self.push(Step::Fence { ordering: *ordering, scope: *scope, spaces: *spaces });
            }
            Operation::Barrier { kind, spaces, flags } => match *kind {
                BarrierKind::Named { .. } | BarrierKind::Arrive { .. }
                    if flags.is_some() || *spaces != SpaceSet::ALL =>
                {
                    self.refuse("a named barrier that does not order all memory");
                }
                BarrierKind::Named { id, count } => self.named(id, count, true),
                BarrierKind::Arrive { id, count } => self.named(id, Some(count), false),
                BarrierKind::Cluster => self.refuse("a barrier of a cluster"),
                BarrierKind::Group | BarrierKind::Grid | BarrierKind::Warp { mask: None } => {
                    let flags = flags.map(|flags| self.register(flags));
                    self.push(Step::Barrier { kind: *kind, mask: 0, spaces: *spaces, flags });
                }
                BarrierKind::Warp { mask: Some(mask) } => {
                    let (mask, flags) = (self.register(mask), flags.map(|flags| self.register(flags)));
                    self.push(Step::Barrier { kind: *kind, mask, spaces: *spaces, flags });
                }
            },
            Operation::WarpExchange { op, mask, operands } => {
                let value = operands.first().and_then(|&value| self.kernel.ty(value).width());
                if value.is_some_and(|width| width > 64) {
                    return self.refuse("an exchange of more than 64 bits");
                }
                let exchange = Exchange {
                    op: *op,
                    mask: mask.map(|mask| self.register(mask)),
                    operands: operands.iter().map(|&operand| self.register(operand)).collect(),
                    width: byte(value.unwrap_or(1)),
                    to: result.map(|result| self.register(result)),
                    result_width: byte(ty.and_then(Type::width).unwrap_or(1)),
                };
                let number = index(self.code.exchanges.len());
                self.code.exchanges.push(exchange);
                self.push(Step::Exchange(number));
            }
            Operation::GroupExchange { op, predicate } => {
                let width = byte(ty.and_then(Type::width).unwrap_or(1));
                let predicate = self.register(*predicate);
                self.push(Step::GroupExchange { op: *op, width, to, predicate });
            }
            Operation::AsyncCopy { group, event: None, .. } if group.is_of_threads() => {
                self.refuse("an asynchronous copy in a batch without a number");
            }
            Operation::AsyncCopy { .. } => self.asynchronous_copy(operation, result),
            Operation::AsyncWait(AsyncWait::Events(events)) => {
                let number = index(self.code.waits.len());
                self.code.waits.push(events.iter().map(|&event| self.register(event)).collect());
                self.push(Step::AsyncWait(number));
            }
            Operation::AsyncWait(AsyncWait::Batches { closed: Some(closed), kept }) => {
                let number = index(self.code.own_waits.len());
                let closed = self.register(*closed);
                self.code.own_waits.push((closed, *kept));
                self.push(Step::OwnWait(number));
            }
            Operation::AsyncWait(
                AsyncWait::Commit | AsyncWait::AllBut(_) | AsyncWait::Batches { closed: None, .. },
            ) => {
                self.refuse("batches of asynchronous copies without numbers");
            }
            Operation::Phase { op: PhaseOp::ArriveOnCopy, .. } => self.refuse("an arrival of copies at a phase object"),
            Operation::Phase { op, object, operands } => {
                let phase = PhaseStep {
                    op: *op,
                    object: self.register(*object),
                    operand: operands.first().map(|&operand| self.register(operand)),
                    to: result.map(|result| self.register(result)),
                };
                let number = index(self.code.phases.len());
                self.code.phases.push(phase);
                self.push(Step::Phase(number));
            }
            Operation::Counted(_) | Operation::Assert(_, AssertKind::Elected | AssertKind::Awaited) => {}
            Operation::Assume(condition, _) | Operation::Assert(condition, _) if self.ghosts[*condition] => {}
            Operation::Assume(condition, _) => {
                let condition = self.register(*condition);
                self.push(Step::Assume { condition });
            }
            Operation::Assert(condition, _) => {
                let condition = self.register(*condition);
                self.push(Step::Assert { condition });
            }
            // The meaning of annotations is left to the proof. A kernel may not act on their
            // results, but assertions may depend on them.
            Operation::Annotation { .. } => {
                let words = ty.map_or(0, words);
                if words > 0 {
                    self.push(Step::Undefined { to, words });
                }
            }
        }
    }

    fn image(&mut self, image: Value, coordinates: &[Value], value: Option<Value>, writes: bool) {
        if coordinates.is_empty() {
            return self.refuse("a read of an image with a sampler");
        }
        let pixel_bytes = match self.kernel.operation(image) {
            Some(Operation::ArrayBase(array)) => images::pixel_bytes(self.kernel, *array),
            _ => None,
        };
        let bits = value.and_then(|value| u16::try_from(self.kernel.ty(value).width()?).ok());
        let (Some(value), Some(bits), Some(_)) = (value, bits, pixel_bytes) else {
            return self.refuse("an image whose pixels are accessed in different sizes, or one of several images");
        };
        let coordinates = coordinates.iter().map(|&coordinate| self.register(coordinate)).collect();
        let step = ImageStep { pointer: self.register(image), coordinates, value: self.register(value), bits, writes };
        let number = index(self.code.images.len());
        self.code.images.push(step);
        self.push(Step::Image(number));
    }

    fn named(&mut self, id: Value, count: Option<Value>, waits: bool) {
        let count = count.map(|count| self.register(count));
        let number = index(self.code.named.len());
        self.code.named.push(NamedBarrier { id: self.register(id), count, waits });
        self.push(Step::Named(number));
    }

    fn asynchronous_copy(&mut self, operation: &Operation, result: Option<Value>) {
        let Operation::AsyncCopy { group, to, from, count, element_bytes, stride, event } = operation else { return };
        let alignment = |access: &Access| u8::try_from(access.alignment).unwrap_or(128);
        let copy = AsyncCopy {
            group: *group,
            to: self.register(to.pointer),
            from: self.register(from.pointer),
            count: self.register(*count),
            element_bytes: *element_bytes,
            stride: stride.map(|(side, stride)| (side, self.register(stride))),
            event: event.map(|event| self.register(event)),
            result: result.map(|result| self.register(result)),
            alignments: (alignment(from), alignment(to)),
        };
        let number = index(self.code.asynchronous.len());
        self.code.asynchronous.push(copy);
        self.push(match group {
            AsyncGroup::Group | AsyncGroup::Shared => Step::AsyncCopy(number),
            AsyncGroup::Thread | AsyncGroup::Elements => Step::OwnCopy(number),
        });
    }

    fn number(&mut self, operation: &Operation, to: Register, ty: Type) {
        use lockstep_ir::kernel::BinaryOp as B;
        let width_of = |value: &Value| self.kernel.ty(*value).width().expect("numbers have a width");
        let width = ty.width().expect("numbers have a width");
        let mut widest = width;
        operation.for_each_operand(|operand| widest = widest.max(width_of(&operand)));
        if widest > 64 {
            return self.wide(operation, to, width);
        }
        let of = |value: &Value| self.register(*value);
        let width = byte(width);
        let step = match operation {
            Operation::Unary(UnaryOp::Not, a) => Step::Not { width, to, a: of(a) },
            Operation::Unary(UnaryOp::Negate, a) => Step::Negate { width, to, a: of(a) },
            Operation::Binary(op, marks, a, b) if is_marked(*marks) => {
                let (a, b) = (of(a), of(b));
                match op {
                    B::Add if !marks.unsigned && width == 32 => Step::AddInt { to, a, b },
                    B::Subtract if !marks.unsigned && width == 32 => Step::SubtractInt { to, a, b },
                    B::Multiply if !marks.unsigned && width == 32 => Step::MultiplyInt { to, a, b },
                    B::Add if !marks.unsigned => Step::AddSigned { width, to, a, b },
                    B::Subtract if !marks.unsigned => Step::SubtractSigned { width, to, a, b },
                    B::Multiply if !marks.unsigned => Step::MultiplySigned { width, to, a, b },
                    _ => {
                        let number = index(self.code.marked.len());
                        self.code.marked.push(Marked { op: *op, marks: *marks, width, to, a, b });
                        Step::Marked(number)
                    }
                }
            }
            Operation::Binary(op, _, a, b) => {
                let (a, b) = (of(a), of(b));
                match op {
                    B::Add => Step::Add { width, to, a, b },
                    B::Subtract => Step::Subtract { width, to, a, b },
                    B::Multiply => Step::Multiply { width, to, a, b },
                    B::UnsignedDivide => Step::UnsignedDivide { width, to, a, b },
                    B::SignedDivide => Step::SignedDivide { width, to, a, b },
                    B::UnsignedRemainder => Step::UnsignedRemainder { width, to, a, b },
                    B::SignedRemainder => Step::SignedRemainder { width, to, a, b },
                    B::ShiftLeft => Step::ShiftLeft { width, to, a, b },
                    B::LogicalShiftRight => Step::LogicalShiftRight { width, to, a, b },
                    B::ArithmeticShiftRight => Step::ArithmeticShiftRight { width, to, a, b },
                    B::And => Step::And { to, a, b },
                    B::Or => Step::Or { to, a, b },
                    B::Xor => Step::Xor { to, a, b },
                }
            }
            Operation::Compare(op, a, b) => {
                let (width, a, b) = (byte(width_of(a)), of(a), of(b));
                match op {
                    CompareOp::Equal => Step::Equal { to, a, b },
                    CompareOp::NotEqual => Step::NotEqual { to, a, b },
                    CompareOp::UnsignedLess => Step::UnsignedLess { to, a, b },
                    CompareOp::UnsignedLessEqual => Step::UnsignedLessEqual { to, a, b },
                    CompareOp::SignedLess => Step::SignedLess { width, to, a, b },
                    CompareOp::SignedLessEqual => Step::SignedLessEqual { width, to, a, b },
                }
            }
            Operation::Convert(ConvertOp::SignExtend, a) => {
                Step::SignExtend { width: byte(width_of(a)), to_width: width, to, a: of(a) }
            }
            Operation::Convert(ConvertOp::ZeroExtend | ConvertOp::Bitcast, a) => Step::Copy { to, a: of(a) },
            Operation::Convert(ConvertOp::Truncate, a) => Step::Truncate { width, to, a: of(a) },
            Operation::Extract { low, value, .. } => Step::Extract { width, low: byte(*low), to, a: of(value) },
            Operation::Concat(high, low) => Step::Concat { low: byte(width_of(low)), to, a: of(high), b: of(low) },
            other => unreachable!("{other:?} is no operation on numbers"),
        };
        self.push(step);
    }

    fn wide(&mut self, operation: &Operation, to: Register, width: u32) {
        let mut operands = Vec::new();
        operation.for_each_operand(|operand| {
            operands.push((self.register(operand), self.kernel.ty(operand).width().expect("numbers have a width")));
        });
        let number = index(self.code.wide.len());
        self.code.wide.push(Wide { operation: operation.clone(), operands, to, width });
        self.push(Step::Wide(number));
    }

    fn float(&mut self, op: FloatOp, operands: &[Value], to: Register, result: Type) {
        let float_of = |ty: Type| match ty {
            Type::Float(ty) => Some(ty),
            Type::Bool | Type::Bits(_) | Type::Pointer(_) => None,
        };
        let operand: Vec<(Register, Type)> =
            operands.iter().map(|&value| (self.register(value), self.kernel.ty(value))).collect();
        let (a, first) = operand[0];
        let integer = |ty: Type| ty.width().filter(|width| *width <= 64).map(byte);
        let step = match (op, float_of(first), float_of(result)) {
            (FloatOp::FusedMultiplyAdd | FloatOp::MultiplyAdd, Some(ty), _) => {
                Step::FusedMultiplyAdd { ty, to, a, b: operand[1].0, c: operand[2].0 }
            }
            (FloatOp::FromFloat, Some(from), Some(ty)) => Step::FloatToFloat { from, ty, to, a },
            (FloatOp::FromSigned | FloatOp::FromUnsigned, None, Some(ty)) => match integer(first) {
                Some(width) => Step::IntegerToFloat { signed: op == FloatOp::FromSigned, width, ty, to, a },
                None => return self.refuse("an integer of more than 64 bits as a float"),
            },
            (FloatOp::ToSigned | FloatOp::ToUnsigned, Some(ty), None) => match integer(result) {
                Some(width) => Step::FloatToInteger { signed: op == FloatOp::ToSigned, width, ty, to, a },
                None => return self.refuse("a float as an integer of more than 64 bits"),
            },
            (_, Some(ty), _) => Step::Float { op, ty, to, a, b: operand.get(1).map_or(a, |(register, _)| *register) },
            _ => return self.refuse(format!("{op:?} of these types")),
        };
        self.push(step);
    }

    fn pointer(&mut self, operation: &Operation, to: Register) {
        let of = |value: &Value| self.register(*value);
        let step = match operation {
            Operation::ArrayBase(array) => {
                let constants = [(to, u64::from(array.as_u32()) + 1), (to + 1, 0)];
                return self.code.constants.extend(constants);
            }
            Operation::Null => return self.code.constants.extend([(to, 0), (to + 1, 0)]),
            Operation::PointerAdd { pointer, offset, .. } => Step::PointerAdd { to, a: of(pointer), b: of(offset) },
            Operation::SpaceCast(a) => return self.copy(to, self.register(*a), 2),
            Operation::PointerToInteger(a) => Step::PointerToInteger { to, a: of(a) },
            Operation::IntegerToPointer(a) => Step::IntegerToPointer { to, a: of(a) },
            Operation::PointerEqual(a, b) => Step::PointerEqual { to, a: of(a), b: of(b) },
            Operation::PointerDifference(a, b) => Step::PointerDifference { to, a: of(a), b: of(b) },
            other => unreachable!("{other:?} is no operation on pointers"),
        };
        self.push(step);
    }

    fn memory(&mut self, operation: &Operation, result: Option<Value>) {
        let alignment = |access: &Access| u8::try_from(access.alignment).unwrap_or(128);
        let of = |value: &Value| self.register(*value);
        let bits = |ty: Type| ty.width().map(|width| u16::try_from(width).expect("no value has 2^16 bits"));
        let is_strong = self.kernel.language.has_relaxed_volatiles();
        let strong = |access: &Access| is_strong && access.volatile;
        match operation {
            Operation::Load(access) => {
                let result = result.expect("a load has a result");
                let (to, pointer, alignment, strong) =
                    (of(&result), of(&access.pointer), alignment(access), strong(access));
                self.push(match bits(self.kernel.ty(result)) {
                    Some(bits) => Step::Load { bits, to, pointer, alignment, strong, needs: access.needs },
                    None => Step::LoadPointer { to, pointer, alignment, strong },
                });
            }
            Operation::Store(access, value) => {
                let (value, ty) = (of(value), self.kernel.ty(*value));
                let (pointer, alignment, strong) = (of(&access.pointer), alignment(access), strong(access));
                self.push(match bits(ty) {
                    Some(bits) => Step::Store { bits, value, pointer, alignment, strong },
                    None => Step::StorePointer { value, pointer, alignment, strong },
                });
            }
            Operation::Atomic { access, op, operands, ordering, failing, scope } => {
                let ty = operands.first().copied().or(result).map(|value| self.kernel.ty(value));
                let Some((ty, bits)) = ty.and_then(|ty| Some((ty, ty.width().filter(|bits| *bits <= 64)?))) else {
                    return self.refuse("an atomic operation on a pointer, or on more than 64 bits");
                };
                let atomic = AtomicStep {
                    op: *op,
                    bits: byte(bits),
                    ty,
                    pointer: of(&access.pointer),
                    operands: operands.iter().map(of).collect(),
                    to: result.map(|result| of(&result)),
                    ordering: *ordering,
                    failing: failing.unwrap_or(*ordering),
                    scope: *scope,
                };
                let number = index(self.code.atomics.len());
                self.code.atomics.push(atomic);
                self.push(Step::Atomic(number));
            }
            Operation::MemoryCopy { to, from, bytes } => {
                let copy = Copy { to: of(&to.pointer), from: of(&from.pointer), bytes: of(bytes) };
                let number = index(self.code.copies.len());
                self.code.copies.push(copy);
                self.push(Step::MemoryCopy(number));
            }
            Operation::MemorySet { to, value, bytes } => {
                let (pointer, value, bytes) = (of(&to.pointer), of(value), of(bytes));
                self.push(Step::MemorySet { pointer, value, bytes });
            }
            other => unreachable!("{other:?} is no access"),
        }
    }
}

fn index(number: usize) -> u32 {
    u32::try_from(number).expect("fewer than 2^32")
}
