//! Prints kernels in the text format that [`super::parse`] reads back.
//!
//! The tables come first (files, locations, arrays, parameters), then the blocks in order. A value
//! is declared as `v7 "name": type`. Keywords are those of `keyword`; names of the source are
//! quoted.
//!
//! [`print_with_source`] writes the same for people: the source lines are comments above the
//! instructions that come from them. Operands carry their source names, as in `add v7.lid, v9`.

use std::fmt::{self, Display, Write};

use super::keyword::Keyword;
use super::{
    Access, ArrayData, ArrayOrigin, AsyncWait, BarrierKind, Block, ContentsFact, Kernel, Needs, NotPassed, Operation,
    ParameterKind, SizedBy, Space, SpaceSet, Target, Terminator, ThreadQuery, Type, Value,
};
use crate::source::{File, Location};

/// The text of a kernel.
pub fn print(kernel: &Kernel) -> String {
    let mut text = String::new();
    write_kernel(&mut text, kernel, None).expect("writing to a string does not fail");
    text
}

/// The text of a source line, by file name and line number.
pub type SourceLine<'a> = dyn Fn(&str, u32) -> Option<String> + 'a;

/// The text of a kernel with its source beside it.
pub fn print_with_source(kernel: &Kernel, source_line: &SourceLine<'_>) -> String {
    let mut text = String::new();
    write_kernel(&mut text, kernel, Some(source_line)).expect("writing to a string does not fail");
    text
}

impl Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => f.write_str("bool"),
            Self::Bits(width) => write!(f, "bv{width}"),
            Self::Float(float) => f.write_str(float.word()),
            Self::Pointer(space) => write!(f, "pointer({})", space.word()),
        }
    }
}

/// A name in quotes, with all characters escaped that could end it or the line.
struct Quoted<'a>(&'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for character in self.0.chars() {
            match character {
                '"' | '\\' => write!(f, "\\{character}")?,
                _ if character.is_control() => write!(f, "\\u{{{:x}}}", u32::from(character))?,
                _ => f.write_char(character)?,
            }
        }
        f.write_char('"')
    }
}

struct List<'a>(&'a [Value]);

impl Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('(')?;
        for (index, value) in self.0.iter().enumerate() {
            write!(f, "{}{value}", if index > 0 { ", " } else { "" })?;
        }
        f.write_char(')')
    }
}

impl Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.block)?;
        if self.arguments.is_empty() { Ok(()) } else { write!(f, "{}", List(&self.arguments)) }
    }
}

impl Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} align {}", self.pointer, self.alignment)?;
        f.write_str(if self.volatile { " volatile" } else { "" })?;
        f.write_str(match self.needs {
            Needs::Everything => "",
            Needs::Something => " copies",
            Needs::Nothing => " keeps",
        })
    }
}

impl Display for SpaceSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = [(self.local, "local"), (self.global, "global"), (self.image, "image"), (self.library, "library")];
        let words: Vec<&str> = words.into_iter().filter(|(holds, _)| *holds).map(|(_, word)| word).collect();
        write!(f, "{{{}}}", words.join(", "))
    }
}

struct At(Option<Location>);

impl Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |location| write!(f, " @{location}"))
    }
}

fn write_kernel(f: &mut String, kernel: &Kernel, source_line: Option<&SourceLine<'_>>) -> fmt::Result {
    let (name, language) = (Quoted(&kernel.name), kernel.language.word());
    writeln!(f, "kernel {name} {language} pointers {}{}", kernel.pointer_bits, At(kernel.location))?;
    if let Some([x, y, z]) = kernel.launch.required_group_size {
        writeln!(f, "required_group_size {x} {y} {z}")?;
    }
    if let Some(threads) = kernel.launch.max_group_threads {
        writeln!(f, "max_group_threads {threads}")?;
    }
    for (file, path) in &kernel.files {
        writeln!(f, "{file} = {}", Quoted(path))?;
    }
    for (location, data) in &kernel.locations {
        write!(f, "{location} = {} {}:{} {}", data.file, data.line, data.column, Quoted(&data.function))?;
        match data.inlined_at {
            Some(at) => writeln!(f, " inlined{}", At(Some(at)))?,
            None => writeln!(f)?,
        }
    }
    for (array, data) in &kernel.arrays {
        write!(f, "{array} = ")?;
        write_array(f, data)?;
    }
    for (index, parameter) in kernel.parameters.iter().enumerate() {
        write!(f, "parameter {} ", Quoted(&parameter.name))?;
        match parameter.kind {
            ParameterKind::Scalar(ty) => write!(f, "scalar {ty}")?,
            ParameterKind::Pointer(array) => write!(f, "pointer {array}")?,
            ParameterKind::Aggregate(array) => write!(f, "aggregate {array}")?,
            ParameterKind::Opaque => write!(f, "opaque")?,
        }
        match index.checked_sub(kernel.passed().len()).and_then(|position| kernel.not_passed.get(position)) {
            Some(NotPassed::Field(field)) => writeln!(f, " field {} {}", field.parameter, field.at)?,
            Some(NotPassed::Host) => writeln!(f, " host")?,
            None => writeln!(f)?,
        }
    }
    writeln!(f, "entry {}", kernel.entry)?;
    let mut source = Source { kernel, text_of_line: source_line, shown: None };
    for block in kernel.blocks.keys() {
        write_block(f, block, &mut source)?;
    }
    Ok(())
}

fn write_block(f: &mut String, block: Block, source: &mut Source<'_>) -> fmt::Result {
    let kernel = source.kernel;
    let data = &kernel.blocks[block];
    write!(f, "\n{block}")?;
    for (index, &parameter) in data.parameters.iter().enumerate() {
        f.write_str(if index == 0 { "(" } else { ", " })?;
        write_declaration(f, kernel, parameter)?;
    }
    writeln!(f, "{}:", if data.parameters.is_empty() { "" } else { ")" })?;
    source.shown = None;
    for &instruction in &data.instructions {
        let data = &kernel.instructions[instruction];
        source.write_line(f, data.location)?;
        f.write_str("    ")?;
        if let Some(result) = data.result {
            write_declaration(f, kernel, result)?;
            f.write_str(" = ")?;
        }
        let mut operation = String::new();
        write_operation(&mut operation, &data.operation)?;
        writeln!(f, "{}{}", source.named(operation), At(data.location))?;
    }
    source.write_line(f, data.location)?;
    let mut terminator = String::new();
    write_terminator(&mut terminator, &data.terminator)?;
    writeln!(f, "    {}{}", source.named(terminator), At(data.location))
}

/// The state of printing a kernel with its source beside it.
struct Source<'a> {
    kernel: &'a Kernel,
    text_of_line: Option<&'a SourceLine<'a>>,
    /// The file and line shown last.
    shown: Option<(File, u32)>,
}

impl Source<'_> {
    /// The source line that an instruction comes from, as a comment, unless it was shown last.
    fn write_line(&mut self, f: &mut String, location: Option<Location>) -> fmt::Result {
        let Some(source_line) = self.text_of_line else { return Ok(()) };
        let Some(data) = location.map(|location| &self.kernel.locations[location]) else { return Ok(()) };
        if data.line == 0 || self.shown == Some((data.file, data.line)) {
            return Ok(());
        }
        self.shown = Some((data.file, data.line));
        let name = &self.kernel.files[data.file];
        let text = source_line(name, data.line).unwrap_or_default();
        let place = if self.kernel.files.len() > 1 { format!("{name}:{}", data.line) } else { data.line.to_string() };
        let comment = format!("{place}: {}", text.trim());
        writeln!(f, "    // {}", comment.replace(|c: char| c.is_control(), " ").trim_end_matches([' ', ':']))
    }

    /// The text of an instruction with the names of its operands: `v7.lid` for `v7`.
    fn named(&self, text: String) -> String {
        if self.text_of_line.is_none() || text.contains('"') {
            return text;
        }
        let mut named = String::with_capacity(text.len());
        for piece in text.split_inclusive(|c: char| !c.is_ascii_alphanumeric()) {
            let word = piece.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
            named.push_str(word);
            let number = word.strip_prefix('v').and_then(|number| number.parse().ok());
            let value = number.map(Value::from_u32).and_then(|value| self.kernel.values.get(value));
            if let Some(name) = value.and_then(|data| data.name.as_deref()) {
                named.push('.');
                named.extend(name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }));
            }
            named.push_str(&piece[word.len()..]);
        }
        named
    }
}

fn write_array(f: &mut String, data: &ArrayData) -> fmt::Result {
    write!(f, "{} ", data.space.word())?;
    match data.origin {
        ArrayOrigin::Parameter => f.write_str("parameter")?,
        ArrayOrigin::Variable => f.write_str("variable")?,
        ArrayOrigin::Library => f.write_str("library")?,
        ArrayOrigin::Stack => f.write_str("stack")?,
        ArrayOrigin::Aggregate => f.write_str("aggregate")?,
        ArrayOrigin::Image { dimensions } => write!(f, "image {dimensions}")?,
    }
    write!(f, " {}", Quoted(&data.name))?;
    if let Some(element) = &data.element {
        write!(f, " element {} {}", Quoted(&element.name), element.bytes)?;
        for dimension in &element.dimensions {
            write!(f, "[{dimension}]")?;
        }
    }
    if let Some(size) = data.size {
        write!(f, " size {size}")?;
    }
    if let Some(SizedBy { parameter, unit }) = data.sized_by {
        write!(f, " sized {parameter} units {unit}")?;
    }
    if let Some(contents) = &data.contents {
        f.write_str(" contents \"")?;
        for byte in contents {
            write!(f, "{byte:02x}")?;
        }
        f.write_char('"')?;
    }
    let flag = |holds: bool, word: &'static str| if holds { word } else { "" };
    let flags = [flag(data.volatile, " volatile"), flag(data.restrict, " restrict"), flag(data.nonzero, " nonzero")];
    writeln!(f, "{}{}", flags.concat(), At(data.location))
}

fn write_declaration(f: &mut String, kernel: &Kernel, value: Value) -> fmt::Result {
    let data = &kernel.values[value];
    match &data.name {
        Some(name) => write!(f, "{value} {}: {}", Quoted(name), data.ty),
        None => write!(f, "{value}: {}", data.ty),
    }
}

fn write_terminator(f: &mut String, terminator: &Terminator) -> fmt::Result {
    match terminator {
        Terminator::Jump(target) => write!(f, "jump {target}"),
        Terminator::Branch { condition, then, otherwise } => write!(f, "branch {condition}, {then}, {otherwise}"),
        Terminator::Switch { value, cases, default } => {
            write!(f, "switch {value}, ")?;
            for (case, target) in cases {
                write!(f, "{case}: {target}, ")?;
            }
            write!(f, "default: {default}")
        }
        Terminator::Return => f.write_str("return"),
        Terminator::Trap => f.write_str("trap"),
        Terminator::Unreachable => f.write_str("unreachable"),
    }
}

fn write_operation(f: &mut String, operation: &Operation) -> fmt::Result {
    match operation {
        Operation::Constant(bits) => write!(f, "constant {bits}"),
        Operation::Undefined => f.write_str("undefined"),
        Operation::Anything => f.write_str("anything"),
        Operation::Choice(None) => f.write_str("choice"),
        Operation::Choice(Some(taken)) => write!(f, "choice of {taken}"),
        Operation::Cached { pointer, value } => write!(f, "cached {pointer}, {value}"),
        Operation::Parameter(index) => write!(f, "parameter {index}"),
        Operation::ThreadQuery(query) => {
            write!(f, "query {}", query.word())?;
            query.dimension().map_or(Ok(()), |dimension| write!(f, " {dimension}"))
        }
        Operation::Contents(ContentsFact { kind, array, element, signed, bounds }) => {
            let sign = if *signed { "signed" } else { "unsigned" };
            write!(f, "contents {} {array} {element} {sign}", kind.word())?;
            bounds.map_or(Ok(()), |[least, end]| write!(f, " from {least} to {end}"))
        }
        Operation::Unary(op, a) => write!(f, "{} {a}", op.word()),
        Operation::Binary(op, no_wrap, a, b) => {
            let signed = if no_wrap.signed { " no_signed_wrap" } else { "" };
            let unsigned = if no_wrap.unsigned { " no_unsigned_wrap" } else { "" };
            let meant = if no_wrap.meant { " meant" } else { "" };
            let partial = if no_wrap.partial { " partial" } else { "" };
            write!(f, "{}{signed}{unsigned}{meant}{partial} {a}, {b}", op.word())
        }
        Operation::Compare(op, a, b) => write!(f, "{} {a}, {b}", op.word()),
        Operation::Select(a, b, c) => write!(f, "select {a}, {b}, {c}"),
        Operation::Convert(op, a) => write!(f, "{} {a}", op.word()),
        Operation::Extract { high, low, value } => write!(f, "extract {high}, {low}, {value}"),
        Operation::Concat(a, b) => write!(f, "concat {a}, {b}"),
        Operation::Float(op, operands) => write!(f, "float {} {}", op.word(), List(operands)),
        Operation::Uninterpreted(name, operands) => write!(f, "uninterpreted {} {}", Quoted(name), List(operands)),
        Operation::ArrayBase(array) => write!(f, "array_base {array}"),
        Operation::Null => f.write_str("null"),
        Operation::PointerAdd { pointer, offset, in_bounds } => {
            write!(f, "pointer_add{} {pointer}, {offset}", if *in_bounds { " in_bounds" } else { "" })
        }
        Operation::SpaceCast(a) => write!(f, "space_cast {a}"),
        Operation::PointerToInteger(a) => write!(f, "pointer_to_integer {a}"),
        Operation::IntegerToPointer(a) => write!(f, "integer_to_pointer {a}"),
        Operation::PointerEqual(a, b) => write!(f, "pointer_equal {a}, {b}"),
        Operation::PointerDifference(a, b) => write!(f, "pointer_difference {a}, {b}"),
        Operation::Load(access) => write!(f, "load {access}"),
        Operation::Store(access, value) => write!(f, "store {access}, {value}"),
        Operation::Atomic { access, op, operands, ordering, failing, scope } => {
            write!(f, "atomic {} {} ", op.word(), ordering.word())?;
            failing.map_or(Ok(()), |ordering| write!(f, "failing {} ", ordering.word()))?;
            write!(f, "{} {access} {}", scope.word(), List(operands))
        }
        Operation::MemoryCopy { to, from, bytes } => write!(f, "memory_copy {to}, {from}, {bytes}"),
        Operation::MemorySet { to, value, bytes } => write!(f, "memory_set {to}, {value}, {bytes}"),
        Operation::ImageRead { image, coordinates } => write!(f, "image_read {image} {}", List(coordinates)),
        Operation::ImageWrite { image, coordinates, value } => {
            write!(f, "image_write {image} {}, {value}", List(coordinates))
        }
        Operation::Fence { ordering, scope, spaces } => {
            write!(f, "fence {} {} {spaces}", ordering.word(), scope.word())
        }
        Operation::Barrier { kind, spaces, flags } => {
            f.write_str("barrier ")?;
            match kind {
                BarrierKind::Group => f.write_str("group")?,
                BarrierKind::Named { id, count: None } => write!(f, "named {id}")?,
                BarrierKind::Named { id, count: Some(count) } => write!(f, "named {id} count {count}")?,
                BarrierKind::Arrive { id, count } => write!(f, "arrive {id} count {count}")?,
                BarrierKind::Warp { mask: None } => f.write_str("warp")?,
                BarrierKind::Warp { mask: Some(mask) } => write!(f, "warp mask {mask}")?,
                BarrierKind::Grid => f.write_str("grid")?,
                BarrierKind::Cluster => f.write_str("cluster")?,
            }
            write!(f, " {spaces}")?;
            if let Some(flags) = flags {
                write!(f, " flags {flags}")?;
            }
            Ok(())
        }
        Operation::WarpExchange { op, mask, operands } => {
            write!(f, "warp {}", op.word())?;
            if let Some(mask) = mask {
                write!(f, " mask {mask}")?;
            }
            write!(f, " {}", List(operands))
        }
        Operation::GroupExchange { op, predicate } => write!(f, "group {} {predicate}", op.word()),
        Operation::AsyncCopy { group, to, from, count, element_bytes, stride, event } => {
            write!(f, "async_copy {} {to}, {from}, {count} bytes {element_bytes}", group.word())?;
            if let Some((side, distance)) = stride {
                write!(f, " stride {} {distance}", side.word())?;
            }
            event.map_or(Ok(()), |event| write!(f, " event {event}"))
        }
        Operation::AsyncWait(AsyncWait::Events(events)) => write!(f, "async_wait events {}", List(events)),
        Operation::AsyncWait(AsyncWait::Commit) => f.write_str("async_wait commit"),
        Operation::AsyncWait(AsyncWait::AllBut(later)) => write!(f, "async_wait all_but {later}"),
        Operation::AsyncWait(AsyncWait::Batches { closed: None, kept }) => write!(f, "async_wait batches {kept}"),
        Operation::AsyncWait(AsyncWait::Batches { closed: Some(closed), kept }) => {
            write!(f, "async_wait batches {kept} of {closed}")
        }
        Operation::Phase { op, object, operands } => write!(f, "phase {} {object} {}", op.word(), List(operands)),
        Operation::Counted(numbers) => write!(f, "counted {}", List(numbers)),
        Operation::Assume(condition, kind) => write!(f, "assume {} {condition}", kind.word()),
        Operation::Assert(condition, kind) => write!(f, "assert {} {condition}", kind.word()),
        Operation::Annotation { name, operands } => write!(f, "annotation {} {}", Quoted(name), List(operands)),
    }
}

impl ThreadQuery {
    /// The query's word in the text format, without its dimension.
    pub fn word(self) -> &'static str {
        match self {
            Self::LocalId(_) => "local_id",
            Self::GroupId(_) => "group_id",
            Self::GlobalId(_) => "global_id",
            Self::LocalSize(_) => "local_size",
            Self::NumGroups(_) => "num_groups",
            Self::GlobalSize(_) => "global_size",
            Self::GlobalOffset(_) => "global_offset",
            Self::Dimensions => "dimensions",
            Self::LaneId => "lane_id",
            Self::WarpSize => "warp_size",
        }
    }
}
