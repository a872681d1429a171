//! Reads a whole file of PTX: functions, variables, and the files that `.loc` directives mean.
//!
//! The error is for text that is no PTX at all. An instruction in an unknown form is none: it
//! stays as it is ([`Statement::Unread`](super::read::Statement::Unread)), and only kernels that
//! execute it are refused.

use std::collections::BTreeMap;

use super::declare::{self, Variable};
use super::read::{Line, Reader, Token, tokens};
use crate::builtins::Unsupported;

/// The contents of a file.
#[derive(Debug, Default)]
pub struct Module {
    /// 32 or 64.
    pub address_bits: u32,
    /// The paths that `.file` directives give, by number.
    pub files: BTreeMap<u32, String>,
    /// The variables at file scope.
    pub variables: Vec<Variable>,
    /// The functions, in order. A function may be declared before it is defined.
    pub functions: Vec<Function>,
}

/// A function.
#[derive(Debug, Default)]
pub struct Function {
    /// Whether it is a kernel.
    pub is_entry: bool,
    /// The name.
    pub name: String,
    /// The line of its name.
    pub line: u32,
    /// The parameters for its results.
    pub results: Vec<Variable>,
    /// The parameters.
    pub parameters: Vec<Variable>,
    /// The block's sizes that `.reqntid` gives.
    pub required: Option<[u32; 3]>,
    /// The largest number of threads in a block, of `.maxntid`.
    pub most_threads: Option<u32>,
    /// The body; `None` for a declaration.
    pub body: Option<Vec<Line>>,
}

impl Module {
    /// The definition of a function, or its declaration if there is no other.
    pub fn function(&self, name: &str) -> Option<&Function> {
        let named = || self.functions.iter().filter(|function| function.name == name);
        named().find(|function| function.body.is_some()).or_else(|| named().next())
    }
}

/// Reads a file. The error names the fault and its line.
pub fn read(text: &str) -> Result<Module, String> {
    let tokens = tokens(text).map_err(|error| format!("line {}: {}", error.line, error.message))?;
    let mut reader = Reader { tokens: &tokens, next: 0, whole: true };
    let mut module = Module { address_bits: 64, ..Module::default() };
    while reader.peek().is_some() {
        let line = reader.line();
        item(&mut reader, &mut module).map_err(|Unsupported(what)| format!("line {line}: {what}"))?;
    }
    Ok(module)
}

/// Reads one directive at file scope.
fn item(reader: &mut Reader<'_>, module: &mut Module) -> Result<(), Unsupported> {
    if reader.takes(';') {
        return Ok(());
    }
    let start = reader.next;
    let Some(Token::Word(word)) = reader.peek() else { return Err(reader.unreadable()) };
    let word = word.clone();
    reader.next += 1;
    match word.as_str() {
        ".version" => version(reader),
        ".target" => {
            reader.word().ok_or_else(|| reader.unreadable())?;
            while reader.takes(',') {
                reader.word().ok_or_else(|| reader.unreadable())?;
            }
            Ok(())
        }
        ".address_size" => {
            module.address_bits = reader.natural()?;
            if matches!(module.address_bits, 32 | 64) { Ok(()) } else { Err(reader.unreadable()) }
        }
        ".file" => file(reader, module),
        // Debug information: the bytes of DWARF.
        ".section" => {
            reader.word().ok_or_else(|| reader.unreadable())?;
            reader.expect('{')?;
            braces(reader)
        }
        ".loc" | ".pragma" | ".alias" => {
            let line = reader.line();
            while reader.peek().is_some() && (word != ".loc" || reader.line() == line) && !reader.takes(';') {
                reader.next += 1;
            }
            Ok(())
        }
        _ => {
            reader.next = start;
            if is_function(reader) {
                let function = function(reader)?;
                module.functions.push(function);
            } else {
                module.variables.extend(declare::variables(reader)?);
            }
            Ok(())
        }
    }
}

/// `8.3`
fn version(reader: &mut Reader<'_>) -> Result<(), Unsupported> {
    let start = reader.next;
    let is_version = |word: &String| word.chars().all(|c| c.is_ascii_digit() || c == '.');
    if !reader.word().as_ref().is_some_and(is_version) {
        reader.next = start;
        return Err(reader.unreadable());
    }
    Ok(())
}

/// `.file number "path"{, timestamp, size}`
fn file(reader: &mut Reader<'_>, module: &mut Module) -> Result<(), Unsupported> {
    let number = reader.natural()?;
    let mut path = String::new();
    while let Some(Token::Quoted(part)) = reader.peek() {
        // LLVM prints the folder and the name one behind the other.
        if !path.is_empty() && !part.starts_with('/') {
            path.push('/');
            path.push_str(part);
        } else {
            path.clone_from(part);
        }
        reader.next += 1;
    }
    while reader.takes(',') {
        reader.natural::<u64>()?;
    }
    module.files.insert(number, path);
    Ok(())
}

/// Goes behind the brace that closes one that has been read.
fn braces(reader: &mut Reader<'_>) -> Result<(), Unsupported> {
    let mut depth = 1_u32;
    while depth > 0 {
        match reader.peek() {
            None => return Err(Unsupported("a section that does not end".into())),
            Some(Token::Mark('{')) => depth += 1,
            Some(Token::Mark('}')) => depth -= 1,
            Some(_) => {}
        }
        reader.next += 1;
    }
    Ok(())
}

/// Whether a function comes next, behind words about linking.
fn is_function(reader: &Reader<'_>) -> bool {
    let words = reader.tokens[reader.next..].iter().map(|(token, _)| token);
    let first = words.skip_while(|token| {
        matches!(token, Token::Word(word) if matches!(word.as_str(), ".visible" | ".weak" | ".extern" | ".common"))
    });
    matches!(first.into_iter().next(), Some(Token::Word(word)) if word == ".entry" || word == ".func")
}

fn function(reader: &mut Reader<'_>) -> Result<Function, Unsupported> {
    let mut function = Function::default();
    loop {
        match reader.word().as_deref() {
            Some(".entry") => function.is_entry = true,
            Some(".func") => {}
            Some(_) => continue,
            None => return Err(reader.unreadable()),
        }
        break;
    }
    while reader.takes_word(".attribute") {
        while reader.peek().is_some() && !reader.takes(')') {
            reader.next += 1;
        }
    }
    function.results = parameters(reader)?;
    function.line = reader.line();
    function.name = reader.word().ok_or_else(|| reader.unreadable())?;
    function.parameters = parameters(reader)?;
    loop {
        if reader.takes(';') {
            return Ok(function);
        }
        if reader.takes('{') {
            function.body = Some(reader.body()?);
            return Ok(function);
        }
        performance(reader, &mut function)?;
    }
}

/// The parameters in parentheses, if there are any.
fn parameters(reader: &mut Reader<'_>) -> Result<Vec<Variable>, Unsupported> {
    let mut all = Vec::new();
    if !reader.takes('(') {
        return Ok(all);
    }
    while !reader.takes(')') {
        all.push(declare::parameter(reader)?);
        if !reader.takes(',') && reader.peek() != Some(&Token::Mark(')')) {
            return Err(reader.unreadable());
        }
    }
    Ok(all)
}

/// A directive between a function's parameters and its body: `.maxntid 256, 1, 1`.
fn performance(reader: &mut Reader<'_>, function: &mut Function) -> Result<(), Unsupported> {
    let start = reader.next;
    let directive = reader.word().filter(|word| word.starts_with('.'));
    let Some(directive) = directive else {
        reader.next = start;
        return Err(reader.unreadable());
    };
    if directive == ".pragma" {
        reader.skip_statement();
        return Ok(());
    }
    let mut numbers: Vec<u32> = Vec::new();
    if matches!(reader.peek(), Some(Token::Word(word)) if word.starts_with(|c: char| c.is_ascii_digit())) {
        numbers.push(reader.natural()?);
        while reader.takes(',') {
            numbers.push(reader.natural()?);
        }
    }
    let size = || {
        let at = |index: usize| numbers.get(index).copied().unwrap_or(1).max(1);
        (!numbers.is_empty()).then(|| [at(0), at(1), at(2)])
    };
    match directive.as_str() {
        ".reqntid" => function.required = size(),
        ".maxntid" => {
            let product = |[x, y, z]: [u32; 3]| x.saturating_mul(y).saturating_mul(z);
            function.most_threads = size().map(product);
        }
        ".maxnreg"
        | ".minnctapersm"
        | ".maxnctapersm"
        | ".noreturn"
        | ".explicitcluster"
        | ".maxclusterrank"
        | ".reqnctapercluster"
        | ".blocksareclusters"
        | ".abi_preserve"
        | ".abi_preserve_control" => {}
        _ => {
            reader.next = start;
            return Err(reader.unreadable());
        }
    }
    Ok(())
}
