//! Reads the statements of PTX: instructions with guards, opcodes and operands, declarations,
//! labels, and nested blocks.
//!
//! Inline assembly ([`read`]) is an LLVM template: `$0` and `${0:x}` stand for the operands of the
//! assembly statement, and `$$` for a dollar. `${:uid}` stands for a number that differs at each
//! place of the statement. A whole file ([`super::module`]) has more kinds of statements. There, an
//! instruction in an unknown form stays as its text, and is refused where it would be executed.

use lockstep_ir::text::{Comments, Lexis, Piece, TextError, one_if, pieces};

use super::declare::{self, Variable};
use crate::builtins::Unsupported;

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// `{`: names declared from here on belong to the block.
    Open,
    /// `}`
    Close,
    /// `.reg .type name`, once per name; with a count for `name<4>`.
    Register {
        /// `b32`, `pred`.
        ty: String,
        /// The name, or the prefix of the names.
        name: String,
        /// The number of registers `name0`, `name1`, ….
        count: Option<u32>,
    },
    /// An instruction.
    Instruction(Instruction),
    /// A loop that does nothing but this test of a phase object, until it succeeds. The reader
    /// makes none.
    Wait(Instruction),
    /// `name:`
    Label(String),
    /// `name: .branchtargets a, b;`: the labels that `brx.idx` may lead to.
    Targets(String, Vec<String>),
    /// A variable, or a parameter of a call.
    Variable(Variable),
    /// `.loc`: the place in the source of the instructions from here on.
    Place(SourcePlace),
    /// A statement that cannot be read, as a refusal.
    Unread(String),
}

/// A statement of a whole file, and its line.
pub type Line = (Statement, u32);

/// The place that a `.loc` directive gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SourcePlace {
    /// The file's number, the line and the column.
    pub at: [u32; 3],
    /// The same of the call that was inlined there.
    pub inlined_at: Option<[u32; 3]>,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Instruction {
    /// The predicate, and whether the instruction is executed where it does not hold.
    pub guard: Option<(Operand, bool)>,
    /// The opcode as written: `ld.global.nc.f32`.
    pub opcode: String,
    /// The operands in order.
    pub operands: Vec<Operand>,
}

impl Instruction {
    /// The first word of the opcode, and the words after it.
    pub fn words(&self) -> (&str, Vec<&str>) {
        let mut words = self.opcode.split('.');
        (words.next().unwrap_or_default(), words.collect())
    }

    /// The refusal of this instruction.
    pub fn refused(&self) -> Unsupported {
        Unsupported(format!("PTX instruction {}", self.opcode))
    }

    /// The operand with this index, if there is one.
    pub fn operand(&self, index: usize) -> Result<&Operand, Unsupported> {
        self.operands.get(index).ok_or_else(|| self.refused())
    }
}

/// An operand of an instruction.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// The operand of the assembly statement with this number.
    Given(usize),
    /// A register, a special register, a constant with a name, `_`.
    Name(String),
    /// A number.
    Integer(i128),
    /// A float.
    Float(Float),
    /// `{a, b}`
    Vector(Vec<Operand>),
    /// `[a]`, `[a+4]`: the second is added to or subtracted from the first.
    Address(Box<Operand>, Option<(bool, Box<Operand>)>),
    /// `a|b`
    Pair(Box<Operand>, Box<Operand>),
    /// `!a`
    Not(Box<Operand>),
    /// An address of another form.
    OtherAddress,
    /// `(a, b)`, in calls.
    Group(Vec<Operand>),
    /// The register with this index, whose name has been looked up.
    Register(usize),
    /// The variable with this index, whose name has been looked up.
    Symbol(usize),
}

impl Operand {
    /// Calls `visit` on each name and register in the operand.
    pub fn for_each_leaf_mut(&mut self, visit: &mut dyn FnMut(&mut Operand)) {
        match self {
            Self::Vector(parts) | Self::Group(parts) => {
                for part in parts {
                    part.for_each_leaf_mut(visit);
                }
            }
            Self::Address(base, offset) => {
                base.for_each_leaf_mut(visit);
                if let Some((_, offset)) = offset {
                    offset.for_each_leaf_mut(visit);
                }
            }
            Self::Pair(first, second) => {
                first.for_each_leaf_mut(visit);
                second.for_each_leaf_mut(visit);
            }
            Self::Not(inner) => inner.for_each_leaf_mut(visit),
            Self::Given(_) | Self::Name(_) | Self::Register(_) | Self::Symbol(_) => visit(self),
            Self::Integer(_) | Self::Float(_) | Self::OtherAddress => {}
        }
    }
}

/// A float literal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Float {
    /// `0f3f800000`
    Single(u32),
    /// `0d3ff0000000000000`
    Double(u64),
    /// `1.0`
    Decimal(f64),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Word(String),
    Given(usize),
    Quoted(String),
    Mark(char),
}

/// Reads a template.
pub fn read(template: &str) -> Result<Vec<Statement>, Unsupported> {
    let text = plain(template)?;
    let tokens = tokens(&text).map_err(|error| Unsupported(format!("PTX where {}", error.message)))?;
    let mut reader = Reader { tokens: &tokens, next: 0, whole: false };
    let mut statements = Vec::new();
    while let Some(token) = reader.peek() {
        match token {
            Token::Mark(';') => reader.next += 1,
            Token::Mark('{') => reader.mark(&mut statements, Statement::Open),
            Token::Mark('}') => reader.mark(&mut statements, Statement::Close),
            _ => {
                let statement = reader.statement()?;
                statements.extend(statement);
            }
        }
    }
    Ok(statements)
}

/// The lexical rules of PTX. In a template, an operand is a word that begins with [`GIVEN`].
const LEXIS: Lexis = Lexis {
    word_part: |text| match text.strip_prefix("::") {
        Some(_) => 2,
        None => one_if(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '%' | '$' | GIVEN), text),
    },
    symbol: |text| Ok(one_if(|_| true, text)),
    quotes: &['"'],
    comments: Comments::Blocks,
};

/// The mark of an operand's number, which no template contains.
const GIVEN: char = '\u{1}';

/// The tokens of a text with their lines.
pub(super) fn tokens(text: &str) -> Result<Vec<(Token, u32)>, TextError> {
    let token = |(piece, line)| {
        let token = match piece {
            Piece::Quoted(_, text) => Token::Quoted(text.to_owned()),
            Piece::Word(word) => match word.strip_prefix(GIVEN).map(str::parse) {
                Some(Ok(number)) => Token::Given(number),
                Some(Err(_)) | None => Token::Word(word.to_owned()),
            },
            Piece::Symbol(mark) => Token::Mark(mark.chars().next().unwrap_or_default()),
        };
        (token, line)
    };
    Ok(pieces(text, &LEXIS)?.into_iter().map(token).collect())
}

/// The text of a template, with operands as words of their own and without other escapes.
fn plain(template: &str) -> Result<String, Unsupported> {
    if template.contains(GIVEN) {
        return Err(Unsupported("PTX with a control character".into()));
    }
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(at) = rest.find('$') {
        text.push_str(&rest[..at]);
        let (escape, length) = dollar(&rest[at..])?;
        text.push_str(&escape);
        rest = &rest[at + length..];
    }
    Ok(text + rest)
}

/// The text for an escape of a template, which begins with a dollar, and the escape's length.
fn dollar(text: &str) -> Result<(String, usize), Unsupported> {
    let unreadable = || Unsupported(format!("PTX with {}", text.chars().take(12).collect::<String>()));
    let given = |number: &str| match number.parse::<usize>() {
        Ok(number) => Ok(format!(" {GIVEN}{number} ")),
        Err(_) => Err(unreadable()),
    };
    if text.starts_with("$$") {
        return Ok(("$".into(), 2));
    }
    if let Some(inside) = text.strip_prefix("${") {
        let (inside, _) = inside.split_once('}').ok_or_else(unreadable)?;
        let number = inside.split(':').next().unwrap_or_default();
        let text = if inside == ":uid" { "uid".into() } else { given(number)? };
        return Ok((text, inside.len() + 3));
    }
    let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count();
    Ok((given(&text[1..=digits])?, digits + 1))
}

/// A position among tokens.
pub(super) struct Reader<'a> {
    pub tokens: &'a [(Token, u32)],
    pub next: usize,
    /// Whether the text is a whole file.
    pub whole: bool,
}

impl Reader<'_> {
    pub fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next).map(|(token, _)| token)
    }

    /// The line of the next token, or of the last one.
    pub fn line(&self) -> u32 {
        self.tokens.get(self.next).or(self.tokens.last()).map_or(1, |(_, line)| *line)
    }

    fn mark(&mut self, statements: &mut Vec<Statement>, statement: Statement) {
        self.next += 1;
        statements.push(statement);
    }

    /// Whether the next token is this mark, which is then consumed.
    pub fn takes(&mut self, mark: char) -> bool {
        let found = self.peek() == Some(&Token::Mark(mark));
        self.next += usize::from(found);
        found
    }

    /// Consumes this mark.
    pub fn expect(&mut self, mark: char) -> Result<(), Unsupported> {
        if self.takes(mark) { Ok(()) } else { Err(self.unreadable()) }
    }

    /// The next token if it is a word, which is then consumed.
    pub fn word(&mut self) -> Option<String> {
        let Some(Token::Word(word)) = self.peek() else { return None };
        let word = word.clone();
        self.next += 1;
        Some(word)
    }

    /// Whether the next token is this word, which is then consumed.
    pub fn takes_word(&mut self, wanted: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Word(word)) if word == wanted);
        self.next += usize::from(found);
        found
    }

    /// A number that fits.
    pub fn natural<N: TryFrom<i128>>(&mut self) -> Result<N, Unsupported> {
        let before = self.next;
        let found = self.word().and_then(|word| match number(&word) {
            Some(Operand::Integer(number)) => N::try_from(number).ok(),
            _ => None,
        });
        if found.is_none() {
            self.next = before;
        }
        found.ok_or_else(|| self.unreadable())
    }

    /// The refusal of the rest of the statement, which it shows.
    pub fn unreadable(&self) -> Unsupported {
        let left = self.tokens[self.next.min(self.tokens.len())..].iter().map(|(token, _)| token);
        let left = left.take_while(|token| **token != Token::Mark(';')).take(8);
        let shown: Vec<String> = left
            .map(|token| match token {
                Token::Word(word) => word.clone(),
                Token::Quoted(text) => format!("\"{text}\""),
                Token::Given(number) => format!("${number}"),
                Token::Mark(mark) => mark.to_string(),
            })
            .collect();
        Unsupported(format!("PTX with `{}`", shown.join(" ")))
    }

    /// The body of a function, behind its opening brace, which ends with the closing one.
    pub fn body(&mut self) -> Result<Vec<Line>, Unsupported> {
        let mut lines = Vec::new();
        let mut depth = 0_u32;
        loop {
            let line = self.line();
            match self.peek() {
                None => return Err(Unsupported("a function that does not end".into())),
                Some(Token::Mark(';')) => self.next += 1,
                Some(Token::Mark('{')) => {
                    self.next += 1;
                    depth += 1;
                    lines.push((Statement::Open, line));
                }
                Some(Token::Mark('}')) => {
                    self.next += 1;
                    if depth == 0 {
                        return Ok(lines);
                    }
                    depth -= 1;
                    lines.push((Statement::Close, line));
                }
                Some(_) => {
                    let start = self.next;
                    match self.statement() {
                        Ok(statements) => lines.extend(statements.into_iter().map(|statement| (statement, line))),
                        Err(unread) => {
                            self.next = start;
                            self.skip_statement();
                            lines.push((Statement::Unread(unread.0), line));
                        }
                    }
                }
            }
        }
    }

    /// Goes behind the end of a statement.
    pub fn skip_statement(&mut self) {
        let mut depth = 0_u32;
        while let Some(token) = self.peek() {
            match token {
                Token::Mark(';') if depth == 0 => return self.next += 1,
                Token::Mark('}') if depth == 0 => return,
                Token::Mark('{') => depth += 1,
                Token::Mark('}') => depth -= 1,
                _ => {}
            }
            self.next += 1;
        }
    }

    fn statement(&mut self) -> Result<Vec<Statement>, Unsupported> {
        let guard = self.guard()?;
        let start = self.next;
        let opcode = self.word().ok_or_else(|| self.unreadable())?;
        if opcode.starts_with('.') {
            return self.directive(&opcode, start);
        }
        if self.takes(':') {
            return self.label(opcode);
        }
        let mut operands = Vec::new();
        let is_call = self.whole && opcode.split('.').next() == Some("call");
        if !self.at_end() {
            operands.push(self.operand_of(is_call)?);
            while self.takes(',') {
                operands.push(self.operand_of(is_call)?);
            }
        }
        if !self.at_end() {
            return Err(Unsupported(format!("PTX instruction {opcode} in an unknown form")));
        }
        Ok(vec![Statement::Instruction(Instruction { guard, opcode, operands })])
    }

    /// A label, or the list of labels or functions that it names.
    fn label(&mut self, name: String) -> Result<Vec<Statement>, Unsupported> {
        if self.takes_word(".branchtargets") {
            let mut labels = Vec::new();
            loop {
                labels.push(self.word().ok_or_else(|| self.unreadable())?);
                if !self.takes(',') {
                    return Ok(vec![Statement::Targets(name, labels)]);
                }
            }
        }
        // Only indirect calls need these, which are refused.
        if self.takes_word(".callprototype") || self.takes_word(".calltargets") {
            self.skip_statement();
            return Ok(Vec::new());
        }
        Ok(vec![Statement::Label(name)])
    }

    fn directive(&mut self, word: &str, start: usize) -> Result<Vec<Statement>, Unsupported> {
        match word {
            ".reg" => self.registers(),
            ".loc" if self.whole => Ok(vec![Statement::Place(self.source_place()?)]),
            // Hints for the assembler.
            ".pragma" | ".loc" => {
                while self.peek().is_some() && !self.takes(';') {
                    self.next += 1;
                }
                Ok(Vec::new())
            }
            _ if self.whole => {
                self.next = start;
                Ok(declare::variables(self)?.into_iter().map(Statement::Variable).collect())
            }
            word => Err(Unsupported(format!("PTX directive {word}"))),
        }
    }

    /// `.loc file line column{, function_name label{+offset}, inlined_at file line column}`
    fn source_place(&mut self) -> Result<SourcePlace, Unsupported> {
        let at = [self.natural()?, self.natural()?, self.natural()?];
        let mut inlined_at = None;
        while self.takes(',') {
            if self.takes_word("function_name") {
                self.word().ok_or_else(|| self.unreadable())?;
                if self.takes('+') {
                    self.natural::<u64>()?;
                }
            } else if self.takes_word("inlined_at") {
                inlined_at = Some([self.natural()?, self.natural()?, self.natural()?]);
            } else {
                return Err(self.unreadable());
            }
        }
        Ok(SourcePlace { at, inlined_at })
    }

    /// Whether a statement ends here: before `;`, before the block's `}`, or at the end of the
    /// text.
    fn at_end(&self) -> bool {
        matches!(self.peek(), None | Some(Token::Mark(';' | '}')))
    }

    fn guard(&mut self) -> Result<Option<(Operand, bool)>, Unsupported> {
        if !self.takes('@') {
            return Ok(None);
        }
        let negated = self.takes('!');
        Ok(Some((self.simple()?, negated)))
    }

    fn registers(&mut self) -> Result<Vec<Statement>, Unsupported> {
        let ty = self.word().ok_or_else(|| self.unreadable())?;
        let ty = ty.strip_prefix('.').ok_or_else(|| self.unreadable())?.to_owned();
        let mut statements = Vec::new();
        loop {
            let name = self.word().ok_or_else(|| self.unreadable())?;
            let mut count = None;
            if self.takes('<') {
                count = Some(self.natural()?);
                self.expect('>')?;
            }
            statements.push(Statement::Register { ty: ty.clone(), name, count });
            if !self.takes(',') {
                return Ok(statements);
            }
        }
    }

    /// An operand; in a call, it may be a list in parentheses.
    fn operand_of(&mut self, is_call: bool) -> Result<Operand, Unsupported> {
        if !is_call || !self.takes('(') {
            return self.operand();
        }
        let mut parts = Vec::new();
        while !self.takes(')') {
            parts.push(self.operand()?);
            if !self.takes(',') && self.peek() != Some(&Token::Mark(')')) {
                return Err(self.unreadable());
            }
        }
        Ok(Operand::Group(parts))
    }

    fn operand(&mut self) -> Result<Operand, Unsupported> {
        if self.takes('[') {
            return self.address();
        }
        if self.takes('{') {
            let mut parts = Vec::new();
            while !self.takes('}') {
                parts.push(self.simple()?);
                if !self.takes(',') && self.peek() != Some(&Token::Mark('}')) {
                    return Err(self.unreadable());
                }
            }
            return Ok(Operand::Vector(parts));
        }
        if self.takes('!') {
            return Ok(Operand::Not(Box::new(self.simple()?)));
        }
        let first = self.simple()?;
        if self.takes('|') {
            return Ok(Operand::Pair(Box::new(first), Box::new(self.simple()?)));
        }
        Ok(first)
    }

    fn address(&mut self) -> Result<Operand, Unsupported> {
        let start = self.next;
        if let Ok(base) = self.simple() {
            let negative = match self.peek() {
                Some(Token::Mark('+')) => Some(false),
                Some(Token::Mark('-')) => Some(true),
                _ => None,
            };
            self.next += usize::from(negative.is_some());
            let displacement = negative.map(|negative| self.simple().map(|number| (negative, Box::new(number))));
            if let (Ok(displacement), true) = (displacement.transpose(), self.takes(']')) {
                return Ok(Operand::Address(Box::new(base), displacement));
            }
        }
        self.next = start;
        while !self.takes(']') {
            if matches!(self.peek(), None | Some(Token::Mark(';'))) {
                return Err(self.unreadable());
            }
            self.next += 1;
        }
        Ok(Operand::OtherAddress)
    }

    /// A register or a number.
    pub fn simple(&mut self) -> Result<Operand, Unsupported> {
        if let Some(&Token::Given(number)) = self.peek() {
            self.next += 1;
            return Ok(Operand::Given(number));
        }
        let negative = self.takes('-');
        let word = self.word().ok_or_else(|| self.unreadable())?;
        match number(&word) {
            Some(Operand::Integer(number)) if negative => Ok(Operand::Integer(-number)),
            Some(Operand::Float(Float::Decimal(number))) if negative => Ok(Operand::Float(Float::Decimal(-number))),
            Some(number) if !negative => Ok(number),
            None if !negative && !word.starts_with(|c: char| c.is_ascii_digit()) => Ok(Operand::Name(word)),
            _ => Err(self.unreadable()),
        }
    }
}

/// A number in PTX syntax.
fn number(word: &str) -> Option<Operand> {
    if !word.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let lower = word.to_ascii_lowercase();
    if let Some(digits) = lower.strip_prefix("0f") {
        return u32::from_str_radix(digits, 16).ok().map(|bits| Operand::Float(Float::Single(bits)));
    }
    if let Some(digits) = lower.strip_prefix("0d") {
        return u64::from_str_radix(digits, 16).ok().map(|bits| Operand::Float(Float::Double(bits)));
    }
    let digits = lower.trim_end_matches('u');
    if let Some(digits) = digits.strip_prefix("0x") {
        return i128::from_str_radix(digits, 16).ok().map(Operand::Integer);
    }
    if let Some(digits) = digits.strip_prefix("0b") {
        return i128::from_str_radix(digits, 2).ok().map(Operand::Integer);
    }
    if digits.len() > 1 && digits.starts_with('0') && digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return i128::from_str_radix(digits, 8).ok().map(Operand::Integer);
    }
    if let Ok(number) = digits.parse() {
        return Some(Operand::Integer(number));
    }
    lower.parse().ok().map(|number| Operand::Float(Float::Decimal(number)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(name: &str) -> Operand {
        Operand::Name(name.into())
    }

    fn instruction(opcode: &str, operands: Vec<Operand>) -> Statement {
        Statement::Instruction(Instruction { guard: None, opcode: opcode.into(), operands })
    }

    #[test]
    fn blocks_declarations_and_guards() {
        let text = "{\n\t.reg .pred %p<2>, q; // a comment\n setp.ne.b32 %p1|q, ${1:x}, -0x10;\n @!%p1 bar.sync 0;}";
        let register = |name: &str, count| Statement::Register { ty: "pred".into(), name: name.into(), count };
        let pair = Operand::Pair(Box::new(name("%p1")), Box::new(name("q")));
        let guarded = Instruction {
            guard: Some((name("%p1"), true)),
            opcode: "bar.sync".into(),
            operands: vec![Operand::Integer(0)],
        };
        let expected = vec![
            Statement::Open,
            register("%p", Some(2)),
            register("q", None),
            instruction("setp.ne.b32", vec![pair, Operand::Given(1), Operand::Integer(-16)]),
            Statement::Instruction(guarded),
            Statement::Close,
        ];
        assert_eq!(read(text), Ok(expected));
    }

    #[test]
    fn addresses_vectors_and_numbers() {
        let address = |base, offset| Operand::Address(Box::new(base), offset);
        let eight = Some((false, Box::new(Operand::Integer(8))));
        let expected = vec![
            instruction(
                "ld.shared::cta.v2.f32",
                vec![Operand::Vector(vec![Operand::Given(0), name("_")]), address(Operand::Given(12), eight)],
            ),
            instruction("mov.f32", vec![name("$f"), Operand::Float(Float::Single(0x3f80_0000))]),
            instruction("tex.2d.v4.f32.s32", vec![Operand::Given(0), Operand::OtherAddress]),
        ];
        let text =
            "ld.shared::cta.v2.f32 {$0, _}, [$12 + 8]; mov.f32 $$f, 0f3F800000;;tex.2d.v4.f32.s32 $0, [t, {a, b}]";
        assert_eq!(read(text), Ok(expected));
    }

    #[test]
    fn displacements_that_are_none_are_not_dropped() {
        let expected = vec![instruction("ld.u32", vec![name("a"), Operand::OtherAddress])];
        for address in ["b+-0f3f800000", "b+", "b-09.x", "b+4+4", "b+{c}"] {
            assert_eq!(read(&format!("ld.u32 a, [{address}];")), Ok(expected.clone()), "{address}");
        }
    }

    #[test]
    fn unread_ptx_is_refused_by_name() {
        let message = |text: &str| read(text).expect_err("refused").0;
        assert_eq!(message(".shared .b32 x;"), "PTX directive .shared");
        assert_eq!(message("mov.u32 a, b c;"), "PTX instruction mov.u32 in an unknown form");
        assert_eq!(message("mov.u32 a, (b);"), "PTX with `( b )`");
    }
}
