//! Emits a sequential program as Boogie text, for a second opinion by another verifier.
//!
//! Inputs become parameters, which Boogie does not let a procedure assign. Preconditions become
//! `requires`, and other variables become locals, which are arbitrary until they are assigned.
//! Loops become `while` with their counter and invariants, inside an `if` with the same guard.
//! Terms that an expression uses more than once are bound around it. In a program that assigns
//! nothing, such as one whose loops have been executed, the statements have most of their terms in
//! common. There a term that any of the statements use more than once becomes a local variable
//! instead.
//!
//! Checked with Boogie 2.4.1 and `boogie /useArrayTheory /proverOpt:OPTIMIZE_FOR_BV=true`.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use rustc_hash::FxHashMap;

use super::print::{assumption_text, ground_text};
use super::smtlib::{binary_name, compare_name, postorder, uses};
use super::{Expression, Expressions, Loop, Node, Program, Role, Sort, Statement, UnaryOp, Variable};
use crate::bits::Bits;
use crate::source::Location;

/// The program as one Boogie procedure with the functions it needs: a self-contained text.
pub fn emit_boogie(program: &Program) -> String {
    let terms = FxHashMap::default();
    let mut emitter = Emitter { program, terms, builtins: BTreeSet::new(), text: String::new(), indent: 0 };
    emitter.procedure();
    let mut text = String::new();
    let _ = writeln!(text, "// The kernel {}, two threads in lock-step.", program.name.replace(['\n', '\r'], " "));
    for assumption in &program.assumptions {
        let _ = writeln!(text, "// Assumes {}.", assumption_text(assumption));
    }
    for builtin in &emitter.builtins {
        let _ = writeln!(text, "{builtin}");
    }
    for data in program.expressions.functions().values() {
        let parameters: Vec<_> =
            data.parameters.iter().enumerate().map(|(at, &parameter)| format!("x{at}: {}", sort(parameter))).collect();
        let (name, result) = (function_name(&data.name), sort(data.result));
        let _ = writeln!(text, "function {name}({}) returns ({result});", parameters.join(", "));
    }
    text + &emitter.text
}

/// Terms nested deeper than this are named.
const DEEPEST: u32 = 50;

/// Expressions as text.
struct Terms {
    texts: FxHashMap<Expression, String>,
    /// The named expressions, with their names and texts; earlier ones occur in later ones.
    named: Vec<(String, Expression, String)>,
}

struct Emitter<'a> {
    program: &'a Program,
    /// The texts of the expressions in the body, where nothing is assigned.
    terms: FxHashMap<Expression, String>,
    /// The declarations of the bit-vector functions in use.
    builtins: BTreeSet<String>,
    text: String,
    indent: usize,
}

impl Emitter<'_> {
    fn line(&mut self, line: &str) {
        for _ in 0..self.indent {
            self.text.push_str("  ");
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn procedure(&mut self) {
        let program = self.program;
        let (mut parameters, mut locals) = (Vec::new(), Vec::new());
        for (variable, data) in program.expressions.variables() {
            let declaration = format!("{}: {}", self.name(variable), sort(data.sort));
            if is_input(data.role) {
                parameters.push(declaration);
            } else {
                locals.push(declaration);
            }
        }
        self.text.push('\n');
        self.line(&format!("procedure {}({})", identifier(&program.name), parameters.join(", ")));
        self.indent += 1;
        for precondition in &program.preconditions {
            let condition = self.expression(precondition.condition);
            self.line(&format!("requires {condition}; // {}", ground_text(&precondition.ground)));
        }
        self.indent -= 1;
        self.line("{");
        self.indent += 1;
        for local in locals {
            self.line(&format!("var {local};"));
        }
        if let Some(conditions) = conditions_if_straight(&program.body) {
            self.name_common_terms(&conditions);
        }
        self.statements(&program.body);
        self.indent -= 1;
        self.line("}");
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Assign { variable, value, location } => {
                    let value = self.expression(*value);
                    let line = format!("{} := {value};{}", self.name(*variable), self.place(*location));
                    self.line(&line);
                }
                Statement::Havoc { variable, location, .. } => {
                    let line = format!("havoc {};{}", self.name(*variable), self.place(*location));
                    self.line(&line);
                }
                Statement::Assume { condition, reason, about: _, location } => {
                    let condition = self.expression(*condition);
                    let reason = reason.replace(['\n', '\r'], " ");
                    self.line(&format!("assume {condition}; // {reason}{}", self.place(*location)));
                }
                Statement::Assert { condition, obligation, location } => {
                    let condition = self.expression(*condition);
                    let place = self.place(*location);
                    self.line(&format!("assert {{:obligation \"{obligation}\"}} {condition};{place}"));
                }
                Statement::Loop(looop) => self.looop(*looop),
            }
        }
    }

    fn looop(&mut self, looop: Loop) {
        let data = &self.program.loops[looop];
        let counter = self.name(data.counter);
        let Sort::Bits(width) = self.program.expressions.variables()[data.counter].sort else {
            unreachable!("a counter is a bit-vector")
        };
        let guard = self.expression(data.guard);
        self.line(&format!("{counter} := 0bv{width};{}", self.place(data.location)));
        // Without the `if`, an invariant would have to say that a loop that no thread enters
        // changes nothing.
        self.line(&format!("if ({guard})"));
        self.line("{");
        self.indent += 1;
        self.line(&format!("while ({guard})"));
        self.indent += 1;
        for invariant in &data.invariants {
            let condition = self.expression(invariant.condition);
            self.line(&format!("invariant {condition}; // {}", invariant.family.replace(['\n', '\r'], " ")));
        }
        self.indent -= 1;
        self.line("{");
        self.indent += 1;
        self.statements(&data.body);
        let add = self.builtin("bvadd", "bvadd", &[width, width], Sort::Bits(width));
        self.line(&format!("{counter} := {add}({counter}, 1bv{width});"));
        self.indent -= 1;
        self.line("}");
        self.indent -= 1;
        self.line("}");
    }

    fn place(&self, location: Option<Location>) -> String {
        let Some(data) = location.and_then(|location| self.program.locations.get(location)) else {
            return String::new();
        };
        let file = self.program.files.get(data.file).map_or("", String::as_str).replace(['\n', '\r'], " ");
        format!(" // {file}:{}:{}", data.line, data.column)
    }

    fn name(&self, variable: Variable) -> String {
        identifier(&self.program.expressions.variables()[variable].name)
    }

    /// Declares and assigns a local variable for each term that these use more than once.
    fn name_common_terms(&mut self, conditions: &[Expression]) {
        let Terms { texts, named } = self.terms(conditions);
        for (name, expression, _) in &named {
            self.line(&format!("var {name}: {};", sort(self.program.expressions.sort(*expression))));
        }
        for (name, _, term) in &named {
            self.line(&format!("{name} := {term};"));
        }
        self.terms = texts;
    }

    /// The text of an expression. Terms that it uses more than once are bound around it, or already
    /// have names.
    fn expression(&mut self, root: Expression) -> String {
        if let Some(text) = self.terms.get(&root) {
            return text.clone();
        }
        let Terms { texts, named } = self.terms(&[root]);
        let mut text = String::new();
        for (name, _, term) in &named {
            let _ = write!(text, "(var {name} := {term}; ");
        }
        text + &texts[&root] + &")".repeat(named.len())
    }

    fn terms(&mut self, roots: &[Expression]) -> Terms {
        let expressions = &self.program.expressions;
        let order = postorder(expressions, roots);
        let uses = uses(expressions, &order, roots);
        let mut terms = Terms { texts: FxHashMap::default(), named: Vec::new() };
        let mut depths: FxHashMap<Expression, u32> = FxHashMap::default();
        for expression in order {
            let leaf = matches!(expressions.node(expression), Node::Boolean(_) | Node::Bits(_) | Node::Variable(_));
            let mut depth = 0;
            expressions.for_each_operand(expression, |operand| depth = depth.max(depths[&operand] + 1));
            let mut term = self.term(expressions, expression, &terms.texts);
            if !leaf && (uses[&expression] > 1 || depth > DEEPEST) {
                let name = format!("t#{}", terms.named.len());
                terms.named.push((name.clone(), expression, term));
                (term, depth) = (name, 0);
            }
            depths.insert(expression, depth);
            terms.texts.insert(expression, term);
        }
        terms
    }

    fn term(
        &mut self,
        expressions: &Expressions,
        expression: Expression,
        terms: &FxHashMap<Expression, String>,
    ) -> String {
        let text = |operand: &Expression| terms[operand].as_str();
        let list =
            |operands: &[Expression], separator: &str| operands.iter().map(text).collect::<Vec<_>>().join(separator);
        match expressions.node(expression) {
            Node::Boolean(value) => value.to_string(),
            Node::Bits(bits) => constant(bits),
            Node::Variable(variable) => self.name(*variable),
            Node::Not(a) => format!("!{}", text(a)),
            Node::And(all) => format!("({})", list(all, " && ")),
            Node::Or(all) => format!("({})", list(all, " || ")),
            Node::Equal(a, b) => format!("({} == {})", text(a), text(b)),
            Node::IfThenElse(c, a, b) => format!("(if {} then {} else {})", text(c), text(a), text(b)),
            Node::Sum(offset, summands) => self.sum(offset, summands, terms),
            Node::Unary(UnaryOp::Not, a) => {
                let width = expressions.width(expression);
                format!("{}({})", self.builtin("bvnot", "bvnot", &[width], Sort::Bits(width)), text(a))
            }
            Node::Binary(op, a, b) => {
                let (name, width) = (binary_name(*op), expressions.width(expression));
                let function = self.builtin(name, name, &[width, width], Sort::Bits(width));
                format!("{function}({}, {})", text(a), text(b))
            }
            Node::Compare(op, a, b) => {
                let (name, width) = (compare_name(*op), expressions.width(*a));
                let function = self.builtin(name, name, &[width, width], Sort::Boolean);
                format!("{function}({}, {})", text(a), text(b))
            }
            Node::ZeroExtend(a) => self.extension(expressions, "zero_extend", expression, *a, text(a)),
            Node::SignExtend(a) => self.extension(expressions, "sign_extend", expression, *a, text(a)),
            Node::Extract(high, low, a) => format!("{}[{}:{low}]", text(a), high + 1),
            Node::Concat(a, b) => format!("({} ++ {})", text(a), text(b)),
            Node::Select(map, index) => format!("{}[{}]", text(map), text(index)),
            Node::Store(map, index, value) => format!("{}[{} := {}]", text(map), text(index), text(value)),
            Node::Apply(function, arguments) => {
                format!("{}({})", function_name(&expressions.functions()[*function].name), list(arguments, ", "))
            }
        }
    }

    fn extension(
        &mut self,
        expressions: &Expressions,
        name: &str,
        wide: Expression,
        narrow: Expression,
        text: &str,
    ) -> String {
        let (to, from) = (expressions.width(wide), expressions.width(narrow));
        let function = self.builtin(&format!("{name}.{to}"), &format!("{name} {}", to - from), &[from], Sort::Bits(to));
        format!("{function}({text})")
    }

    fn sum(&mut self, offset: &Bits, summands: &[(Bits, Expression)], terms: &FxHashMap<Expression, String>) -> String {
        let width = offset.width();
        let binary = [width, width];
        let mut sum = None;
        for (coefficient, term) in summands {
            let term = &terms[term];
            let negative = width > 1 && coefficient.sign();
            let magnitude = if negative { coefficient.neg() } else { coefficient.clone() };
            let product = if magnitude.is_one() {
                term.clone()
            } else {
                format!(
                    "{}({}, {term})",
                    self.builtin("bvmul", "bvmul", &binary, Sort::Bits(width)),
                    constant(&magnitude)
                )
            };
            sum = Some(match (sum, negative) {
                (None, false) => product,
                (None, true) => format!("{}({product})", self.builtin("bvneg", "bvneg", &[width], Sort::Bits(width))),
                (Some(sum), false) => {
                    format!("{}({sum}, {product})", self.builtin("bvadd", "bvadd", &binary, Sort::Bits(width)))
                }
                (Some(sum), true) => {
                    format!("{}({sum}, {product})", self.builtin("bvsub", "bvsub", &binary, Sort::Bits(width)))
                }
            });
        }
        match sum {
            Some(sum) if offset.is_zero() => sum,
            Some(sum) => {
                format!("{}({sum}, {})", self.builtin("bvadd", "bvadd", &binary, Sort::Bits(width)), constant(offset))
            }
            None => constant(offset),
        }
    }

    /// The name of the Boogie function for an operation of SMT-LIB at these widths, declared when
    /// first used.
    fn builtin(&mut self, name: &str, operation: &str, parameters: &[u32], result: Sort) -> String {
        let function = format!("{name}.{}", parameters[0]);
        let parameters: Vec<_> = parameters.iter().enumerate().map(|(at, width)| format!("x{at}: bv{width}")).collect();
        let result = sort(result);
        self.builtins.insert(format!(
            "function {{:bvbuiltin \"{operation}\"}} {function}({}) returns ({result});",
            parameters.join(", ")
        ));
        function
    }
}

/// The assumptions and assertions of the body, if it consists of nothing else.
fn conditions_if_straight(body: &[Statement]) -> Option<Vec<Expression>> {
    let conditions = body.iter().map(|statement| match statement {
        Statement::Assume { condition, .. } | Statement::Assert { condition, .. } => Some(*condition),
        Statement::Assign { .. } | Statement::Havoc { .. } | Statement::Loop(_) => None,
    });
    conditions.collect()
}

fn is_input(role: Role) -> bool {
    match role {
        Role::Input | Role::Watched => true,
        Role::Value
        | Role::Predicate
        | Role::Ghost
        | Role::Counter(_)
        | Role::ExitCounter(_)
        | Role::Hit(_)
        | Role::Written(_)
        | Role::Recorded(_)
        | Role::Contents
        | Role::Choice => false,
    }
}

fn constant(bits: &Bits) -> String {
    format!("{}bv{}", bits.unsigned(), bits.width())
}

fn sort(sort: Sort) -> String {
    match sort {
        Sort::Boolean => "bool".into(),
        Sort::Bits(width) => format!("bv{width}"),
        Sort::Map { index, element } => format!("[bv{index}]bv{element}"),
    }
}

/// The name as a valid Boogie identifier; different names stay different.
fn identifier(name: &str) -> String {
    let mut identifier = String::with_capacity(name.len());
    for c in name.chars() {
        if c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$') {
            identifier.push(c);
        } else {
            let _ = write!(identifier, "#{:x}#", u32::from(c));
        }
    }
    let bit_vector_type = identifier.strip_prefix("bv").is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()));
    let starts_well = identifier.starts_with(|c: char| !c.is_ascii_digit());
    if !starts_well || bit_vector_type || KEYWORDS.contains(&identifier.as_str()) {
        identifier.insert_str(0, "name#");
    }
    identifier
}

fn function_name(name: &str) -> String {
    format!("fn#{}", identifier(name))
}

const KEYWORDS: &[&str] = &[
    "type",
    "const",
    "unique",
    "extends",
    "complete",
    "function",
    "axiom",
    "var",
    "procedure",
    "implementation",
    "returns",
    "requires",
    "ensures",
    "modifies",
    "free",
    "where",
    "async",
    "assert",
    "assume",
    "havoc",
    "call",
    "forall",
    "exists",
    "lambda",
    "if",
    "then",
    "else",
    "while",
    "invariant",
    "break",
    "goto",
    "return",
    "old",
    "true",
    "false",
    "int",
    "real",
    "bool",
    "div",
    "mod",
    "yield",
    "par",
    "cast",
    "finite",
    "rmode",
    "string",
    "regex",
    "RNE",
    "RNA",
    "RTP",
    "RTN",
    "RTZ",
    "RoundNearestTiesToEven",
    "RoundNearestTiesToAway",
    "RoundTowardPositive",
    "RoundTowardNegative",
    "RoundTowardZero",
    "is",
    "then",
    "datatype",
];

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::super::testing::{Random, Trees, sample, trivial};
    use super::super::{BinaryOp, Claim, CompareOp, Ground, Obligation, ObligationData, ObligationKind, Value};
    use super::*;

    /// The last line of Boogie's output for a program, if Boogie is installed.
    fn boogie(program: &Program, name: &str) -> Option<String> {
        let path = std::env::temp_dir().join(format!("lockstep-{}-{name}.bpl", std::process::id()));
        std::fs::write(&path, emit_boogie(program)).ok()?;
        let output = Command::new("boogie").arg("/useArrayTheory").arg(&path).output();
        let output = String::from_utf8_lossy(&output.ok()?.stdout).into_owned();
        let verdict = output.lines().rfind(|line| !line.trim().is_empty())?.to_owned();
        assert!(verdict.contains("finished with"), "{output}\n{}", std::fs::read_to_string(&path).ok()?);
        let _ = std::fs::remove_file(path);
        Some(verdict)
    }

    const VERIFIED: &str = "Boogie program verifier finished with 1 verified, 0 errors";

    #[test]
    fn boogie_proves_the_sample() {
        if let Some(verdict) = boogie(&sample(), "sample") {
            assert_eq!(verdict, VERIFIED);
        }
    }

    #[test]
    fn boogie_refutes_the_sample_with_a_race_in_it() {
        let mut program = sample();
        // If n has no bound, nothing keeps the threads' cells apart.
        program.preconditions.retain(|precondition| precondition.ground != Ground::Model("requires n <= 4".into()));
        let data = program.loops.values_mut().next().unwrap();
        data.invariants.truncate(0);
        if let Some(verdict) = boogie(&program, "race") {
            assert_eq!(verdict, "Boogie program verifier finished with 0 verified, 1 error");
        }
    }

    /// An independent reading of the text: under an assignment, Boogie must compute the same values
    /// as the evaluator.
    #[test]
    fn boogie_agrees_with_our_evaluation() {
        let mut trees = Trees::new();
        let assignment = trees.assignment(&mut Random::new(1));
        let (mut assumptions, mut assertions) = (Vec::new(), Vec::new());
        for &(_, variable) in &trees.variables {
            let e = &mut trees.expressions;
            let value = match &assignment[&variable] {
                Value::Boolean(value) => e.boolean(*value),
                Value::Bits(bits) => e.bits(bits.clone()),
                Value::Map(..) => continue,
            };
            let variable = e.variable(variable);
            assumptions.push(e.equal(variable, value));
        }
        let mut unasserted = Vec::new();
        for seed in 0..300 {
            let mut random = Random::new(seed);
            let sort = *random.pick(&[Sort::Boolean, Sort::Bits(8), Sort::Bits(3), Sort::Bits(64)]);
            let tree = trees.tree(&mut random, sort, 4);
            let built = trees.build(&tree);
            let value = trees.evaluate(built, &assignment);
            let e = &mut trees.expressions;
            let mut closed = !format!("{tree:?}").contains("Apply");
            e.for_each_variable(built, |variable| {
                closed &= !matches!(e.variables()[variable].sort, Sort::Map { .. });
            });
            let value = match value {
                Value::Boolean(value) => e.boolean(value),
                Value::Bits(bits) => e.bits(bits),
                Value::Map(..) => unreachable!("no map was asked for"),
            };
            let same = e.equal(built, value);
            if closed { &mut assertions } else { &mut unasserted }.push(same);
        }
        assert!(assertions.len() > 100, "{} values are too few", assertions.len());
        let mut program = trivial(trees.expressions);
        let assume =
            |condition| Statement::Assume { condition, reason: "a\nline break".into(), about: None, location: None };
        let fixed = assumptions.len();
        program.body.extend(assumptions.into_iter().map(assume));
        for condition in assertions {
            let obligation = program.obligations.push(ObligationData {
                kind: ObligationKind::Claim { claim: Claim::Assertion, thread: None },
                location: None,
            });
            program.body.push(Statement::Assert { condition, obligation, location: None });
        }
        // Boogie must accept maps and functions.
        program.body.extend(unasserted.into_iter().map(assume));
        if let Some(verdict) = boogie(&program, "evaluation") {
            assert_eq!(verdict, VERIFIED);
        }
        // The program must not have been contradictory from the start.
        let condition = program.expressions.boolean(false);
        let obligation = Obligation::from_u32(0);
        program.body.retain(|statement| !matches!(statement, Statement::Assert { .. }));
        program.body.truncate(fixed);
        program.body.push(Statement::Assert { condition, obligation, location: None });
        if let Some(verdict) = boogie(&program, "satisfiable") {
            assert_eq!(verdict, "Boogie program verifier finished with 0 verified, 1 error");
        }
    }

    #[test]
    fn common_parts_of_statements_are_written_once() {
        let mut expressions = Expressions::default();
        let variable = expressions.add_variable("x", Sort::Bits(8), None, Role::Value);
        let x = expressions.variable(variable);
        let square = expressions.binary(BinaryOp::Multiply, x, x);
        let conditions = [1u32, 2].map(|bound| {
            let bound = expressions.bits(Bits::new(8, bound));
            expressions.compare(CompareOp::UnsignedLess, bound, square)
        });
        let mut program = trivial(expressions);
        let assume = |condition| Statement::Assume { condition, reason: String::new(), about: None, location: None };
        program.body.extend(conditions.map(assume));
        let products = |program: &Program| emit_boogie(program).matches("bvmul.8(x, x)").count();
        assert_eq!(products(&program), 1);
        // If a variable changes, each statement binds its own terms.
        program.body.insert(0, Statement::Assign { variable, value: x, location: None });
        assert_eq!(products(&program), 2);
    }

    #[test]
    fn awkward_names_are_escaped_apart() {
        assert_eq!(identifier("lid.x$1"), "lid.x$1");
        assert_eq!(identifier("havoc"), "name#havoc");
        assert_eq!(identifier("bv32"), "name#bv32");
        assert_ne!(identifier("a-b"), identifier("a+b"));
    }
}
