//! Declarations of variables and parameters: state space, alignment, type, dimensions, initial
//! values.

use super::read::{Reader, Token};
use super::types::PtxType;
use crate::builtins::Unsupported;

/// The declaration of a parameter's target.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Pointee {
    /// There is none: the parameter may be a pointer or a number.
    #[default]
    NotDeclared,
    /// `.ptr`: any memory, for a kernel global one.
    Anything,
    /// `.ptr .shared`: memory of this state space.
    Space(String),
}

/// A variable or a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// The state space: `shared`, `param`.
    pub space: String,
    /// Whether another module defines it. For shared memory, the launch determines its size.
    pub is_extern: bool,
    /// The type of an element: `b8`, `u64`, `texref`.
    pub ty: String,
    /// The name.
    pub name: String,
    /// The alignment in bytes; that of the type if 0.
    pub alignment: u32,
    /// The number of elements of the vector that an element is (`.v4`), or 1.
    pub vector: u64,
    /// The sizes of the dimensions; 0 for `[]`.
    pub dimensions: Vec<u64>,
    /// For a parameter, whether it is declared to be a pointer.
    pub pointee: Pointee,
    /// Whether it has initial values.
    pub is_initialised: bool,
    /// The line.
    pub line: u32,
}

impl Variable {
    /// The size of an element in bytes; `None` for opaque types (`texref`).
    pub fn element_bytes(&self) -> Option<u64> {
        let width = PtxType::parse(&self.ty)?.width;
        u64::from(width / 8).checked_mul(self.vector).filter(|bytes| *bytes > 0)
    }

    /// The size in bytes, which is 0 for `[]`; `None` if it is not known or absurd.
    pub fn bytes(&self) -> Option<u64> {
        self.dimensions.iter().try_fold(self.element_bytes()?, |bytes, count| bytes.checked_mul(*count))
    }
}

/// Reads the declaration of one or several variables, without the semicolon behind it.
pub fn variables(reader: &mut Reader<'_>) -> Result<Vec<Variable>, Unsupported> {
    let declared = attributes(reader)?;
    let mut variables = Vec::new();
    loop {
        let mut variable = declared.clone();
        variable.name = reader.word().ok_or_else(|| reader.unreadable())?;
        variable.dimensions = dimensions(reader)?;
        if reader.takes('=') {
            variable.is_initialised = true;
            initial_value(reader)?;
            sized_by_initial_value(&mut variable);
        }
        variables.push(variable);
        if !reader.takes(',') {
            return Ok(variables);
        }
    }
}

/// Reads one parameter of a function. A register is a parameter without a state space of its own.
pub fn parameter(reader: &mut Reader<'_>) -> Result<Variable, Unsupported> {
    let mut declared = attributes(reader)?;
    declared.name = reader.word().ok_or_else(|| reader.unreadable())?;
    declared.dimensions = dimensions(reader)?;
    Ok(declared)
}

/// The sizes of the dimensions behind a name.
fn dimensions(reader: &mut Reader<'_>) -> Result<Vec<u64>, Unsupported> {
    let mut dimensions = Vec::new();
    while reader.takes('[') {
        if reader.takes(']') {
            dimensions.push(0);
        } else {
            dimensions.push(reader.natural()?);
            reader.expect(']')?;
        }
    }
    Ok(dimensions)
}

/// A variable without a name, as the words before the name declare it.
fn attributes(reader: &mut Reader<'_>) -> Result<Variable, Unsupported> {
    let mut declared = Variable {
        space: String::new(),
        is_extern: false,
        ty: String::new(),
        name: String::new(),
        alignment: 0,
        vector: 1,
        dimensions: Vec::new(),
        pointee: Pointee::NotDeclared,
        is_initialised: false,
        line: reader.line(),
    };
    while let Some(Token::Word(word)) = reader.peek() {
        let Some(word) = word.strip_prefix('.').map(str::to_owned) else { break };
        let start = reader.next;
        reader.next += 1;
        match word.as_str() {
            "visible" | "weak" | "common" | "internal" => {}
            "extern" => declared.is_extern = true,
            "param" | "shared" | "global" | "const" | "local" | "reg" | "tex" if declared.space.is_empty() => {
                declared.space = word;
            }
            "align" => {
                let alignment: u32 = reader.natural()?;
                // The alignment behind `.ptr` is that of the memory.
                if declared.pointee == Pointee::NotDeclared {
                    declared.alignment = alignment;
                }
            }
            "ptr" => declared.pointee = Pointee::Anything,
            "global" | "shared" | "const" | "local" if declared.pointee != Pointee::NotDeclared => {
                declared.pointee = Pointee::Space(word);
            }
            "v2" => declared.vector = 2,
            "v4" => declared.vector = 4,
            "attribute" => {
                reader.expect('(')?;
                while reader.peek().is_some() && !reader.takes(')') {
                    reader.next += 1;
                }
            }
            "texref" | "samplerref" | "surfref" => declared.ty = word,
            _ if PtxType::parse(&word).is_some() && declared.ty.is_empty() => declared.ty = word,
            _ => {
                reader.next = start;
                return Err(reader.unreadable());
            }
        }
    }
    if declared.ty.is_empty() || declared.space.is_empty() {
        return Err(reader.unreadable());
    }
    Ok(declared)
}

/// Goes over an initial value: a number, an address, or a list of these in braces.
fn initial_value(reader: &mut Reader<'_>) -> Result<(), Unsupported> {
    let mut depth = 0_u32;
    loop {
        match reader.peek() {
            Some(Token::Mark('{')) => depth += 1,
            Some(Token::Mark('}')) if depth > 0 => depth -= 1,
            Some(Token::Mark(',')) if depth == 0 => return Ok(()),
            None | Some(Token::Mark(';' | '}')) => return Ok(()),
            Some(_) => {}
        }
        reader.next += 1;
    }
}

/// `[]` before an initial value takes its size from there, which no access needs to know.
fn sized_by_initial_value(variable: &mut Variable) {
    if variable.dimensions.contains(&0) {
        variable.is_extern = true;
    }
}
