//! Reads the text format that [`super::print`] writes.
//!
//! Files, locations, arrays and blocks are numbered from 0 in the order in which they occur. Values
//! may have any numbers; they are renumbered in the same order. The parsed kernel need not satisfy
//! the rules of [`super::verify`].

use std::collections::BTreeMap;

use cranelift_entity::{EntityRef, PrimaryMap};
use num_bigint::BigUint;

use super::keyword::Keyword;
use super::{
    Access, ArrayData, ArrayOrigin, AsyncWait, BarrierKind, BinaryOp, Block, BlockData, CompareOp, ContentsFact,
    ConvertOp, Definition, ElementLayout, FloatType, InstructionData, Kernel, Language, Needs, NoWrap, NotPassed,
    Operation, Parameter, ParameterKind, SizedBy, SpaceSet, StructField, Target, Terminator, ThreadQuery, Type,
    UnaryOp, Value, ValueData,
};
use crate::bits::Bits;
use crate::source::{Location, LocationData};
use crate::text::{Cursor, TextError, Token};

/// The reason why a text is not a kernel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct ParseError {
    /// The line, from 1.
    pub line: u32,
    /// The error message.
    pub message: String,
}

impl From<TextError> for ParseError {
    fn from(error: TextError) -> Self {
        Self { line: error.line, message: error.message }
    }
}

/// Reads one kernel.
pub fn parse(text: &str) -> Result<Kernel, ParseError> {
    let mut parser = Parser { cursor: Cursor::new(text)?, values: BTreeMap::new(), highest: Highest::default() };
    let mut kernel = parser.kernel()?;
    parser.check_references(&kernel)?;
    parser.number_values(&mut kernel)?;
    Ok(kernel)
}

type Result<T, E = TextError> = std::result::Result<T, E>;

/// One more than the highest number mentioned.
#[derive(Default)]
struct Highest {
    files: usize,
    locations: usize,
    arrays: usize,
    blocks: usize,
}

struct Parser {
    cursor: Cursor,
    /// The declared values by the number they have in the text.
    values: BTreeMap<Value, ValueData>,
    highest: Highest,
}

impl Parser {
    fn kernel(&mut self) -> Result<Kernel> {
        self.cursor.expect_word("kernel")?;
        let name = self.cursor.quoted()?;
        let language = self.keyword::<Language>("a language")?;
        self.cursor.expect_word("pointers")?;
        let mut kernel = Kernel::new(name, language, self.cursor.number()?);
        kernel.blocks = PrimaryMap::new();
        kernel.location = self.at()?;
        if self.cursor.eat_word("required_group_size") {
            let sizes = [self.cursor.number()?, self.cursor.number()?, self.cursor.number()?];
            kernel.launch.required_group_size = Some(sizes);
        }
        if self.cursor.eat_word("max_group_threads") {
            kernel.launch.max_group_threads = Some(self.cursor.number()?);
        }
        while self.table_entry("file", kernel.files.len())? {
            kernel.files.push(self.cursor.quoted()?);
        }
        while self.table_entry("loc", kernel.locations.len())? {
            let data = self.location()?;
            kernel.locations.push(data);
        }
        while self.table_entry("arr", kernel.arrays.len())? {
            let data = self.array_data()?;
            kernel.arrays.push(data);
        }
        while self.cursor.eat_word("parameter") {
            let parameter = self.parameter()?;
            kernel.parameters.push(parameter);
            if self.cursor.eat_word("field") {
                let field = StructField { parameter: self.cursor.number()?, at: self.cursor.number()? };
                kernel.not_passed.push(NotPassed::Field(field));
            } else if self.cursor.eat_word("host") {
                kernel.not_passed.push(NotPassed::Host);
            } else if !kernel.not_passed.is_empty() {
                return Err(self.cursor.error("fields of structs and numbers of the host come last"));
            }
        }
        self.cursor.expect_word("entry")?;
        kernel.entry = self.block()?;
        while *self.cursor.peek() != Token::End {
            self.block_data(&mut kernel)?;
        }
        Ok(kernel)
    }

    /// Consumes `prefix` with this number and `=`, if an entry with that or another number is next.
    fn table_entry(&mut self, prefix: &str, number: usize) -> Result<bool> {
        let is_entry = matches!(self.cursor.peek(), Token::Word(word) if suffix(word, prefix).is_some());
        if is_entry {
            self.cursor.expect_word(&format!("{prefix}{number}"))?;
            self.cursor.expect('=')?;
        }
        Ok(is_entry)
    }

    fn entity<E: EntityRef>(&mut self, prefix: &str) -> Result<E> {
        self.cursor.read(&format!("`{prefix}` and a number"), |word| suffix(word, prefix).map(E::new))
    }

    /// A value, perhaps with its name for readers: `v7.lid`.
    fn value(&mut self) -> Result<Value> {
        self.cursor.read("`v` and a number", |word| suffix(word.split('.').next()?, "v").map(Value::new))
    }

    fn block(&mut self) -> Result<Block> {
        let block: Block = self.entity("block")?;
        self.highest.blocks = self.highest.blocks.max(block.index() + 1);
        Ok(block)
    }

    fn array(&mut self) -> Result<super::Array> {
        let array: super::Array = self.entity("arr")?;
        self.highest.arrays = self.highest.arrays.max(array.index() + 1);
        Ok(array)
    }

    fn at(&mut self) -> Result<Option<Location>> {
        if !self.cursor.eat('@') {
            return Ok(None);
        }
        let location: Location = self.entity("loc")?;
        self.highest.locations = self.highest.locations.max(location.index() + 1);
        Ok(Some(location))
    }

    fn keyword<K: Keyword>(&mut self, what: &str) -> Result<K> {
        self.cursor.read(what, K::from_word)
    }

    fn ty(&mut self) -> Result<Type> {
        if self.cursor.eat_word("pointer") {
            self.cursor.expect('(')?;
            let space = self.keyword("an address space")?;
            self.cursor.expect(')')?;
            return Ok(Type::Pointer(space));
        }
        self.cursor.read("a type", |word| match word {
            "bool" => Some(Type::Bool),
            _ => FloatType::from_word(word)
                .map(Type::Float)
                .or_else(|| word.strip_prefix("bv")?.parse().ok().filter(|&width| width > 0).map(Type::Bits)),
        })
    }

    fn bits(&mut self) -> Result<Bits> {
        self.cursor.read("a constant such as `5bv32`", |word| {
            let (digits, width) = word.split_once("bv")?;
            let width: u32 = width.parse().ok().filter(|&width| width > 0)?;
            let value = BigUint::parse_bytes(digits.as_bytes(), 10)?;
            (value.bits() <= u64::from(width)).then(|| Bits::new(width, value))
        })
    }

    fn location(&mut self) -> Result<LocationData> {
        let file: crate::source::File = self.entity("file")?;
        self.highest.files = self.highest.files.max(file.index() + 1);
        let line = self.cursor.number()?;
        self.cursor.expect(':')?;
        let column = self.cursor.number()?;
        let function = self.cursor.quoted()?;
        let inlined_at = if self.cursor.eat_word("inlined") { self.at()? } else { None };
        Ok(LocationData { file, line, column, inlined_at, function })
    }

    fn array_data(&mut self) -> Result<ArrayData> {
        let space = self.keyword("an address space")?;
        let origin = match self.cursor.word()?.as_str() {
            "parameter" => ArrayOrigin::Parameter,
            "variable" => ArrayOrigin::Variable,
            "library" => ArrayOrigin::Library,
            "stack" => ArrayOrigin::Stack,
            "aggregate" => ArrayOrigin::Aggregate,
            "image" => ArrayOrigin::Image { dimensions: self.cursor.number()? },
            _ => return Err(self.cursor.error("expected an array's origin")),
        };
        let name = self.cursor.quoted()?;
        let element = if self.cursor.eat_word("element") {
            let (name, bytes) = (self.cursor.quoted()?, self.cursor.number()?);
            let mut dimensions = Vec::new();
            while self.cursor.eat('[') {
                dimensions.push(self.cursor.number()?);
                self.cursor.expect(']')?;
            }
            Some(ElementLayout { name, bytes, dimensions })
        } else {
            None
        };
        let size = if self.cursor.eat_word("size") { Some(self.cursor.number()?) } else { None };
        let sized_by = if self.cursor.eat_word("sized") {
            let parameter = self.cursor.number()?;
            self.cursor.expect_word("units")?;
            Some(SizedBy { parameter, unit: self.cursor.number()? })
        } else {
            None
        };
        let contents = if self.cursor.eat_word("contents") {
            let digits = self.cursor.quoted()?;
            Some(bytes(&digits).ok_or_else(|| self.cursor.error("expected pairs of hexadecimal digits"))?)
        } else {
            None
        };
        let volatile = self.cursor.eat_word("volatile");
        let restrict = self.cursor.eat_word("restrict");
        let nonzero = self.cursor.eat_word("nonzero");
        Ok(ArrayData {
            name,
            space,
            origin,
            element,
            size,
            sized_by,
            contents,
            volatile,
            restrict,
            nonzero,
            location: self.at()?,
        })
    }

    fn parameter(&mut self) -> Result<Parameter> {
        let name = self.cursor.quoted()?;
        let kind = match self.cursor.word()?.as_str() {
            "scalar" => ParameterKind::Scalar(self.ty()?),
            "pointer" => ParameterKind::Pointer(self.array()?),
            "aggregate" => ParameterKind::Aggregate(self.array()?),
            "opaque" => ParameterKind::Opaque,
            _ => return Err(self.cursor.error("expected a kind of parameter")),
        };
        Ok(Parameter { name, kind })
    }

    fn block_data(&mut self, kernel: &mut Kernel) -> Result<()> {
        let block = kernel.blocks.next_key();
        self.cursor.expect_word(&block.to_string())?;
        let mut parameters = Vec::new();
        if self.cursor.eat('(') {
            loop {
                let index = u32::try_from(parameters.len()).map_err(|_| self.cursor.error("too many parameters"))?;
                parameters.push(self.declaration(Definition::Parameter(block, index))?);
                if !self.cursor.eat(',') {
                    break;
                }
            }
            self.cursor.expect(')')?;
        }
        self.cursor.expect(':')?;
        let mut instructions = Vec::new();
        loop {
            if let Some(terminator) = self.terminator()? {
                let location = self.at()?;
                kernel.blocks.push(BlockData { parameters, instructions, terminator, location });
                return Ok(());
            }
            let instruction = kernel.instructions.next_key();
            let declares = matches!(self.cursor.peek(), Token::Word(word) if suffix(word, "v").is_some());
            let result = if declares {
                let value = self.declaration(Definition::Result(instruction))?;
                self.cursor.expect('=')?;
                Some(value)
            } else {
                None
            };
            let operation = self.operation()?;
            let location = self.at()?;
            instructions.push(kernel.instructions.push(InstructionData { operation, result, location }));
        }
    }

    fn declaration(&mut self, definition: Definition) -> Result<Value> {
        let value = self.value()?;
        let name = if let Token::Quoted(_) = self.cursor.peek() { Some(self.cursor.quoted()?) } else { None };
        self.cursor.expect(':')?;
        let ty = self.ty()?;
        if self.values.insert(value, ValueData { ty, name, definition }).is_some() {
            return Err(self.cursor.error(format!("{value} is defined twice")));
        }
        Ok(value)
    }

    fn list(&mut self) -> Result<Vec<Value>> {
        self.cursor.expect('(')?;
        let mut values = Vec::new();
        if self.cursor.eat(')') {
            return Ok(values);
        }
        loop {
            values.push(self.value()?);
            if !self.cursor.eat(',') {
                break;
            }
        }
        self.cursor.expect(')')?;
        Ok(values)
    }

    fn target(&mut self) -> Result<Target> {
        let block = self.block()?;
        let arguments = if *self.cursor.peek() == Token::Symbol('(') { self.list()? } else { Vec::new() };
        Ok(Target { block, arguments })
    }

    fn terminator(&mut self) -> Result<Option<Terminator>> {
        let terminator = if self.cursor.eat_word("jump") {
            Terminator::Jump(self.target()?)
        } else if self.cursor.eat_word("branch") {
            let condition = self.value_and_comma()?;
            let then = self.target()?;
            self.cursor.expect(',')?;
            Terminator::Branch { condition, then, otherwise: self.target()? }
        } else if self.cursor.eat_word("switch") {
            let value = self.value_and_comma()?;
            let mut cases = Vec::new();
            while !self.cursor.eat_word("default") {
                let case = self.bits()?;
                self.cursor.expect(':')?;
                cases.push((case, self.target()?));
                self.cursor.expect(',')?;
            }
            self.cursor.expect(':')?;
            Terminator::Switch { value, cases, default: self.target()? }
        } else if self.cursor.eat_word("return") {
            Terminator::Return
        } else if self.cursor.eat_word("trap") {
            Terminator::Trap
        } else if self.cursor.eat_word("unreachable") {
            Terminator::Unreachable
        } else {
            return Ok(None);
        };
        Ok(Some(terminator))
    }

    fn value_and_comma(&mut self) -> Result<Value> {
        let value = self.value()?;
        self.cursor.expect(',')?;
        Ok(value)
    }

    fn two(&mut self) -> Result<(Value, Value)> {
        Ok((self.value_and_comma()?, self.value()?))
    }

    fn access(&mut self) -> Result<Access> {
        let pointer = self.value()?;
        self.cursor.expect_word("align")?;
        let alignment = self.cursor.number()?;
        let volatile = self.cursor.eat_word("volatile");
        let needs = if self.cursor.eat_word("copies") {
            Needs::Something
        } else if self.cursor.eat_word("keeps") {
            Needs::Nothing
        } else {
            Needs::Everything
        };
        Ok(Access { pointer, alignment, volatile, needs })
    }

    fn access_and_comma(&mut self) -> Result<Access> {
        let access = self.access()?;
        self.cursor.expect(',')?;
        Ok(access)
    }

    fn spaces(&mut self) -> Result<SpaceSet> {
        self.cursor.expect('{')?;
        let mut spaces = SpaceSet::default();
        while !self.cursor.eat('}') {
            match self.cursor.word()?.as_str() {
                "local" => spaces.local = true,
                "global" => spaces.global = true,
                "image" => spaces.image = true,
                "library" => spaces.library = true,
                _ => return Err(self.cursor.error("expected a memory")),
            }
            self.cursor.eat(',');
        }
        Ok(spaces)
    }

    fn operation(&mut self) -> Result<Operation> {
        let word = self.cursor.word()?;
        if let Some(op) = UnaryOp::from_word(&word) {
            return Ok(Operation::Unary(op, self.value()?));
        }
        if let Some(op) = BinaryOp::from_word(&word) {
            let signed = self.cursor.eat_word("no_signed_wrap");
            let unsigned = self.cursor.eat_word("no_unsigned_wrap");
            let meant = self.cursor.eat_word("meant");
            let partial = self.cursor.eat_word("partial");
            let (a, b) = self.two()?;
            return Ok(Operation::Binary(op, NoWrap { signed, unsigned, meant, partial }, a, b));
        }
        if let Some(op) = CompareOp::from_word(&word) {
            let (a, b) = self.two()?;
            return Ok(Operation::Compare(op, a, b));
        }
        if let Some(op) = ConvertOp::from_word(&word) {
            return Ok(Operation::Convert(op, self.value()?));
        }
        Ok(match word.as_str() {
            "constant" => Operation::Constant(self.bits()?),
            "undefined" => Operation::Undefined,
            "anything" => Operation::Anything,
            "choice" => Operation::Choice(if self.cursor.eat_word("of") { Some(self.value()?) } else { None }),
            "cached" => Operation::Cached { pointer: self.value_and_comma()?, value: self.value()? },
            "parameter" => Operation::Parameter(self.cursor.number()?),
            "query" => Operation::ThreadQuery(self.query()?),
            "contents" => Operation::Contents(self.contents()?),
            "select" => Operation::Select(self.value_and_comma()?, self.value_and_comma()?, self.value()?),
            "extract" => {
                let high = self.cursor.number()?;
                self.cursor.expect(',')?;
                let low = self.cursor.number()?;
                self.cursor.expect(',')?;
                Operation::Extract { high, low, value: self.value()? }
            }
            "concat" => Operation::Concat(self.value_and_comma()?, self.value()?),
            "float" => Operation::Float(self.keyword("a float operation")?, self.list()?),
            "uninterpreted" => Operation::Uninterpreted(self.cursor.quoted()?, self.list()?),
            "annotation" => Operation::Annotation { name: self.cursor.quoted()?, operands: self.list()? },
            "assume" => {
                let kind = self.keyword("a reason")?;
                Operation::Assume(self.value()?, kind)
            }
            "assert" => {
                let kind = self.keyword("a kind of assertion")?;
                Operation::Assert(self.value()?, kind)
            }
            "array_base" => Operation::ArrayBase(self.array()?),
            "null" => Operation::Null,
            "pointer_add" => {
                let in_bounds = self.cursor.eat_word("in_bounds");
                let (pointer, offset) = self.two()?;
                Operation::PointerAdd { pointer, offset, in_bounds }
            }
            "space_cast" => Operation::SpaceCast(self.value()?),
            "pointer_to_integer" => Operation::PointerToInteger(self.value()?),
            "integer_to_pointer" => Operation::IntegerToPointer(self.value()?),
            "pointer_equal" => Operation::PointerEqual(self.value_and_comma()?, self.value()?),
            "pointer_difference" => Operation::PointerDifference(self.value_and_comma()?, self.value()?),
            _ => return self.memory(&word),
        })
    }

    fn contents(&mut self) -> Result<ContentsFact, TextError> {
        let kind = self.keyword("a fact about contents")?;
        let (array, element) = (self.array()?, self.cursor.number()?);
        let signed = self.cursor.eat_word("signed");
        if !signed {
            self.cursor.expect_word("unsigned")?;
        }
        let mut bounds = None;
        if self.cursor.eat_word("from") {
            let least = self.value()?;
            self.cursor.expect_word("to")?;
            bounds = Some([least, self.value()?]);
        }
        Ok(ContentsFact { kind, array, element, signed, bounds })
    }

    fn query(&mut self) -> Result<ThreadQuery> {
        Ok(match self.cursor.word()?.as_str() {
            "local_id" => ThreadQuery::LocalId(self.cursor.number()?),
            "group_id" => ThreadQuery::GroupId(self.cursor.number()?),
            "global_id" => ThreadQuery::GlobalId(self.cursor.number()?),
            "local_size" => ThreadQuery::LocalSize(self.cursor.number()?),
            "num_groups" => ThreadQuery::NumGroups(self.cursor.number()?),
            "global_size" => ThreadQuery::GlobalSize(self.cursor.number()?),
            "global_offset" => ThreadQuery::GlobalOffset(self.cursor.number()?),
            "dimensions" => ThreadQuery::Dimensions,
            "lane_id" => ThreadQuery::LaneId,
            "warp_size" => ThreadQuery::WarpSize,
            _ => return Err(self.cursor.error("expected a query")),
        })
    }

    fn memory(&mut self, word: &str) -> Result<Operation> {
        Ok(match word {
            "load" => Operation::Load(self.access()?),
            "store" => Operation::Store(self.access_and_comma()?, self.value()?),
            "atomic" => {
                let op = self.keyword("an atomic operation")?;
                let ordering = self.keyword("an ordering")?;
                let failing = if self.cursor.eat_word("failing") { Some(self.keyword("an ordering")?) } else { None };
                let scope = self.keyword("a scope")?;
                Operation::Atomic { op, ordering, failing, scope, access: self.access()?, operands: self.list()? }
            }
            "memory_copy" => {
                let (to, from) = (self.access_and_comma()?, self.access_and_comma()?);
                Operation::MemoryCopy { to, from, bytes: self.value()? }
            }
            "memory_set" => {
                let (to, value) = (self.access_and_comma()?, self.value_and_comma()?);
                Operation::MemorySet { to, value, bytes: self.value()? }
            }
            "image_read" => Operation::ImageRead { image: self.value()?, coordinates: self.list()? },
            "image_write" => {
                let (image, coordinates) = (self.value()?, self.list()?);
                self.cursor.expect(',')?;
                Operation::ImageWrite { image, coordinates, value: self.value()? }
            }
            "fence" => {
                let (ordering, scope) = (self.keyword("an ordering")?, self.keyword("a scope")?);
                Operation::Fence { ordering, scope, spaces: self.spaces()? }
            }
            "barrier" => {
                let (kind, spaces) = (self.barrier()?, self.spaces()?);
                let flags = if self.cursor.eat_word("flags") { Some(self.value()?) } else { None };
                Operation::Barrier { kind, spaces, flags }
            }
            "warp" => {
                let op = self.keyword("a warp exchange")?;
                let mask = if self.cursor.eat_word("mask") { Some(self.value()?) } else { None };
                Operation::WarpExchange { op, mask, operands: self.list()? }
            }
            "group" => Operation::GroupExchange { op: self.keyword("a group exchange")?, predicate: self.value()? },
            "async_copy" => {
                let group = self.keyword("the threads of a copy")?;
                let (to, from, count) = (self.access_and_comma()?, self.access_and_comma()?, self.value()?);
                self.cursor.expect_word("bytes")?;
                let element_bytes = self.cursor.number()?;
                let stride = if self.cursor.eat_word("stride") {
                    Some((self.keyword("`from` or `to`")?, self.value()?))
                } else {
                    None
                };
                let event = if self.cursor.eat_word("event") { Some(self.value()?) } else { None };
                Operation::AsyncCopy { group, to, from, count, element_bytes, stride, event }
            }
            "async_wait" => Operation::AsyncWait(match self.cursor.word()?.as_str() {
                "events" => AsyncWait::Events(self.list()?),
                "commit" => AsyncWait::Commit,
                "all_but" => AsyncWait::AllBut(self.value()?),
                "batches" => {
                    let kept = self.cursor.number()?;
                    let closed = if self.cursor.eat_word("of") { Some(self.value()?) } else { None };
                    AsyncWait::Batches { closed, kept }
                }
                _ => return Err(self.cursor.error("expected what is waited for")),
            }),
            "counted" => Operation::Counted(self.list()?),
            "phase" => {
                let op = self.keyword("a phase operation")?;
                Operation::Phase { op, object: self.value()?, operands: self.list()? }
            }
            _ => return Err(self.cursor.error(format!("unknown operation `{word}`"))),
        })
    }

    fn barrier(&mut self) -> Result<BarrierKind> {
        Ok(match self.cursor.word()?.as_str() {
            "group" => BarrierKind::Group,
            "named" => {
                let id = self.value()?;
                let count = if self.cursor.eat_word("count") { Some(self.value()?) } else { None };
                BarrierKind::Named { id, count }
            }
            "arrive" => {
                let id = self.value()?;
                self.cursor.expect_word("count")?;
                BarrierKind::Arrive { id, count: self.value()? }
            }
            "warp" => BarrierKind::Warp { mask: if self.cursor.eat_word("mask") { Some(self.value()?) } else { None } },
            "grid" => BarrierKind::Grid,
            "cluster" => BarrierKind::Cluster,
            _ => return Err(self.cursor.error("expected for whom the barrier waits")),
        })
    }

    fn check_references(&self, kernel: &Kernel) -> Result<()> {
        let tables = [
            (self.highest.files, kernel.files.len(), "file"),
            (self.highest.locations, kernel.locations.len(), "location"),
            (self.highest.arrays, kernel.arrays.len(), "array"),
            (self.highest.blocks, kernel.blocks.len(), "block"),
        ];
        match tables.into_iter().find(|(highest, count, _)| highest > count) {
            Some((highest, _, what)) => Err(self.cursor.error(format!("there is no {what} {}", highest - 1))),
            None => Ok(()),
        }
    }

    /// Numbers the values densely, in the order of their numbers in the text.
    fn number_values(&mut self, kernel: &mut Kernel) -> Result<()> {
        let mut numbers = BTreeMap::new();
        for (number, data) in std::mem::take(&mut self.values) {
            numbers.insert(number, kernel.values.push(data));
        }
        let mut unknown = None;
        let mut rename = |value: &mut Value| match numbers.get(value) {
            Some(&number) => *value = number,
            None => unknown = Some(*value),
        };
        for data in kernel.blocks.values_mut() {
            data.parameters.iter_mut().for_each(&mut rename);
            data.terminator.for_each_operand_mut(&mut rename);
        }
        for data in kernel.instructions.values_mut() {
            data.operation.for_each_operand_mut(&mut rename);
            data.result.iter_mut().for_each(&mut rename);
        }
        unknown.map_or(Ok(()), |value| Err(self.cursor.error(format!("{value} is not defined"))))
    }
}

/// The number after a prefix, if it is a valid number of an entity.
fn suffix(word: &str, prefix: &str) -> Option<usize> {
    let digits = word.strip_prefix(prefix)?;
    let number: u32 = digits.bytes().all(|digit| digit.is_ascii_digit()).then(|| digits.parse().ok())??;
    usize::try_from(number).ok().filter(|_| number < u32::MAX)
}

fn bytes(digits: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> =
        digits.chars().map(|digit| digit.to_digit(16).and_then(|digit| u8::try_from(digit).ok())).collect();
    let digits = digits?;
    digits.len().is_multiple_of(2).then(|| digits.chunks(2).map(|pair| pair[0] * 16 + pair[1]).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::kernel::random::{self, Random, Vocabulary};
    use crate::kernel::{print, print_with_source};

    /// The kernel with its instructions numbered in the order of the blocks, as parsing numbers
    /// them.
    fn numbered(kernel: &Kernel) -> Kernel {
        let mut result = kernel.clone();
        result.instructions = PrimaryMap::new();
        for data in result.blocks.values_mut() {
            for instruction in &mut data.instructions {
                let new = result.instructions.push(kernel.instructions[*instruction].clone());
                if let Some(value) = result.instructions[new].result {
                    result.values[value].definition = Definition::Result(new);
                }
                *instruction = new;
            }
        }
        result
    }

    proptest! {
        #[test]
        fn printed_kernels_are_read_back(seed: u64, size in 1usize..10) {
            let kernel = random::kernel(seed, size, Vocabulary::Everything);
            let text = print(&kernel);
            let read = parse(&text).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
            prop_assert_eq!(print(&read), text.clone());
            prop_assert_eq!(format!("{:?}", read), format!("{:?}", numbered(&kernel)));
            // The text with the source beside it parses to the same kernel.
            let with_source = print_with_source(&kernel, &|_, line| Some(format!("line {line}\n\"{{")));
            let read = parse(&with_source).map_err(|error| TestCaseError::fail(format!("{error}\n{with_source}")))?;
            prop_assert_eq!(print(&read), text);
        }

        #[test]
        fn mutilated_texts_do_not_panic(seed: u64, cuts in 1usize..6) {
            let kernel = random::kernel(seed, 5, Vocabulary::Everything);
            let mut text: Vec<char> = print(&kernel).chars().collect();
            let mut random = Random::new(seed ^ 0xABCD);
            for _ in 0..cuts {
                let place = random.below(text.len());
                match random.below(3) {
                    0 => { text.remove(place); }
                    1 => text[place] = ['9', '"', '(', 'v', '\n', ':', '\\'][random.below(7)],
                    _ => { let other = random.below(text.len()); text.swap(place, other); }
                }
            }
            if let Ok(kernel) = parse(&text.into_iter().collect::<String>()) {
                print(&kernel);
                // The verifier does not panic on any parsed kernel either.
                let _ = crate::kernel::verify(kernel);
            }
        }
    }

    #[test]
    fn errors_name_the_line() {
        let error = parse("kernel \"k\" cuda pointers 64\nentry block0\nblock0:\n    nonsense v1\n").unwrap_err();
        assert_eq!((error.line, error.message.as_str()), (4, "unknown operation `nonsense`"));
        let error = parse("kernel \"k\" cuda pointers 64\nentry block0\nblock0: jump block1\n").unwrap_err();
        assert!(error.message.contains("no block 1"));
    }
}
