//! Makes kernel IR of a program, without a compiler between them.

use lockstep::frontend::builder::Builder;
use lockstep_ir::kernel::{
    self, Access, ArrayData, ArrayOrigin, AsyncGroup, AsyncWait, AtomicOp, BarrierKind, BinaryOp, Block, CompareOp,
    ConvertOp, ElementLayout, GroupOp, Kernel, Language, Needs, NoWrap, Operation, Ordering, Parameter, ParameterKind,
    Scope, Space, SpaceSet, StridedSide, Target, Terminator, ThreadQuery, Type, WarpOp,
};
use lockstep_ir::source::LocationData;

use super::program::{
    Arithmetic, AtomicOperation, BOUND_MASK, Condition, Form, Library, Means, Operator, PARAMETER_MASK, Place, Program,
    Relation, Signal, Statement, Value,
};
use super::source::{Dialect, initial};
use super::vocabulary::Vocabulary;

const WORD: Type = Type::Bits(32);
const OFFSET: Type = Type::Bits(64);

/// The kernel of this name.
pub fn kernel(program: &Program, name: &str) -> Kernel {
    let language = match Dialect::of(program) {
        Dialect::Cuda => Language::Cuda,
        Dialect::OpenCl => Language::OpenCl,
    };
    let mut kernel = Kernel::new(name, language, 64);
    let file = kernel.files.push(format!("{name}.cl"));
    for array in 0..program.arrays.len() {
        let data = array_data(program, array);
        let is_local = program.arrays[array].is_local;
        let array = kernel.arrays.push(data);
        if !is_local {
            let name = kernel.arrays[array].name.clone();
            kernel.parameters.push(Parameter { name, kind: ParameterKind::Pointer(array) });
        }
    }
    let parameter = u32::try_from(kernel.parameters.len()).expect("few parameters");
    kernel.parameters.push(Parameter { name: "n".to_owned(), kind: ParameterKind::Scalar(WORD) });
    if program.width.is_some() {
        kernel.parameters.push(Parameter { name: "w".to_owned(), kind: ParameterKind::Scalar(WORD) });
    }
    let own = kernel.arrays.next_key();
    if program.has(Vocabulary::Calls) {
        kernel.arrays.push(own_variable());
    }
    let entry = kernel.entry;
    let builder = Builder { kernel: &mut kernel, block: entry, location: None };
    let mut build = Build {
        program,
        builder,
        file,
        line: 1,
        parameter,
        own,
        variables: Vec::new(),
        counters: Vec::new(),
        loops: Vec::new(),
    };
    build.counters.resize(program.loops, None);
    for variable in 0..program.variables {
        build.next_line();
        let value = build.value(&initial(variable));
        build.variables.push(value);
    }
    for _ in 0..program.events {
        let none = build.builder.number(64, 0);
        build.variables.push(none);
    }
    build.statements(&program.body);
    kernel
}

/// A thread's own variable, to which it passes a pointer.
fn own_variable() -> ArrayData {
    ArrayData {
        name: "own".to_owned(),
        space: Space::Private,
        origin: ArrayOrigin::Stack,
        element: Some(ElementLayout { name: "uint".to_owned(), bytes: 4, dimensions: Vec::new() }),
        size: Some(4),
        contents: None,
        volatile: false,
        sized_by: None,
        restrict: false,
        nonzero: false,
        location: None,
    }
}

fn array_data(program: &Program, array: usize) -> ArrayData {
    let data = program.arrays[array];
    ArrayData {
        name: program.name(array).to_string(),
        space: if data.is_local { Space::Local } else { Space::Global },
        origin: if data.is_local { ArrayOrigin::Variable } else { ArrayOrigin::Parameter },
        element: Some(ElementLayout { name: "uint".to_owned(), bytes: 4, dimensions: Vec::new() }),
        size: data.is_local.then(|| u64::from(data.cells) * 4),
        contents: None,
        volatile: false,
        sized_by: None,
        restrict: false,
        nonzero: false,
        location: None,
    }
}

/// The jump targets of the statements in a loop's body, with the variables.
#[derive(Clone, Copy)]
struct Around {
    next: Block,
    end: Block,
}

struct Build<'a> {
    program: &'a Program,
    builder: Builder<'a>,
    file: lockstep_ir::source::File,
    line: u32,
    /// The number of the first parameter that is not a pointer.
    parameter: u32,
    /// The variable whose address is passed on.
    own: kernel::Array,
    /// The variables, followed by the events.
    variables: Vec<kernel::Value>,
    counters: Vec<Option<kernel::Value>>,
    loops: Vec<Around>,
}

impl Build<'_> {
    /// Gives every statement a line of its own, so that findings tell them apart.
    fn next_line(&mut self) {
        self.line += 1;
        let data =
            LocationData { file: self.file, line: self.line, column: 1, inlined_at: None, function: String::new() };
        self.builder.location = Some(self.builder.kernel.locations.push(data));
    }

    fn number(&mut self, number: u32) -> kernel::Value {
        self.builder.number(32, number.into())
    }

    // --- Blocks ----------------------------------------------------------------------------------

    /// A block whose parameters are the variables.
    fn block_of_variables(&mut self) -> Block {
        let block = self.builder.kernel.add_block();
        for variable in 0..self.program.variables {
            self.builder.kernel.add_parameter(block, WORD, Some(format!("v{variable}")));
        }
        for event in 0..self.program.events {
            self.builder.kernel.add_parameter(block, OFFSET, Some(format!("e{event}")));
        }
        block
    }

    fn to(&self, block: Block) -> Target {
        Target { block, arguments: self.variables.clone() }
    }

    fn ends(&mut self, terminator: Terminator) {
        let data = &mut self.builder.kernel.blocks[self.builder.block];
        data.terminator = terminator;
        data.location = self.builder.location;
    }

    /// Continues in a block whose first parameters are the variables.
    fn enter(&mut self, block: Block) {
        self.builder.block = block;
        let count = self.variables.len();
        self.variables.clone_from_slice(&self.builder.kernel.blocks[block].parameters[..count]);
    }

    /// Appends statements, and returns whether execution reaches their end.
    fn statements(&mut self, statements: &[Statement]) -> bool {
        statements.iter().all(|statement| {
            self.next_line();
            self.statement(statement)
        })
    }

    /// Appends a statement, and returns whether execution continues after it.
    fn statement(&mut self, statement: &Statement) -> bool {
        match statement {
            Statement::Assign(to, value) => self.variables[*to] = self.value(value),
            Statement::Load { to, place, mask } => {
                let (access, bytes) = (self.access(place), u32::from(place.bytes));
                let loaded = self.builder.append(Operation::Load(access), Type::Bits(8 * bytes));
                let word = self.builder.convert(ConvertOp::ZeroExtend, loaded, WORD);
                let mask = self.number(*mask);
                self.variables[*to] = self.builder.binary(BinaryOp::And, word, mask);
            }
            Statement::Store { place, value } => {
                let value = self.value(value);
                let stored = self.builder.convert(ConvertOp::Truncate, value, Type::Bits(8 * u32::from(place.bytes)));
                let access = self.access(place);
                self.builder.append_effect(Operation::Store(access, stored));
            }
            Statement::Atomic { operation, place, operand, to } => self.atomic(*operation, place, operand, *to),
            Statement::If { condition, then, otherwise } => return self.branch(condition, then, otherwise),
            Statement::Loop { number, form, is_checked_last, body } => {
                self.repeat(*number, form, *is_checked_last, body);
            }
            Statement::Break | Statement::Continue => {
                if let Some(around) = self.loops.last() {
                    let block = if *statement == Statement::Break { around.end } else { around.next };
                    let target = self.to(block);
                    self.ends(Terminator::Jump(target));
                    return false;
                }
            }
            Statement::Return => {
                self.ends(Terminator::Return);
                return false;
            }
            Statement::Barrier { local, global } => {
                let is_cuda = Dialect::of(self.program) == Dialect::Cuda;
                let spaces = SpaceSet { local: *local, global: *global, ..SpaceSet::NONE };
                let spaces = if is_cuda { SpaceSet::ALL } else { spaces };
                let barrier = Operation::Barrier { kind: BarrierKind::Group, spaces, flags: None };
                self.builder.append_effect(barrier);
            }
            Statement::Fence { ordering, scope, local, global } => {
                let is_cuda = Dialect::of(self.program) == Dialect::Cuda;
                let spaces = SpaceSet { local: *local, global: *global, ..SpaceSet::NONE };
                let spaces = if is_cuda { SpaceSet::ALL } else { spaces };
                self.builder.append_effect(Operation::Fence { ordering: *ordering, scope: *scope, spaces });
            }
            Statement::Signal { operation, means, place, operands, to } => {
                let before = self.signal(*operation, *means, place, operands);
                if let (Some(to), Some(before)) = (*to, before) {
                    self.variables[to] = before;
                }
            }
            Statement::While { condition, is_checked_last, body } => {
                self.repeat_while(condition, *is_checked_last, body);
            }
            Statement::NamedBarrier { number, threads, waits } => {
                let id = self.value(number);
                let count = threads.map(|threads| self.number(threads));
                let kind = match count {
                    Some(count) if !waits => BarrierKind::Arrive { id, count },
                    count => BarrierKind::Named { id, count },
                };
                self.builder.append_effect(Operation::Barrier { kind, spaces: SpaceSet::ALL, flags: None });
            }
            Statement::WarpBarrier { mask } => {
                let mask = Some(self.value(mask));
                let kind = BarrierKind::Warp { mask };
                self.builder.append_effect(Operation::Barrier { kind, spaces: SpaceSet::ALL, flags: None });
            }
            Statement::Exchange { to, op, mask, value, by, width } => {
                self.variables[*to] = self.exchange(*op, mask.as_ref(), (value, by), *width);
            }
            Statement::Draw { to, place } => self.draw(*to, place),
            Statement::Call { to, through_pointer } => self.call(*to, *through_pointer),
            Statement::Copy { .. }
            | Statement::Wait { .. }
            | Statement::OwnCopy { .. }
            | Statement::SharedCopy { .. }
            | Statement::Commit
            | Statement::OwnWait { .. } => self.asynchronous(statement),
            Statement::Library { to, function, value } => {
                let value = self.value(value);
                self.variables[*to] = self.library(*function, value);
            }
        }
        true
    }

    // --- Libraries -------------------------------------------------------------------------------

    /// The documented behaviour of a library function, in a launch whose groups are no larger than
    /// a warp.
    ///
    /// It covers the exchanged values, and nothing about memory.
    fn library(&mut self, function: Library, value: kernel::Value) -> kernel::Value {
        let lane = self.query(ThreadQuery::LaneId);
        let all = self.number(u32::MAX);
        if matches!(function, Library::BlockSum | Library::BlockScan) {
            // All threads of the group reach it, and none has returned; it orders nothing either.
            let predicate = self.builder.boolean(true);
            self.builder.append(Operation::GroupExchange { op: GroupOp::All, predicate }, Type::Bool);
        }
        match function {
            Library::BlockSum | Library::WarpSum => {
                let sum = self.exchanged(WarpOp::ReduceAdd, all, vec![value]);
                let others = self.builder.append(Operation::Anything, WORD);
                let zero = self.number(0);
                let is_first = self.builder.compare(CompareOp::Equal, lane, zero);
                self.builder.select(is_first, sum, others)
            }
            Library::BlockScan => {
                let mut sum = self.number(0);
                let width = self.number(self.program.warp_size);
                for distance in 1..self.program.local_size[0] {
                    let by = self.number(distance);
                    let below = self.exchanged(WarpOp::ShuffleUp, all, vec![value, by, width]);
                    let has = self.builder.compare(CompareOp::UnsignedLessEqual, by, lane);
                    let more = self.builder.binary(BinaryOp::Add, sum, below);
                    sum = self.builder.select(has, more, sum);
                }
                sum
            }
            Library::TileSum(size) => {
                let mask = self.mask_of_tile(lane, size);
                self.exchanged(WarpOp::ReduceAdd, mask, vec![value])
            }
            Library::TileFirst(size) => {
                let mask = self.mask_of_tile(lane, size);
                let (first, width) = (self.number(0), self.number(size));
                self.exchanged(WarpOp::Shuffle, mask, vec![value, first, width])
            }
        }
    }

    fn exchanged(&mut self, op: WarpOp, mask: kernel::Value, operands: Vec<kernel::Value>) -> kernel::Value {
        self.builder.append(Operation::WarpExchange { op, mask: Some(mask), operands }, WORD)
    }

    fn mask_of_tile(&mut self, lane: kernel::Value, size: u32) -> kernel::Value {
        let high = self.number(!(size - 1));
        let first = self.builder.binary(BinaryOp::And, lane, high);
        let ones = self.number((1 << size) - 1);
        self.builder.binary(BinaryOp::ShiftLeft, ones, first)
    }

    // --- Warps and groups ------------------------------------------------------------------------

    fn exchange(
        &mut self,
        op: WarpOp,
        mask: Option<&Value>,
        (value, by): (&Value, &Value),
        width: u32,
    ) -> kernel::Value {
        let mask = mask.map(|mask| self.value(mask));
        let value = self.value(value);
        let is_predicate = matches!(op, WarpOp::VoteAll | WarpOp::VoteAny | WarpOp::VoteEqual | WarpOp::Ballot);
        let operand = if is_predicate {
            let zero = self.number(0);
            self.builder.compare(CompareOp::NotEqual, value, zero)
        } else {
            value
        };
        let operands = match op {
            WarpOp::Shuffle | WarpOp::ShuffleUp | WarpOp::ShuffleDown | WarpOp::ShuffleXor => {
                let by = self.value(by);
                vec![operand, by, self.number(width)]
            }
            WarpOp::ActiveMask => Vec::new(),
            _ => vec![operand],
        };
        let is_bool = is_predicate && op != WarpOp::Ballot;
        let exchange = Operation::WarpExchange { op, mask, operands };
        let result = self.builder.append(exchange, if is_bool { Type::Bool } else { WORD });
        self.builder.convert(ConvertOp::ZeroExtend, result, WORD)
    }

    fn asynchronous(&mut self, statement: &Statement) {
        let event_of = |event: usize| self.program.variables + event;
        match statement {
            Statement::Copy { event, joins, from, to, count, stride } => {
                let event = event_of(*event);
                let side = if self.program.arrays[to.array].is_local { StridedSide::From } else { StridedSide::To };
                let (from, to, count) = (self.access(from), self.access(to), self.value(count));
                let count = self.builder.convert(ConvertOp::ZeroExtend, count, OFFSET);
                let stride = stride.map(|stride| (side, self.builder.number(64, stride.into())));
                let copy = Operation::AsyncCopy {
                    group: AsyncGroup::Group,
                    to,
                    from,
                    count,
                    element_bytes: 4,
                    stride,
                    event: joins.then_some(self.variables[event]),
                };
                self.variables[event] = self.builder.append(copy, OFFSET);
            }
            Statement::Wait { events } => {
                let events = events.iter().map(|&event| self.variables[event_of(event)]).collect();
                self.builder.append_effect(Operation::AsyncWait(AsyncWait::Events(events)));
            }
            Statement::OwnCopy { from, to } => {
                let (from, to, count) = (self.access(from), self.access(to), self.builder.number(64, 4));
                self.copy_of_threads(AsyncGroup::Thread, [from, to], count);
            }
            Statement::SharedCopy { from, to, count } => {
                let (from, to, count) = (self.access(from), self.access(to), self.value(count));
                let count = self.builder.convert(ConvertOp::ZeroExtend, count, OFFSET);
                let four = self.builder.number(64, 4);
                let bytes = self.builder.binary(BinaryOp::Multiply, count, four);
                self.copy_of_threads(AsyncGroup::Shared, [from, to], bytes);
            }
            Statement::Commit => self.builder.append_effect(Operation::AsyncWait(AsyncWait::Commit)),
            Statement::OwnWait { kept } => {
                let wait = AsyncWait::Batches { closed: None, kept: *kept };
                self.builder.append_effect(Operation::AsyncWait(wait));
            }
            _ => {}
        }
    }

    fn copy_of_threads(&mut self, group: AsyncGroup, [from, to]: [Access; 2], count: kernel::Value) {
        let copy = Operation::AsyncCopy { group, to, from, count, element_bytes: 4, stride: None, event: None };
        self.builder.append_effect(copy);
    }

    /// A function without a body, which returns one of two values or leaves it in a variable.
    fn call(&mut self, to: usize, through_pointer: bool) {
        let anything = if through_pointer {
            let space = Space::Private;
            let pointer = self.builder.append(Operation::ArrayBase(self.own), Type::Pointer(space));
            let access = Access { pointer, alignment: 4, volatile: false, needs: Needs::Everything };
            self.builder.append_effect(Operation::Store(access.clone(), self.variables[to]));
            let left = self.builder.append(Operation::Anything, WORD);
            self.builder.append_effect(Operation::Store(access.clone(), left));
            self.builder.append(Operation::Load(access), WORD)
        } else {
            self.builder.append(Operation::Anything, WORD)
        };
        let one = self.number(1);
        self.variables[to] = self.builder.binary(BinaryOp::And, anything, one);
    }

    fn draw(&mut self, to: usize, place: &Place) {
        let Some(counter) = self.program.arrays[place.array].counter else { return };
        let access = self.access(place);
        let step = self.builder.number(counter.bits, counter.step.into());
        let draw = Operation::Atomic {
            access,
            op: AtomicOp::Add,
            operands: vec![step],
            ordering: Ordering::Relaxed,
            failing: None,
            scope: Scope::Device,
        };
        let drawn = self.builder.append(draw, Type::Bits(counter.bits));
        self.variables[to] = self.builder.convert(ConvertOp::ZeroExtend, drawn, WORD);
    }

    fn branch(&mut self, condition: &Condition, then: &[Statement], otherwise: &[Statement]) -> bool {
        let condition = self.condition(condition);
        let (first, second) = (self.block_of_variables(), self.block_of_variables());
        let join = self.block_of_variables();
        let (to_first, to_second) = (self.to(first), self.to(second));
        self.ends(Terminator::Branch { condition, then: to_first, otherwise: to_second });
        let mut joins = false;
        for (block, statements) in [(first, then), (second, otherwise)] {
            self.enter(block);
            if self.statements(statements) {
                joins = true;
                let target = self.to(join);
                self.ends(Terminator::Jump(target));
            }
        }
        self.enter(join);
        joins
    }

    fn repeat(&mut self, number: usize, form: &Form, is_checked_last: bool, body: &[Statement]) {
        let from = self.number(match form {
            Form::Up { from, .. } | Form::Halving { from } => *from,
            Form::Doubling { .. } => 1,
        });
        let first = self.block_of_counter(number);
        let [next, end] = [self.block_of_variables(), self.block_of_variables()];
        let target = self.to_counted(first, from);
        self.ends(Terminator::Jump(target));
        let counter = self.enter_counted(number, first);
        if !is_checked_last {
            let inside = self.block_of_variables();
            let goes_on = self.goes_on(form, counter);
            let (then, otherwise) = (self.to(inside), self.to(end));
            self.ends(Terminator::Branch { condition: goes_on, then, otherwise });
            self.enter(inside);
        }
        self.loops.push(Around { next, end });
        if self.statements(body) {
            let target = self.to(next);
            self.ends(Terminator::Jump(target));
        }
        self.loops.pop();
        self.enter(next);
        let counter = self.counted(form, counter);
        if is_checked_last {
            self.counters[number] = Some(counter);
            let goes_on = self.goes_on(form, counter);
            let (then, otherwise) = (self.to_counted(first, counter), self.to(end));
            self.ends(Terminator::Branch { condition: goes_on, then, otherwise });
        } else {
            let target = self.to_counted(first, counter);
            self.ends(Terminator::Jump(target));
        }
        self.counters[number] = None;
        self.enter(end);
    }

    fn repeat_while(&mut self, condition: &Condition, is_checked_last: bool, body: &[Statement]) {
        let [first, next, end] = [self.block_of_variables(), self.block_of_variables(), self.block_of_variables()];
        let start = self.to(if is_checked_last { first } else { next });
        self.ends(Terminator::Jump(start));
        self.enter(first);
        self.loops.push(Around { next, end });
        if self.statements(body) {
            let target = self.to(next);
            self.ends(Terminator::Jump(target));
        }
        self.loops.pop();
        self.enter(next);
        let goes_on = self.condition(condition);
        let (then, otherwise) = (self.to(first), self.to(end));
        self.ends(Terminator::Branch { condition: goes_on, then, otherwise });
        self.enter(end);
    }

    /// A block with the loop's counter after the variables.
    fn block_of_counter(&mut self, number: usize) -> Block {
        let block = self.block_of_variables();
        self.builder.kernel.add_parameter(block, WORD, Some(format!("i{number}")));
        block
    }

    fn to_counted(&self, block: Block, counter: kernel::Value) -> Target {
        let mut target = self.to(block);
        target.arguments.push(counter);
        target
    }

    fn enter_counted(&mut self, number: usize, block: Block) -> kernel::Value {
        self.enter(block);
        let counter = self.builder.kernel.blocks[block].parameters[self.variables.len()];
        self.counters[number] = Some(counter);
        counter
    }

    fn goes_on(&mut self, form: &Form, counter: kernel::Value) -> kernel::Value {
        let (low, high) = match form {
            Form::Up { bound, .. } => {
                let bound = self.value(bound);
                let mask = self.number(BOUND_MASK);
                (counter, self.builder.binary(BinaryOp::And, bound, mask))
            }
            Form::Halving { .. } => (self.number(0), counter),
            Form::Doubling { to } => (counter, self.number(*to)),
        };
        self.builder.compare(CompareOp::UnsignedLess, low, high)
    }

    fn counted(&mut self, form: &Form, counter: kernel::Value) -> kernel::Value {
        let (operator, by) = match form {
            Form::Up { step, .. } => (BinaryOp::Add, *step),
            Form::Halving { .. } => (BinaryOp::LogicalShiftRight, 1),
            Form::Doubling { .. } => (BinaryOp::ShiftLeft, 1),
        };
        let by = self.number(by);
        self.builder.binary(operator, counter, by)
    }

    // --- Memory ----------------------------------------------------------------------------------

    fn access(&mut self, place: &Place) -> Access {
        let array = kernel::Array::from_u32(u32::try_from(place.array).expect("few arrays"));
        let space = self.builder.kernel.arrays[array].space;
        let index = self.index(&place.index, place.arithmetic);
        let four = self.builder.number(64, 4);
        let cell = self.builder.binary(BinaryOp::Multiply, index, four);
        let byte = self.builder.number(64, place.byte.into());
        let offset = self.builder.binary(BinaryOp::Add, cell, byte);
        let base = self.builder.append(Operation::ArrayBase(array), Type::Pointer(space));
        let add = Operation::PointerAdd { pointer: base, offset, in_bounds: true };
        let pointer = self.builder.append(add, Type::Pointer(space));
        Access { pointer, alignment: place.bytes.into(), volatile: false, needs: Needs::Everything }
    }

    /// An index in 64 bits.
    fn index(&mut self, index: &Value, arithmetic: Arithmetic) -> kernel::Value {
        match arithmetic {
            Arithmetic::Unsigned => {
                let index = self.value(index);
                self.builder.convert(ConvertOp::ZeroExtend, index, OFFSET)
            }
            Arithmetic::Wide => self.computed(index, OFFSET, NoWrap::default()),
            Arithmetic::Signed => {
                let index = self.computed(index, WORD, NoWrap { signed: true, ..NoWrap::default() });
                self.builder.convert(ConvertOp::SignExtend, index, OFFSET)
            }
        }
    }

    /// Sums, differences and products of values, in this type.
    fn computed(&mut self, index: &Value, ty: Type, marks: NoWrap) -> kernel::Value {
        match index {
            Value::Binary(operator @ (Operator::Add | Operator::Subtract | Operator::Multiply), a, b) => {
                let (a, b) = (self.computed(a, ty, marks), self.computed(b, ty, marks));
                self.builder.append(Operation::Binary(binary(*operator), marks, a, b), ty)
            }
            leaf => {
                let value = self.value(leaf);
                self.builder.convert(ConvertOp::ZeroExtend, value, ty)
            }
        }
    }

    fn atomic(&mut self, operation: AtomicOperation, place: &Place, operand: &Value, to: Option<(usize, u32)>) {
        let operand = self.value(operand);
        let access = self.access(place);
        let (op, operands) = match operation {
            AtomicOperation::Add => (AtomicOp::Add, vec![operand]),
            AtomicOperation::Or => (AtomicOp::Or, vec![operand]),
            AtomicOperation::Maximum => (AtomicOp::UnsignedMax, vec![operand]),
            AtomicOperation::Exchange => (AtomicOp::Exchange, vec![operand]),
            AtomicOperation::CompareExchange => (AtomicOp::CompareExchange, vec![self.number(0), operand]),
        };
        let atomic = Operation::Atomic {
            access,
            op,
            operands,
            ordering: Ordering::Relaxed,
            failing: None,
            scope: Scope::Device,
        };
        let before = self.builder.append(atomic, WORD);
        if let Some((to, mask)) = to {
            let mask = self.number(mask);
            self.variables[to] = self.builder.binary(BinaryOp::And, before, mask);
        }
    }

    /// An operation on a cell of signals, and its value before, if there is one.
    fn signal(&mut self, operation: Signal, means: Means, place: &Place, operands: &[Value]) -> Option<kernel::Value> {
        let operands: Vec<kernel::Value> = operands.iter().map(|operand| self.value(operand)).collect();
        let access = Access { volatile: means == Means::Volatile, ..self.access(place) };
        let Means::Atomic(ordering, scope) = means else {
            return match operands[..] {
                [value, ..] => {
                    self.builder.append_effect(Operation::Store(access, value));
                    None
                }
                [] => Some(self.builder.append(Operation::Load(access), WORD)),
            };
        };
        let op = match operation {
            Signal::Load => AtomicOp::Load,
            Signal::Store => AtomicOp::Store,
            Signal::Exchange => AtomicOp::Exchange,
            Signal::CompareExchange => AtomicOp::CompareExchange,
            Signal::Add => AtomicOp::Add,
            Signal::Increment => AtomicOp::Increment,
        };
        let failing = (op == AtomicOp::CompareExchange).then(|| failing(ordering));
        let atomic = Operation::Atomic { access, op, operands, ordering, failing, scope };
        if operation == Signal::Store {
            self.builder.append_effect(atomic);
            return None;
        }
        Some(self.builder.append(atomic, WORD))
    }

    // --- Numbers ---------------------------------------------------------------------------------

    fn query(&mut self, query: ThreadQuery) -> kernel::Value {
        let wide = self.builder.append(Operation::ThreadQuery(query), OFFSET);
        self.builder.convert(ConvertOp::Truncate, wide, WORD)
    }

    fn value(&mut self, value: &Value) -> kernel::Value {
        match value {
            Value::Constant(number) => self.number(*number),
            Value::Variable(number) => self.variables[*number],
            Value::Counter(number) => match self.counters[*number] {
                Some(counter) => counter,
                None => self.number(0),
            },
            Value::LocalId(dimension) => self.query(ThreadQuery::LocalId(*dimension)),
            Value::GroupId(dimension) => self.query(ThreadQuery::GroupId(*dimension)),
            Value::GlobalId(dimension) => self.query(ThreadQuery::GlobalId(*dimension)),
            Value::LocalSize(dimension) => self.query(ThreadQuery::LocalSize(*dimension)),
            Value::NumGroups(dimension) => self.query(ThreadQuery::NumGroups(*dimension)),
            Value::Lane => self.query(ThreadQuery::LaneId),
            Value::Width => {
                let width = self.builder.append(Operation::Parameter(self.parameter + 1), WORD);
                let Some(mask) = self.program.width.and_then(|width| width.mask) else { return width };
                let mask = self.number(mask);
                self.builder.binary(BinaryOp::And, width, mask)
            }
            Value::Parameter => {
                let parameter = self.builder.append(Operation::Parameter(self.parameter), WORD);
                let mask = self.number(PARAMETER_MASK);
                self.builder.binary(BinaryOp::And, parameter, mask)
            }
            Value::Binary(operator, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                self.builder.binary(binary(*operator), a, b)
            }
            Value::Select(condition, a, b) => {
                let condition = self.condition(condition);
                let (a, b) = (self.value(a), self.value(b));
                self.builder.select(condition, a, b)
            }
        }
    }

    fn condition(&mut self, condition: &Condition) -> kernel::Value {
        match condition {
            Condition::Compare(relation, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                let op = match relation {
                    Relation::Equal => CompareOp::Equal,
                    Relation::NotEqual => CompareOp::NotEqual,
                    Relation::Less => CompareOp::UnsignedLess,
                    Relation::LessEqual => CompareOp::UnsignedLessEqual,
                    Relation::SignedLess => CompareOp::SignedLess,
                };
                self.builder.compare(op, a, b)
            }
            Condition::And(a, b) | Condition::Or(a, b) => {
                let is_both = matches!(condition, Condition::And(..));
                let (a, b) = (self.condition(a), self.condition(b));
                let op = if is_both { BinaryOp::And } else { BinaryOp::Or };
                self.builder.binary(op, a, b)
            }
        }
    }
}

/// The ordering of a compare-exchange that fails: the part of this one that does not release.
pub fn failing(ordering: Ordering) -> Ordering {
    match ordering {
        Ordering::AcquireRelease => Ordering::Acquire,
        Ordering::Release => Ordering::Relaxed,
        other => other,
    }
}

fn binary(operator: Operator) -> BinaryOp {
    match operator {
        Operator::Add => BinaryOp::Add,
        Operator::Subtract => BinaryOp::Subtract,
        Operator::Multiply => BinaryOp::Multiply,
        Operator::And => BinaryOp::And,
        Operator::Or => BinaryOp::Or,
        Operator::Xor => BinaryOp::Xor,
        Operator::ShiftLeft => BinaryOp::ShiftLeft,
        Operator::ShiftRight => BinaryOp::LogicalShiftRight,
        Operator::Divide => BinaryOp::UnsignedDivide,
        Operator::Remainder => BinaryOp::UnsignedRemainder,
    }
}
