//! Emits a query about a sequential program's expressions as SMT-LIB 2.

use std::fmt::Write as _;

use cranelift_entity::EntitySet;
use rustc_hash::FxHashMap;

use super::{BinaryOp, CompareOp, Expression, Expressions, Function, Node, Sort, UnaryOp, Variable};
use crate::bits::Bits;

/// A script that asks whether `assertions` are satisfiable together.
///
/// Terms used more than once are defined once (`define-fun`), so the script is as small as the
/// shared graph.
pub fn emit_smtlib(expressions: &Expressions, assertions: &[Expression]) -> String {
    let assertions: Vec<_> = assertions.iter().map(|&assertion| (assertion, "")).collect();
    emit_smtlib_with_origins(expressions, &assertions)
}

/// The same, with a comment that gives the origin of each assertion.
pub fn emit_smtlib_with_origins(expressions: &Expressions, assertions: &[(Expression, &str)]) -> String {
    let roots: Vec<Expression> = assertions.iter().map(|(assertion, _)| *assertion).collect();
    let order = postorder(expressions, &roots);
    let mut text = String::from("(set-logic QF_AUFBV)\n");
    declare(expressions, &order, &mut text);
    let uses = uses(expressions, &order, &roots);
    let mut terms: FxHashMap<Expression, Term> = FxHashMap::default();
    let mut definitions = 0;
    for &expression in &order {
        let leaf = matches!(expressions.node(expression), Node::Boolean(_) | Node::Bits(_) | Node::Variable(_));
        let depth = 1 + depth_of_operands(expressions, expression, &terms);
        let term = term(expressions, expression, &terms);
        let named = !leaf && (uses[&expression] > 1 || depth > DEEPEST);
        let term = if named {
            definitions += 1;
            let sort = sort(expressions.sort(expression));
            let _ = writeln!(text, "(define-fun ?{definitions} () {sort} {term})");
            Term { text: format!("?{definitions}"), depth: 0 }
        } else {
            Term { text: term, depth }
        };
        terms.insert(expression, term);
    }
    let mut last = "";
    for (assertion, origin) in assertions {
        if *origin != last {
            let _ = writeln!(text, "; {}", origin.replace(['\n', '\r'], " "));
            last = origin;
        }
        let _ = writeln!(text, "(assert {})", terms[assertion].text);
    }
    text.push_str("(check-sat)\n");
    text
}

/// Terms nested deeper than this are named: some SMT-LIB parsers recurse.
const DEEPEST: u32 = 100;

struct Term {
    text: String,
    depth: u32,
}

/// Everything in `roots`, operands before the expressions made of them.
pub(super) fn postorder(expressions: &Expressions, roots: &[Expression]) -> Vec<Expression> {
    let mut order = Vec::new();
    let mut entered = EntitySet::new();
    let mut stack: Vec<(Expression, bool)> = roots.iter().rev().map(|&root| (root, false)).collect();
    while let Some((top, operands_done)) = stack.pop() {
        if operands_done {
            order.push(top);
        } else if entered.insert(top) {
            stack.push((top, true));
            expressions.for_each_operand(top, |operand| stack.push((operand, false)));
        }
    }
    order
}

pub(super) fn uses(
    expressions: &Expressions,
    order: &[Expression],
    roots: &[Expression],
) -> FxHashMap<Expression, usize> {
    let mut uses: FxHashMap<Expression, usize> = order.iter().map(|&expression| (expression, 0)).collect();
    let mut count = |expression| *uses.entry(expression).or_default() += 1;
    roots.iter().copied().for_each(&mut count);
    for &expression in order {
        expressions.for_each_operand(expression, &mut count);
    }
    uses
}

fn depth_of_operands(expressions: &Expressions, expression: Expression, terms: &FxHashMap<Expression, Term>) -> u32 {
    let mut depth = 0;
    expressions.for_each_operand(expression, |operand| depth = depth.max(terms[&operand].depth));
    depth
}

fn declare(expressions: &Expressions, order: &[Expression], text: &mut String) {
    let mut variables = EntitySet::<Variable>::new();
    let mut functions = EntitySet::<Function>::new();
    for &expression in order {
        match expressions.node(expression) {
            Node::Variable(variable) => {
                variables.insert(*variable);
            }
            Node::Apply(function, _) => {
                functions.insert(*function);
            }
            _ => {}
        }
    }
    for (variable, data) in expressions.variables() {
        if variables.contains(variable) {
            let _ = writeln!(text, "(declare-fun {} () {})", symbol(&data.name), sort(data.sort));
        }
    }
    for (function, data) in expressions.functions() {
        if functions.contains(function) {
            let parameters: Vec<_> = data.parameters.iter().map(|&parameter| sort(parameter)).collect();
            let (name, result) = (function_symbol(&data.name), sort(data.result));
            let _ = writeln!(text, "(declare-fun {name} ({}) {result})", parameters.join(" "));
        }
    }
}

fn term(expressions: &Expressions, expression: Expression, terms: &FxHashMap<Expression, Term>) -> String {
    let text = |operand: &Expression| terms[operand].text.as_str();
    let list = |operands: &[Expression]| operands.iter().map(text).collect::<Vec<_>>().join(" ");
    let widening = |operand: &Expression| expressions.width(expression) - expressions.width(*operand);
    match expressions.node(expression) {
        Node::Boolean(value) => value.to_string(),
        Node::Bits(bits) => constant(bits),
        Node::Variable(variable) => symbol(&expressions.variables()[*variable].name),
        Node::Not(a) => format!("(not {})", text(a)),
        Node::And(all) => format!("(and {})", list(all)),
        Node::Or(all) => format!("(or {})", list(all)),
        Node::Equal(a, b) => format!("(= {} {})", text(a), text(b)),
        Node::IfThenElse(a, b, c) => format!("(ite {} {} {})", text(a), text(b), text(c)),
        Node::Sum(offset, summands) => sum(offset, summands, terms),
        Node::Unary(UnaryOp::Not, a) => format!("(bvnot {})", text(a)),
        Node::Binary(op, a, b) => format!("({} {} {})", binary_name(*op), text(a), text(b)),
        Node::Compare(op, a, b) => format!("({} {} {})", compare_name(*op), text(a), text(b)),
        Node::ZeroExtend(a) => format!("((_ zero_extend {}) {})", widening(a), text(a)),
        Node::SignExtend(a) => format!("((_ sign_extend {}) {})", widening(a), text(a)),
        Node::Extract(high, low, a) => format!("((_ extract {high} {low}) {})", text(a)),
        Node::Concat(a, b) => format!("(concat {} {})", text(a), text(b)),
        Node::Select(map, index) => format!("(select {} {})", text(map), text(index)),
        Node::Store(map, index, value) => format!("(store {} {} {})", text(map), text(index), text(value)),
        Node::Apply(function, arguments) => {
            let name = function_symbol(&expressions.functions()[*function].name);
            if arguments.is_empty() { name } else { format!("({name} {})", list(arguments)) }
        }
    }
}

fn sum(offset: &Bits, summands: &[(Bits, Expression)], terms: &FxHashMap<Expression, Term>) -> String {
    let mut parts: Vec<String> = summands
        .iter()
        .map(|(coefficient, term)| {
            let term = &terms[term].text;
            if coefficient.is_one() {
                term.clone()
            } else if coefficient.is_ones() {
                format!("(bvneg {term})")
            } else {
                format!("(bvmul {} {term})", constant(coefficient))
            }
        })
        .collect();
    if !offset.is_zero() {
        parts.push(constant(offset));
    }
    // Binary applications: SMT-LIB's bvadd takes two operands.
    let mut parts = parts.into_iter();
    let first = parts.next().expect("a sum has a term");
    parts.fold(first, |sum, part| format!("(bvadd {sum} {part})"))
}

/// SMT-LIB's name of the operation; Boogie's too.
pub(super) fn binary_name(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Multiply => "bvmul",
        BinaryOp::UnsignedDivide => "bvudiv",
        BinaryOp::SignedDivide => "bvsdiv",
        BinaryOp::UnsignedRemainder => "bvurem",
        BinaryOp::SignedRemainder => "bvsrem",
        BinaryOp::ShiftLeft => "bvshl",
        BinaryOp::LogicalShiftRight => "bvlshr",
        BinaryOp::ArithmeticShiftRight => "bvashr",
        BinaryOp::And => "bvand",
        BinaryOp::Or => "bvor",
        BinaryOp::Xor => "bvxor",
    }
}

/// SMT-LIB's name of the comparison; Boogie's too.
pub(super) fn compare_name(op: CompareOp) -> &'static str {
    match op {
        CompareOp::UnsignedLess => "bvult",
        CompareOp::UnsignedLessEqual => "bvule",
        CompareOp::SignedLess => "bvslt",
        CompareOp::SignedLessEqual => "bvsle",
    }
}

fn constant(bits: &Bits) -> String {
    format!("(_ bv{} {})", bits.unsigned(), bits.width())
}

fn sort(sort: Sort) -> String {
    match sort {
        Sort::Boolean => "Bool".into(),
        Sort::Bits(width) => format!("(_ BitVec {width})"),
        Sort::Map { index, element } => format!("(Array (_ BitVec {index}) (_ BitVec {element}))"),
    }
}

/// A quoted symbol, in which everything but `|` and `\` may occur. Names of the theories get a
/// mark, because quoting does not change their meaning.
fn symbol(name: &str) -> String {
    let name = name.replace('|', "!bar").replace('\\', "!backslash");
    let taken = name.starts_with("bv") || THEORY_NAMES.contains(&name.as_str());
    if taken { format!("|{name}!|") } else { format!("|{name}|") }
}

const THEORY_NAMES: &[&str] = &[
    "true",
    "false",
    "not",
    "and",
    "or",
    "xor",
    "ite",
    "distinct",
    "select",
    "store",
    "concat",
    "extract",
    "repeat",
    "const",
    "div",
    "mod",
    "abs",
    "map",
    "union",
    "subset",
    "complement",
    "intersection",
    "implies",
    "iff",
    "if",
];

/// Functions and variables may have equal names, which SMT-LIB forbids.
fn function_symbol(name: &str) -> String {
    symbol(&format!("{name}()"))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::process::{Command, Stdio};

    use super::super::testing::{Random, Trees};
    use super::super::{Role, Value};
    use super::*;

    /// The answer of `z3 -in` to the script, if it is installed.
    fn z3(script: &str) -> Option<String> {
        let mut child = Command::new("z3").arg("-in").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
        child.stdin.take()?.write_all(script.as_bytes()).ok()?;
        let output = child.wait_with_output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    #[test]
    fn shared_expressions_are_defined_once() {
        let mut e = Expressions::new();
        let x = e.add_variable("x", Sort::Bits(8), None, Role::Input);
        let x = e.variable(x);
        let mut power = x;
        for _ in 0..100 {
            power = e.binary(BinaryOp::UnsignedDivide, power, power);
        }
        let assertion = e.equal(power, x);
        let script = emit_smtlib(&e, &[assertion]);
        assert!(script.len() < 10_000);
        assert!(script.contains("(declare-fun |x| () (_ BitVec 8))\n"), "{script}");
        assert_eq!(script.matches("(check-sat)").count(), 1);
    }

    /// An independent reading of the scripts: under an assignment, Z3 must compute the same value
    /// as the evaluator.
    #[test]
    fn a_solver_agrees_with_our_evaluation() {
        let mut asked = 0;
        for seed in 0..60 {
            let mut random = Random::new(seed);
            let mut trees = Trees::new();
            // Functions are left out: no assignment fixes them.
            let tree = loop {
                let tree = trees.tree(&mut random, Sort::Bits(8), 4);
                if !format!("{tree:?}").contains("Apply") {
                    break tree;
                }
            };
            let built = trees.build(&tree);
            let assignment = trees.assignment(&mut random);
            let Value::Bits(value) = trees.evaluate(built, &assignment) else { unreachable!("it has 8 bits") };
            let e = &mut trees.expressions;
            let mut assertions = Vec::new();
            let mut variables = Vec::new();
            e.for_each_variable(built, |variable| variables.push(variable));
            if variables.iter().any(|&variable| matches!(e.variables()[variable].sort, Sort::Map { .. })) {
                continue;
            }
            for variable in variables {
                let value = match &assignment[&variable] {
                    Value::Boolean(value) => e.boolean(*value),
                    Value::Bits(bits) => e.bits(bits.clone()),
                    Value::Map(..) => unreachable!("maps were left out"),
                };
                let variable = e.variable(variable);
                assertions.push(e.equal(variable, value));
            }
            let value = e.bits(value);
            let same = e.equal(built, value);
            let different = e.not(same);
            let Some(answer) = z3(&emit_smtlib(e, &[assertions.clone(), vec![same]].concat())) else { return };
            assert_eq!(answer, "sat", "seed {seed}");
            let answer = z3(&emit_smtlib(e, &[assertions, vec![different]].concat()));
            assert_eq!(answer.as_deref(), Some("unsat"), "seed {seed}");
            asked += 1;
        }
        assert!(asked > 20, "{asked} questions are too few");
    }

    #[test]
    fn names_of_theories_are_no_obstacle() {
        let mut e = Expressions::new();
        let mut all = Vec::new();
        for name in ["select", "bvadd", "true", "let", "x", "x'|y"] {
            let variable = e.add_variable(name, Sort::Boolean, None, Role::Value);
            all.push(e.variable(variable));
        }
        if let Some(answer) = z3(&emit_smtlib(&e, &all)) {
            assert_eq!(answer, "sat");
        }
    }

    #[test]
    fn maps_and_functions_are_declared() {
        let mut e = Expressions::new();
        let map = e.add_variable("m", Sort::Map { index: 64, element: 32 }, None, Role::Contents);
        let f = e.add_function("m", vec![Sort::Bits(32)], Sort::Bits(64));
        let x = e.add_variable("x$1", Sort::Bits(32), Some(0), Role::Value);
        let (map, x) = (e.variable(map), e.variable(x));
        let index = e.apply(f, vec![x]);
        let stored = e.store(map, index, x);
        let other = e.number(64, 5);
        let loaded = e.select(stored, other);
        let same = e.equal(loaded, x);
        let different = e.not(same);
        let here = e.equal(index, other);
        let script = emit_smtlib(&e, &[different, here]);
        assert!(script.contains("(declare-fun |m| () (Array (_ BitVec 64) (_ BitVec 32)))"), "{script}");
        assert!(script.contains("(declare-fun |m()| ((_ BitVec 32)) (_ BitVec 64))"), "{script}");
        if let Some(answer) = z3(&script) {
            assert_eq!(answer, "unsat");
        }
    }
}
