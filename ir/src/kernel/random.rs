//! Random kernels that satisfy every rule, for property tests.

use cranelift_entity::EntityRef;

use super::keyword::Keyword;
use super::*;
use crate::cfg::{self, Dominators};

/// The operations that a random kernel may contain.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Vocabulary {
    /// Every operation.
    Everything,
    /// Arithmetic on bytes and Booleans, and annotations named `trace` that record the execution.
    Executable,
}

/// A xorshift generator.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(bound).unwrap()).unwrap()
    }

    pub fn small(&mut self, bound: u8) -> u8 {
        u8::try_from(self.below(bound.into())).unwrap()
    }

    pub fn flip(&mut self) -> bool {
        self.next() & 1 == 1
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

/// A kernel of up to `size` blocks whose graph may be irreducible and partly unreachable.
pub fn kernel(seed: u64, size: usize, vocabulary: Vocabulary) -> Kernel {
    let mut generator = Generator::new(seed, vocabulary);
    generator.graph(size);
    generator.fill();
    generator.kernel
}

struct Generator {
    random: Random,
    vocabulary: Vocabulary,
    kernel: Kernel,
    block: Block,
    available: Vec<Value>,
}

const NAMES: [&str; 5] = ["i", "a b", "quo\"te", "back\\slash", "линия\n"];

impl Generator {
    fn new(seed: u64, vocabulary: Vocabulary) -> Self {
        let mut random = Random::new(seed);
        let bits = random.of(&[32, 64]);
        let language = random.of(Language::ALL);
        let kernel = Kernel::new(random.of(&NAMES), language, bits);
        let entry = kernel.entry;
        let mut this = Self { random, vocabulary, kernel, block: entry, available: Vec::new() };
        this.kernel.parameters.push(Parameter { name: "n".into(), kind: ParameterKind::Scalar(Type::Bits(8)) });
        if vocabulary == Vocabulary::Everything {
            this.tables();
        }
        this
    }

    fn tables(&mut self) {
        let file = self.kernel.files.push("dir/a \"b\".cl".into());
        for line in 0..3 {
            let inlined_at = (line > 0 && self.random.flip()).then(|| Location::new(0));
            self.kernel.locations.push(LocationData { file, line, column: 7, inlined_at, function: "f".into() });
        }
        self.kernel.location = self.location();
        self.kernel.launch.required_group_size = self.random.flip().then_some([8, 4, 1]);
        self.kernel.launch.max_group_threads = self.random.flip().then_some(256);
        let cases = [
            (Space::Global, ArrayOrigin::Parameter),
            (Space::Local, ArrayOrigin::Variable),
            (Space::Local, ArrayOrigin::Library),
            (Space::Constant, ArrayOrigin::Variable),
            (Space::Private, ArrayOrigin::Stack),
            (Space::Private, ArrayOrigin::Aggregate),
            (Space::Global, ArrayOrigin::Image { dimensions: 2 }),
        ];
        for (space, origin) in cases {
            let element = self.random.flip().then(|| ElementLayout {
                name: "struct a b".into(),
                bytes: 4,
                dimensions: if self.random.flip() { vec![0, 8] } else { Vec::new() },
            });
            let data = ArrayData {
                name: self.random.of(&NAMES).into(),
                space,
                origin,
                element,
                size: (space != Space::Global).then_some(3),
                sized_by: None,
                contents: (space == Space::Constant).then(|| vec![0, 0xAB, 255]),
                volatile: self.random.flip(),
                restrict: self.random.flip(),
                nonzero: self.random.flip(),
                location: self.location(),
            };
            self.kernel.arrays.push(data);
        }
        let kinds = [
            ParameterKind::Pointer(Array::new(0)),
            ParameterKind::Pointer(Array::new(6)),
            ParameterKind::Aggregate(Array::new(5)),
            ParameterKind::Opaque,
        ];
        for kind in kinds {
            self.kernel.parameters.push(Parameter { name: self.random.of(&NAMES).into(), kind });
        }
        let at = u64::from(u32::from(self.random.flip()));
        self.kernel.add_not_passed("p.a[1]", Type::Bits(16), NotPassed::Field(StructField { parameter: 3, at }));
        if self.random.flip() {
            self.kernel.add_not_passed("host.n", Type::Bits(32), NotPassed::Host);
        }
        if self.random.flip() {
            let parameter = u32::try_from(self.kernel.parameters.len()).expect("few parameters");
            let width = self.kernel.pointer_bits;
            self.kernel.add_not_passed("elements(a)", Type::Bits(width), NotPassed::Host);
            self.kernel.arrays[Array::new(0)].sized_by = Some(SizedBy { parameter, unit: 12 });
        }
    }

    fn location(&mut self) -> Option<Location> {
        let count = self.kernel.locations.len();
        (count > 0 && self.random.flip()).then(|| Location::new(self.random.below(count)))
    }

    fn everything(&self) -> bool {
        self.vocabulary == Vocabulary::Everything
    }

    fn ty(&mut self) -> Type {
        if !self.everything() {
            return self.random.of(&[Type::Bool, Type::Bits(8)]);
        }
        let float = Type::Float(self.random.of(FloatType::ALL));
        let pointer = Type::Pointer(self.random.of(Space::ALL));
        self.random.of(&[Type::Bool, Type::Bits(1), Type::Bits(8), Type::Bits(32), Type::Bits(100), float, pointer])
    }

    fn name(&mut self) -> Option<String> {
        (self.everything() && self.random.flip()).then(|| self.random.of(&NAMES).into())
    }

    /// Blocks, their parameters, and terminators without arguments or conditions.
    fn graph(&mut self, size: usize) {
        for _ in 1..size {
            let block = self.kernel.add_block();
            for _ in 0..self.random.below(3) {
                let (ty, name) = (self.ty(), self.name());
                self.kernel.add_parameter(block, ty, name);
            }
        }
        for block in self.kernel.blocks.keys().collect::<Vec<_>>() {
            let target =
                |random: &mut Random| Target { block: Block::new(1 + random.below(size - 1)), arguments: Vec::new() };
            let random = &mut self.random;
            let placeholder = Value::new(0);
            let terminator = match random.below(if size > 1 { 10 } else { 1 }) {
                0 => match random.below(3) {
                    0 => Terminator::Return,
                    1 => Terminator::Trap,
                    _ => Terminator::Unreachable,
                },
                1..=4 => Terminator::Jump(target(random)),
                5..=8 => {
                    let (then, otherwise) = (target(random), target(random));
                    Terminator::Branch { condition: placeholder, then, otherwise }
                }
                _ => {
                    let cases = (0..random.below(3)).map(|case| (Bits::new(8, case), target(random))).collect();
                    Terminator::Switch { value: placeholder, cases, default: target(random) }
                }
            };
            self.kernel.blocks[block].terminator = terminator;
            self.kernel.blocks[block].location = self.location();
        }
    }

    fn fill(&mut self) {
        let graph = cfg::graph(&self.kernel);
        let dominators = Dominators::new(&graph);
        let mut known: Vec<Vec<Value>> = vec![Vec::new(); self.kernel.blocks.len()];
        let unreachable: Vec<Block> = self.kernel.blocks.keys().filter(|&block| !graph.is_reachable(block)).collect();
        for &block in graph.reverse_postorder().iter().chain(&unreachable) {
            self.block = block;
            self.available = dominators.idom(block).map(|above| known[above.index()].clone()).unwrap_or_default();
            self.available.extend(&self.kernel.blocks[block].parameters);
            for _ in 0..self.random.below(6) {
                self.instruction();
            }
            self.terminate();
            known[block.index()] = std::mem::take(&mut self.available);
        }
    }

    fn terminate(&mut self) {
        let mut terminator = self.kernel.blocks[self.block].terminator.clone();
        match &mut terminator {
            Terminator::Branch { condition, .. } => *condition = self.pick(Type::Bool),
            Terminator::Switch { value, .. } => *value = self.pick(Type::Bits(8)),
            Terminator::Jump(_) | Terminator::Return | Terminator::Trap | Terminator::Unreachable => {}
        }
        for target in terminator.targets_mut() {
            for parameter in self.kernel.blocks[target.block].parameters.clone() {
                let ty = self.kernel.ty(parameter);
                target.arguments.push(self.pick(ty));
            }
        }
        self.kernel.blocks[self.block].terminator = terminator;
    }

    fn emit(&mut self, operation: Operation, ty: Type) -> Value {
        let location = self.location();
        let value = self.kernel.append(self.block, operation, ty, location);
        self.kernel.values[value].name = self.name();
        self.available.push(value);
        value
    }

    fn effect(&mut self, operation: Operation) {
        let location = self.location();
        self.kernel.append_effect(self.block, operation, location);
    }

    /// An existing value of this type, or a new one.
    fn pick(&mut self, ty: Type) -> Value {
        let fitting: Vec<Value> = self.available.iter().copied().filter(|&value| self.kernel.ty(value) == ty).collect();
        if !fitting.is_empty() && self.random.below(4) > 0 {
            return self.random.of(&fitting);
        }
        let operation = match ty {
            Type::Pointer(space) => {
                let arrays = self.kernel.arrays.iter();
                let arrays: Vec<Array> = arrays.filter(|(_, data)| data.space == space).map(|(key, _)| key).collect();
                if arrays.is_empty() { Operation::Null } else { Operation::ArrayBase(self.random.of(&arrays)) }
            }
            _ if self.everything() && self.random.below(4) == 0 => match self.random.below(4) {
                0 => Operation::Undefined,
                1 => Operation::Anything,
                2 => Operation::Cached { pointer: self.pick(Type::Pointer(Space::Global)), value: self.pick(ty) },
                _ if ty == Type::Bits(32) => Operation::Choice(None),
                _ => Operation::Choice(Some(self.pick(ty))),
            },
            Type::Bool | Type::Bits(_) | Type::Float(_) => {
                Operation::Constant(Bits::new(ty.width().unwrap(), self.random.next()))
            }
        };
        self.emit(operation, ty)
    }

    fn offset(&self) -> Type {
        self.kernel.offset_type()
    }

    fn access(&mut self, space: Space) -> Access {
        let pointer = self.pick(Type::Pointer(space));
        let needs = self.random.of(&[Needs::Everything, Needs::Something, Needs::Nothing]);
        Access { pointer, alignment: 1 << self.random.below(5), volatile: self.random.flip(), needs }
    }

    fn writable(&mut self) -> Space {
        self.random.of(&[Space::Private, Space::Global, Space::Local, Space::Generic])
    }

    fn space(&mut self) -> Space {
        self.random.of(Space::ALL)
    }

    fn spaces(&mut self) -> SpaceSet {
        let [local, global, image, library] = std::array::from_fn(|_| self.random.flip());
        SpaceSet { local, global, image, library }
    }

    fn any(&mut self) -> Value {
        let ty = self.ty();
        self.pick(ty)
    }

    /// A value that is not a pointer.
    fn plain(&mut self) -> Value {
        loop {
            let ty = self.ty();
            if !matches!(ty, Type::Pointer(_)) {
                return self.pick(ty);
            }
        }
    }

    fn list(&mut self, ty: Type, count: usize) -> Vec<Value> {
        (0..count).map(|_| self.pick(ty)).collect()
    }

    fn instruction(&mut self) {
        if !self.everything() {
            return self.executable();
        }
        match self.random.below(8) {
            0 => self.arithmetic(),
            1 => self.conversion(),
            2 => self.floats(),
            3 => self.pointers(),
            4 => self.memory(),
            5 => self.atomic_or_bulk(),
            6 => self.synchronisation(),
            _ => self.specification(),
        }
    }

    fn executable(&mut self) {
        let byte = Type::Bits(8);
        match self.random.below(5) {
            0 => {
                let op = self.random.of(&[
                    BinaryOp::Add,
                    BinaryOp::Multiply,
                    BinaryOp::Xor,
                    BinaryOp::And,
                    BinaryOp::Or,
                    BinaryOp::LogicalShiftRight,
                ]);
                let (a, b) = (self.pick(byte), self.pick(byte));
                self.emit(Operation::Binary(op, NoWrap::default(), a, b), byte);
            }
            1 => {
                let (a, b) = (self.pick(byte), self.pick(byte));
                self.emit(Operation::Compare(CompareOp::UnsignedLess, a, b), Type::Bool);
            }
            2 => {
                let (a, b, c) = (self.pick(Type::Bool), self.pick(byte), self.pick(byte));
                self.emit(Operation::Select(a, b, c), byte);
            }
            3 => {
                self.emit(Operation::Parameter(0), byte);
            }
            _ => {
                let operands = self.list(byte, 1);
                self.effect(Operation::Annotation { name: "trace".into(), operands });
            }
        }
    }

    fn arithmetic(&mut self) {
        let bits = self.random.of(&[Type::Bits(1), Type::Bits(8), Type::Bits(32), Type::Bits(100)]);
        let any = self.random.of(&[Type::Bool, bits]);
        match self.random.below(6) {
            0 => {
                let op = self.random.of(UnaryOp::ALL);
                let ty = if op == UnaryOp::Not { any } else { bits };
                let a = self.pick(ty);
                self.emit(Operation::Unary(op, a), ty);
            }
            1 => {
                let op = self.random.of(BinaryOp::ALL);
                let logical = matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor);
                let wraps = matches!(op, BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::ShiftLeft);
                let ty = if logical { any } else { bits };
                let (signed, unsigned) = (wraps && self.random.flip(), wraps && self.random.flip());
                let meant = (signed || unsigned) && self.random.flip();
                let no_wrap = NoWrap { signed, unsigned, meant, partial: op.is_partial() && self.random.flip() };
                let (a, b) = (self.pick(ty), self.pick(ty));
                self.emit(Operation::Binary(op, no_wrap, a, b), ty);
            }
            2 => {
                let op = self.random.of(CompareOp::ALL);
                let ty = if matches!(op, CompareOp::Equal | CompareOp::NotEqual) { any } else { bits };
                let (a, b) = (self.pick(ty), self.pick(ty));
                self.emit(Operation::Compare(op, a, b), Type::Bool);
            }
            3 => {
                let ty = self.ty();
                let (a, b, c) = (self.pick(Type::Bool), self.pick(ty), self.pick(ty));
                self.emit(Operation::Select(a, b, c), ty);
            }
            4 if self.everything() && !self.kernel.arrays.is_empty() => {
                let arrays: Vec<Array> = self.kernel.arrays.keys().collect();
                let kind = self.random.of(ContentsKind::ALL);
                let mut bound = || self.pick(Type::Bits(64));
                let bounds = (kind == ContentsKind::Within).then(|| [bound(), bound()]);
                let (array, element) = (self.random.of(&arrays), self.random.of(&[8, 16, 32, 64]));
                let fact = ContentsFact { kind, array, element, signed: self.random.flip(), bounds };
                self.emit(Operation::Contents(fact), Type::Bool);
            }
            4 => {
                self.emit(Operation::Parameter(0), Type::Bits(8));
            }
            _ => {
                let dimension = self.random.small(3);
                let query = self.random.of(&[
                    ThreadQuery::LocalId(dimension),
                    ThreadQuery::GroupId(dimension),
                    ThreadQuery::GlobalId(dimension),
                    ThreadQuery::LocalSize(dimension),
                    ThreadQuery::NumGroups(dimension),
                    ThreadQuery::GlobalSize(dimension),
                    ThreadQuery::GlobalOffset(dimension),
                    ThreadQuery::Dimensions,
                    ThreadQuery::LaneId,
                    ThreadQuery::WarpSize,
                ]);
                let ty = self.offset();
                self.emit(Operation::ThreadQuery(query), ty);
            }
        }
    }

    fn conversion(&mut self) {
        let (byte, word) = (Type::Bits(8), Type::Bits(32));
        match self.random.below(3) {
            0 => {
                let op = self.random.of(ConvertOp::ALL);
                let (from, to) = match op {
                    ConvertOp::ZeroExtend | ConvertOp::SignExtend => (self.random.of(&[Type::Bool, byte]), word),
                    ConvertOp::Truncate => (word, self.random.of(&[Type::Bool, byte])),
                    ConvertOp::Bitcast => (word, Type::Float(FloatType::F32)),
                };
                let a = self.pick(from);
                self.emit(Operation::Convert(op, a), to);
            }
            1 => {
                let value = self.pick(word);
                self.emit(Operation::Extract { high: 11, low: 4, value }, byte);
            }
            _ => {
                let (a, b) = (self.pick(byte), self.pick(word));
                self.emit(Operation::Concat(a, b), Type::Bits(40));
            }
        }
    }

    fn floats(&mut self) {
        let ty = Type::Float(self.random.of(FloatType::ALL));
        if self.random.below(4) == 0 {
            let operands = (0..self.random.below(3)).map(|_| self.plain()).collect();
            let name = self.random.of(&NAMES).into();
            self.emit(Operation::Uninterpreted(name, operands), ty);
            return;
        }
        let op = self.random.of(FloatOp::ALL);
        let (operands, result) = match op {
            FloatOp::Add | FloatOp::Subtract | FloatOp::Multiply | FloatOp::Divide | FloatOp::Remainder => {
                (self.list(ty, 2), ty)
            }
            FloatOp::FusedMultiplyAdd | FloatOp::MultiplyAdd => (self.list(ty, 3), ty),
            FloatOp::SquareRoot => (self.list(ty, 1), ty),
            FloatOp::FromFloat => (self.list(Type::Float(FloatType::F64), 1), Type::Float(FloatType::F16)),
            FloatOp::FromSigned | FloatOp::FromUnsigned => (self.list(Type::Bits(32), 1), ty),
            FloatOp::ToSigned | FloatOp::ToUnsigned => (self.list(ty, 1), Type::Bits(32)),
            _ => (self.list(ty, 2), Type::Bool),
        };
        self.emit(Operation::Float(op, operands), result);
    }

    fn pointers(&mut self) {
        let space = self.space();
        let (ty, offset_ty) = (Type::Pointer(space), self.offset());
        match self.random.below(7) {
            0 => {
                self.emit(Operation::Null, ty);
            }
            1 => {
                let (pointer, offset) = (self.pick(ty), self.pick(offset_ty));
                let in_bounds = self.random.flip();
                self.emit(Operation::PointerAdd { pointer, offset, in_bounds }, ty);
            }
            2 => {
                let a = self.pick(ty);
                self.emit(Operation::SpaceCast(a), Type::Pointer(Space::Generic));
            }
            3 => {
                let a = self.pick(ty);
                self.emit(Operation::PointerToInteger(a), offset_ty);
            }
            4 => {
                let a = self.pick(offset_ty);
                self.emit(Operation::IntegerToPointer(a), ty);
            }
            5 => {
                let (a, b) = (self.pick(ty), self.pick(ty));
                self.emit(Operation::PointerEqual(a, b), Type::Bool);
            }
            _ => {
                let (a, b) = (self.pick(ty), self.pick(ty));
                self.emit(Operation::PointerDifference(a, b), offset_ty);
            }
        }
    }

    fn memory(&mut self) {
        let image = Type::Pointer(Space::Global);
        match self.random.below(4) {
            0 => {
                let (space, ty) = (self.space(), self.ty());
                let access = self.access(space);
                self.emit(Operation::Load(access), ty);
            }
            1 => {
                let space = self.writable();
                let (access, value) = (self.access(space), self.any());
                self.effect(Operation::Store(access, value));
            }
            2 => {
                let image = self.pick(image);
                let coordinates = if self.random.flip() { self.list(Type::Bits(32), 2) } else { Vec::new() };
                self.emit(Operation::ImageRead { image, coordinates }, Type::Bits(100));
            }
            _ => {
                let (image, coordinates) = (self.pick(image), self.list(Type::Bits(32), 2));
                let value = self.plain();
                self.effect(Operation::ImageWrite { image, coordinates, value });
            }
        }
    }

    fn atomic_or_bulk(&mut self) {
        let (space, offset) = (self.writable(), self.offset());
        match self.random.below(4) {
            0 | 1 => {
                let op = self.random.of(AtomicOp::ALL);
                let (ordering, scope) = (self.random.of(Ordering::ALL), self.random.of(Scope::ALL));
                let access = self.access(space);
                let (ty, count) = match op {
                    AtomicOp::Load => (Type::Bits(32), 0),
                    AtomicOp::CompareExchange => (Type::Bits(32), 2),
                    AtomicOp::Increment | AtomicOp::Decrement => (Type::Bits(32), self.random.below(2)),
                    AtomicOp::FloatAdd | AtomicOp::FloatSubtract | AtomicOp::FloatMin | AtomicOp::FloatMax => {
                        (Type::Float(FloatType::F32), 1)
                    }
                    _ => (Type::Bits(32), 1),
                };
                let operands = self.list(ty, count);
                let fails = op == AtomicOp::CompareExchange && self.random.flip();
                let failing = fails.then(|| self.random.of(&[Ordering::Relaxed, Ordering::Acquire]));
                let operation = Operation::Atomic { access, op, operands, ordering, failing, scope };
                if op == AtomicOp::Store {
                    self.effect(operation);
                } else {
                    self.emit(operation, ty);
                }
            }
            2 => {
                let to = self.access(space);
                let space = self.space();
                let (from, bytes) = (self.access(space), self.pick(offset));
                self.effect(Operation::MemoryCopy { to, from, bytes });
            }
            _ => {
                let (to, value, bytes) = (self.access(space), self.pick(Type::Bits(8)), self.pick(offset));
                self.effect(Operation::MemorySet { to, value, bytes });
            }
        }
    }

    fn synchronisation(&mut self) {
        let (spaces, offset, word) = (self.spaces(), self.offset(), Type::Bits(32));
        match self.random.below(7) {
            0 => {
                let (ordering, scope) = (self.random.of(Ordering::ALL), self.random.of(Scope::ALL));
                self.effect(Operation::Fence { ordering, scope, spaces });
            }
            1 => {
                let (id, count) = (self.pick(word), self.pick(word));
                let kind = self.random.of(&[
                    BarrierKind::Group,
                    BarrierKind::Named { id, count: None },
                    BarrierKind::Named { id, count: Some(count) },
                    BarrierKind::Arrive { id, count },
                    BarrierKind::Warp { mask: None },
                    BarrierKind::Warp { mask: Some(id) },
                    BarrierKind::Grid,
                    BarrierKind::Cluster,
                ]);
                let flags = self.random.of(&[None, Some(count)]);
                self.effect(Operation::Barrier { kind, spaces, flags });
            }
            2 if self.random.flip() => self.warp_exchange(),
            2 => {
                let (op, predicate) = (self.random.of(GroupOp::ALL), self.pick(Type::Bool));
                let ty = if op == GroupOp::Count { word } else { Type::Bool };
                self.emit(Operation::GroupExchange { op, predicate }, ty);
            }
            3 => {
                let (to_space, from_space) = (self.writable(), self.space());
                let (to, from, count) = (self.access(to_space), self.access(from_space), self.pick(offset));
                let side = self.random.of(StridedSide::ALL);
                let group = self.random.of(AsyncGroup::ALL);
                let of_group = !group.is_of_threads();
                let stride = (of_group && self.random.flip()).then(|| (side, self.pick(offset)));
                let event = self.random.flip().then(|| self.pick(offset));
                let operation = Operation::AsyncCopy { group, to, from, count, element_bytes: 4, stride, event };
                if of_group && self.random.flip() {
                    self.emit(operation, offset);
                } else {
                    self.effect(operation);
                }
            }
            4 => {
                let events = self.random.below(3);
                let wait = match self.random.below(4) {
                    0 => AsyncWait::Events(self.list(offset, events)),
                    1 => AsyncWait::Commit,
                    2 => AsyncWait::AllBut(self.pick(offset)),
                    _ => AsyncWait::Batches { closed: self.random.flip().then(|| self.pick(offset)), kept: 3 },
                };
                self.effect(Operation::AsyncWait(wait));
            }
            5 => {
                let numbers = self.random.below(3);
                let numbers = self.list(offset, numbers);
                self.effect(Operation::Counted(numbers));
            }
            _ => {
                let op = self.random.of(PhaseOp::ALL);
                let object = self.pick(Type::Pointer(Space::Local));
                let count = usize::from(!matches!(op, PhaseOp::Arrive | PhaseOp::ArriveOnCopy));
                let operands = self.list(word, count);
                let operation = Operation::Phase { op, object, operands };
                match op {
                    PhaseOp::Arrive => {
                        self.emit(operation, Type::Bits(64));
                    }
                    PhaseOp::Test | PhaseOp::TestParity => {
                        self.emit(operation, Type::Bool);
                    }
                    PhaseOp::Initialise | PhaseOp::ArriveOnCopy | PhaseOp::Wait | PhaseOp::WaitParity => {
                        self.effect(operation);
                    }
                }
            }
        }
    }

    fn warp_exchange(&mut self) {
        let word = Type::Bits(32);
        let op = self.random.of(WarpOp::ALL);
        let mask = self.random.flip().then(|| self.pick(word));
        let (operands, ty) = match op {
            WarpOp::Shuffle | WarpOp::ShuffleUp | WarpOp::ShuffleDown | WarpOp::ShuffleXor => {
                let count = 2 + self.random.below(2);
                (self.list(word, count), word)
            }
            WarpOp::VoteAll | WarpOp::VoteAny | WarpOp::VoteEqual => (self.list(Type::Bool, 1), Type::Bool),
            WarpOp::Ballot => (self.list(Type::Bool, 1), word),
            WarpOp::ActiveMask => (Vec::new(), word),
            _ => (self.list(word, 1), word),
        };
        self.emit(Operation::WarpExchange { op, mask, operands }, ty);
    }

    fn specification(&mut self) {
        match self.random.below(3) {
            0 => {
                let (condition, kind) = (self.pick(Type::Bool), self.random.of(AssumeKind::ALL));
                self.effect(Operation::Assume(condition, kind));
            }
            1 => {
                let (condition, kind) = (self.pick(Type::Bool), self.random.of(AssertKind::ALL));
                self.effect(Operation::Assert(condition, kind));
            }
            _ => {
                let operands = (0..self.random.below(3)).map(|_| self.any()).collect();
                let operation = Operation::Annotation { name: self.random.of(&NAMES).into(), operands };
                if self.random.flip() {
                    let ty = self.ty();
                    self.emit(operation, ty);
                } else {
                    self.effect(operation);
                }
            }
        }
    }
}
