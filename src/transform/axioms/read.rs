//! Reads the declarations of a Boogie file, as far as axioms need them. Any other declaration is
//! refused by name.

use std::collections::BTreeMap;

use lockstep_ir::bits::Bits;

use super::AxiomError;
use super::tokens::{Token, tokens};

/// The declarations of a file.
#[derive(Clone, Debug, Default)]
pub struct Declarations {
    /// The file's name as given.
    pub file: String,
    /// The names of types.
    pub(super) types: BTreeMap<String, TypeName>,
    /// The functions.
    pub(super) functions: BTreeMap<String, Function>,
    /// The constants.
    pub(super) constants: Vec<Constant>,
    /// The axioms, each with its line.
    pub(super) axioms: Vec<(u32, Tree)>,
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TypeName {
    Boolean,
    Bits(u32),
    Named(String),
}

/// A function.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub line: u32,
    /// The SMT-LIB operation that the function stands for.
    pub builtin: Option<String>,
    /// The types of its parameters, and their names if they have any.
    pub parameters: Vec<(Option<String>, TypeName)>,
    pub result: TypeName,
    pub body: Option<Tree>,
}

/// A constant.
#[derive(Clone, Debug)]
pub(super) struct Constant {
    pub line: u32,
    pub name: String,
    pub ty: TypeName,
    /// Whether the constant differs from all others that are unique.
    pub unique: bool,
}

/// An expression.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub line: u32,
    pub node: Node,
}

#[derive(Clone, Debug)]
pub(super) enum Node {
    Name(String),
    Boolean(bool),
    Bits(Bits),
    Call(String, Vec<Tree>),
    Not(Box<Tree>),
    Connective(Connective, Box<[Tree; 2]>),
    Concat(Box<[Tree; 2]>),
    /// The bits from the second number (inclusive) to the first (exclusive).
    Extract(u32, u32, Box<Tree>),
    Conditional(Box<[Tree; 3]>),
    ForAll {
        variables: Vec<(String, TypeName)>,
        triggers: Vec<Vec<Tree>>,
        body: Box<Tree>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Connective {
    And,
    Or,
    Implies,
    /// Equality of two operands of one type.
    Equal,
    NotEqual,
}

/// Reads a file.
pub fn read(file: &str, text: &str) -> Result<Declarations, AxiomError> {
    let error = |(line, message): (u32, String)| AxiomError { file: file.to_owned(), line, message };
    let mut parser = Parser { tokens: tokens(text).map_err(error)?, next: 0, depth: 0 };
    let mut declarations = Declarations { file: file.to_owned(), ..Declarations::default() };
    while parser.next < parser.tokens.len() {
        parser.declaration(&mut declarations).map_err(error)?;
    }
    Ok(declarations)
}

/// The deepest nesting of expressions.
const DEEPEST: u32 = 200;

/// The most pieces in one declaration.
const LONGEST: usize = 10_000;

struct Parser<'a> {
    tokens: Vec<(Token<'a>, u32)>,
    next: usize,
    depth: u32,
}

type Parsed<T> = Result<T, (u32, String)>;

impl<'a> Parser<'a> {
    // --- Declarations ----------------------------------------------------------------------------

    fn declaration(&mut self, declarations: &mut Declarations) -> Parsed<()> {
        let line = self.line();
        let end = self.tokens[self.next..].iter().position(|(token, _)| *token == Token::Operator(";"));
        if end.is_some_and(|length| length > LONGEST) {
            return Err((line, format!("a declaration of more than {LONGEST} words")));
        }
        match self.word()? {
            "type" => {
                self.attributes()?;
                let name = self.word()?.to_owned();
                if !self.takes("=") {
                    return Err((line, format!("type {name} is not a name of another: only bit-vectors are known")));
                }
                let ty = self.ty()?;
                self.expect(";")?;
                declarations.types.insert(name, ty);
            }
            "const" => {
                let unique = self.takes_word("unique");
                self.attributes()?;
                let names = self.list(Self::word)?;
                self.expect(":")?;
                let ty = self.ty()?;
                self.expect(";")?;
                let constant = |name: &str| Constant { line, name: name.to_owned(), ty: ty.clone(), unique };
                declarations.constants.extend(names.into_iter().map(constant));
            }
            "function" => {
                let (name, function) = self.function(line)?;
                if declarations.functions.insert(name.clone(), function).is_some() {
                    return Err((line, format!("function {name} is declared twice")));
                }
            }
            "axiom" => {
                self.attributes()?;
                let axiom = self.expression()?;
                self.expect(";")?;
                declarations.axioms.push((line, axiom));
            }
            other => return Err((line, format!("`{other}` is not read: types, functions, constants and axioms are"))),
        }
        Ok(())
    }

    fn function(&mut self, line: u32) -> Parsed<(String, Function)> {
        let mut builtin = None;
        for (name, value) in self.attributes()? {
            if name == "bvbuiltin" || name == "builtin" {
                builtin = value;
            }
        }
        let name = self.word()?.to_owned();
        self.expect("(")?;
        let mut parameters = Vec::new();
        while !self.takes(")") {
            if !parameters.is_empty() {
                self.expect(",")?;
            }
            parameters.push(self.parameter()?);
        }
        let result = if self.takes_word("returns") {
            self.expect("(")?;
            let (_, ty) = self.parameter()?;
            self.expect(")")?;
            ty
        } else {
            self.expect(":")?;
            self.ty()?
        };
        let body = if self.takes("{") {
            let body = self.expression()?;
            self.expect("}")?;
            Some(body)
        } else {
            self.expect(";")?;
            None
        };
        Ok((name, Function { line, builtin, parameters, result, body }))
    }

    /// A type, or a name with its type.
    fn parameter(&mut self) -> Parsed<(Option<String>, TypeName)> {
        if let [(Token::Word(name), _), (Token::Operator(":"), _), ..] = &self.tokens[self.next..] {
            let name = (*name).to_owned();
            self.next += 2;
            return Ok((Some(name), self.ty()?));
        }
        Ok((None, self.ty()?))
    }

    fn ty(&mut self) -> Parsed<TypeName> {
        let line = self.line();
        let name = self.word()?;
        let width = name.strip_prefix("bv").and_then(|width| width.parse().ok()).filter(|&width| width > 0);
        match (name, width) {
            ("bool", _) => Ok(TypeName::Boolean),
            (_, Some(width)) => Ok(TypeName::Bits(width)),
            ("int" | "real", _) => Err((line, format!("type {name}: numbers are bit-vectors here"))),
            _ => Ok(TypeName::Named(name.to_owned())),
        }
    }

    /// Attributes, which state no facts: each is a name and perhaps a text.
    fn attributes(&mut self) -> Parsed<Vec<(String, Option<String>)>> {
        let mut attributes = Vec::new();
        while let [(Token::Operator("{"), _), (Token::Operator(":"), _), ..] = &self.tokens[self.next..] {
            self.next += 2;
            let name = self.word()?.to_owned();
            let value = match self.peek() {
                Some(Token::Text(text)) => Some((*text).to_owned()),
                _ => None,
            };
            while !self.takes("}") {
                self.advance()?;
            }
            attributes.push((name, value));
        }
        Ok(attributes)
    }

    // --- Expressions -----------------------------------------------------------------------------

    fn expression(&mut self) -> Parsed<Tree> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err((self.line(), "an expression nested too deep".to_owned()));
        }
        let line = self.line();
        let mut left = self.implication()?;
        while self.takes("<==>") {
            let right = self.implication()?;
            left = connective(line, Connective::Equal, left, right);
        }
        self.depth -= 1;
        Ok(left)
    }

    fn implication(&mut self) -> Parsed<Tree> {
        let line = self.line();
        let left = self.disjunction()?;
        if self.takes("==>") {
            self.depth += 1;
            if self.depth > DEEPEST {
                return Err((line, "an expression nested too deep".to_owned()));
            }
            let right = self.implication()?;
            self.depth -= 1;
            return Ok(connective(line, Connective::Implies, left, right));
        }
        let mut left = left;
        while self.takes("<==") {
            let right = self.disjunction()?;
            left = connective(line, Connective::Implies, right, left);
        }
        Ok(left)
    }

    fn disjunction(&mut self) -> Parsed<Tree> {
        let line = self.line();
        let mut left = self.relation()?;
        let mut before = None;
        loop {
            let (operator, kind) = match self.peek() {
                Some(Token::Operator("&&")) => ("&&", Connective::And),
                Some(Token::Operator("||")) => ("||", Connective::Or),
                _ => return Ok(left),
            };
            if before.is_some_and(|before| before != kind) {
                return Err((self.line(), "`&&` beside `||` needs parentheses".to_owned()));
            }
            before = Some(kind);
            self.expect(operator)?;
            let right = self.relation()?;
            left = connective(line, kind, left, right);
        }
    }

    fn relation(&mut self) -> Parsed<Tree> {
        let line = self.line();
        let left = self.concatenation()?;
        let kind = match self.peek() {
            Some(Token::Operator("==")) => Connective::Equal,
            Some(Token::Operator("!=")) => Connective::NotEqual,
            Some(Token::Operator(operator @ ("<" | "<=" | ">" | ">=" | "<:"))) => {
                return Err((
                    line,
                    format!("`{operator}` is for int, which is not known: use a function that is bvult, bvsle …"),
                ));
            }
            _ => return Ok(left),
        };
        self.next += 1;
        let right = self.concatenation()?;
        Ok(connective(line, kind, left, right))
    }

    fn concatenation(&mut self) -> Parsed<Tree> {
        let line = self.line();
        let mut left = self.unary()?;
        loop {
            match self.peek() {
                Some(Token::Operator("++")) => {
                    self.next += 1;
                    let right = self.unary()?;
                    left = Tree { line, node: Node::Concat(Box::new([left, right])) };
                }
                Some(Token::Operator(operator @ ("+" | "-" | "*" | "/")) | Token::Word(operator @ ("div" | "mod"))) => {
                    return Err((
                        line,
                        format!("`{operator}` is for int, which is not known: use a function that is bvadd, bvmul …"),
                    ));
                }
                _ => return Ok(left),
            }
        }
    }

    fn unary(&mut self) -> Parsed<Tree> {
        let line = self.line();
        if !self.takes("!") {
            return self.postfix();
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err((line, "an expression nested too deep".to_owned()));
        }
        let inner = self.unary()?;
        self.depth -= 1;
        Ok(Tree { line, node: Node::Not(Box::new(inner)) })
    }

    fn postfix(&mut self) -> Parsed<Tree> {
        let line = self.line();
        let mut inner = self.atom()?;
        while self.takes("[") {
            let high = self.index()?;
            self.expect(":")?;
            let low = self.index()?;
            self.expect("]")?;
            inner = Tree { line, node: Node::Extract(high, low, Box::new(inner)) };
        }
        Ok(inner)
    }

    fn index(&mut self) -> Parsed<u32> {
        let line = self.line();
        match self.advance()? {
            Token::Number(number) => u32::try_from(number).map_err(|_| (line, "a bit that no number has".to_owned())),
            other => Err((line, format!("{} stands where the number of a bit is expected", shown(&other)))),
        }
    }

    fn atom(&mut self) -> Parsed<Tree> {
        let line = self.line();
        let node = match self.advance()? {
            Token::Bits(value, width) => Node::Bits(Bits::new(width, value)),
            Token::Number(number) => {
                return Err((line, format!("{number} is an int, which is not known: write {number}bv32 or the like")));
            }
            Token::Word("true") => Node::Boolean(true),
            Token::Word("false") => Node::Boolean(false),
            Token::Word("if") => {
                let condition = self.expression()?;
                self.expect_word("then")?;
                let then = self.expression()?;
                self.expect_word("else")?;
                let otherwise = self.expression()?;
                Node::Conditional(Box::new([condition, then, otherwise]))
            }
            Token::Word(word @ ("old" | "exists" | "forall" | "lambda")) => {
                return Err((line, format!("`{word}` is not known there")));
            }
            Token::Word(name) => {
                let name = name.to_owned();
                if !self.takes("(") {
                    return Ok(Tree { line, node: Node::Name(name) });
                }
                let mut arguments = Vec::new();
                while !self.takes(")") {
                    if !arguments.is_empty() {
                        self.expect(",")?;
                    }
                    arguments.push(self.expression()?);
                }
                Node::Call(name, arguments)
            }
            Token::Operator("(") => match self.peek() {
                Some(Token::Word("forall")) => self.for_all()?,
                Some(Token::Word(word @ ("exists" | "lambda"))) => {
                    return Err((line, format!("`{word}` is not known: axioms say what holds for all values")));
                }
                _ => {
                    let inner = self.expression()?;
                    self.expect(")")?;
                    return Ok(inner);
                }
            },
            other => return Err((line, format!("{} is not expected there", shown(&other)))),
        };
        Ok(Tree { line, node })
    }

    /// Parses the rest of a quantifier after the parenthesis before `forall`.
    fn for_all(&mut self) -> Parsed<Node> {
        self.next += 1;
        let mut variables = Vec::new();
        loop {
            let names = self.list(Self::word)?;
            self.expect(":")?;
            let ty = self.ty()?;
            variables.extend(names.into_iter().map(|name| (name.to_owned(), ty.clone())));
            if !self.takes(",") {
                break;
            }
        }
        self.expect("::")?;
        let mut triggers = Vec::new();
        loop {
            self.attributes()?;
            if !self.takes("{") {
                break;
            }
            triggers.push(self.list(Self::expression)?);
            self.expect("}")?;
        }
        let body = self.expression()?;
        self.expect(")")?;
        Ok(Node::ForAll { variables, triggers, body: Box::new(body) })
    }

    // --- Tokens ----------------------------------------------------------------------------------

    fn list<T>(&mut self, one: impl Fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut all = vec![one(self)?];
        while self.takes(",") {
            all.push(one(self)?);
        }
        Ok(all)
    }

    fn peek(&self) -> Option<&Token<'a>> {
        self.tokens.get(self.next).map(|(token, _)| token)
    }

    /// The line of the next piece, or of the last one at the end.
    fn line(&self) -> u32 {
        let at = self.tokens.get(self.next).or(self.tokens.last());
        at.map_or(1, |(_, line)| *line)
    }

    fn advance(&mut self) -> Parsed<Token<'a>> {
        let line = self.line();
        let (token, _) = self.tokens.get(self.next).ok_or((line, "the file ends too early".to_owned()))?;
        self.next += 1;
        Ok(token.clone())
    }

    fn word(&mut self) -> Parsed<&'a str> {
        let line = self.line();
        match self.advance()? {
            Token::Word(word) => Ok(word),
            other => Err((line, format!("{} stands where a name is expected", shown(&other)))),
        }
    }

    fn takes(&mut self, operator: &str) -> bool {
        let is_next = matches!(self.peek(), Some(Token::Operator(next)) if *next == operator);
        self.next += usize::from(is_next);
        is_next
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let is_next = matches!(self.peek(), Some(Token::Word(next)) if *next == word);
        self.next += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, operator: &str) -> Parsed<()> {
        if self.takes(operator) { Ok(()) } else { Err(self.unexpected(operator)) }
    }

    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.takes_word(word) { Ok(()) } else { Err(self.unexpected(word)) }
    }

    fn unexpected(&self, expected: &str) -> (u32, String) {
        let found = self.peek().map_or("the end of the file".to_owned(), shown);
        (self.line(), format!("{found} stands where `{expected}` is expected"))
    }
}

fn connective(line: u32, kind: Connective, left: Tree, right: Tree) -> Tree {
    Tree { line, node: Node::Connective(kind, Box::new([left, right])) }
}

fn shown(token: &Token<'_>) -> String {
    match token {
        Token::Word(word) => format!("`{word}`"),
        Token::Bits(value, width) => format!("`{value}bv{width}`"),
        Token::Number(number) => format!("`{number}`"),
        Token::Text(text) => format!("\"{text}\""),
        Token::Operator(operator) => format!("`{operator}`"),
    }
}
