//! The index of an access as arithmetic on the source's names, with its numbers: `gid + offset = 7 + 1 = 8`.
//!
//! The program says how the index is computed; the counterexample says what ids, sizes, parameters and loop
//! counters are. Variables assigned once are followed to their definition. What comes out is **checked**: the numbers are
//! shown only if they evaluate to the very offset that the prover reports, so the line never tells a wrong story.

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::ElementLayout;
use lockstep_ir::sequential::{
    BinaryOp, Copies, Expression, Loop, Node, Program, Role, Site, Statement, UnaryOp, Variable,
};
use rustc_hash::FxHashMap;

use crate::prove::Counterexample;

/// Deeper formulas are not shown.
const DEPTH: usize = 24;

/// Longer formulas are not shown.
const LENGTH: usize = 160;

/// How thread `thread`'s access at a site comes to its offset; empty if there is nothing to tell.
pub fn of_access(program: &Program, counterexample: &Counterexample, thread: usize, site: Site) -> String {
    let offset = *program.sites[site].offset.of(thread);
    let array = &program.arrays[program.sites[site].array];
    of_cell(program, counterexample, thread, offset, array.cell_bytes, array.element.as_ref())
}

/// The same for a cell of an array with such cells and elements.
pub fn of_cell(
    program: &Program,
    counterexample: &Counterexample,
    thread: usize,
    offset: Expression,
    cell_bytes: u64,
    element: Option<&ElementLayout>,
) -> String {
    let Some(offsets) = &counterexample.offsets else { return String::new() };
    let result = &offsets[thread];
    let formula = Formula::new(program, counterexample, thread);
    let Some(names) = formula.text(offset, false, DEPTH).filter(|text| text.len() <= LENGTH) else {
        return String::new();
    };
    let result_text = if result.sign() { result.signed().to_string() } else { result.unsigned().to_string() };
    if names == result_text {
        return String::new();
    }
    let numbers = formula.value(offset, DEPTH).filter(|value| value == result);
    let numbers = numbers.and_then(|_| formula.text(offset, true, DEPTH)).filter(|text| text.len() <= LENGTH);
    let unit = match element {
        Some(element) if element.bytes == cell_bytes => String::new(),
        _ if cell_bytes == 1 => " (in bytes)".to_owned(),
        _ => format!(" (in units of {cell_bytes} bytes)"),
    };
    match numbers {
        Some(numbers) if numbers != result_text && numbers != names => {
            format!("{names} = {numbers} = {result_text}{unit}")
        }
        _ => format!("{names} = {result_text}{unit}"),
    }
}

struct Formula<'a> {
    program: &'a Program,
    /// What is known of variables.
    values: FxHashMap<Variable, Bits>,
    /// Names for what the launch gives.
    names: FxHashMap<Variable, String>,
    /// Variables assigned exactly once: by what.
    definitions: FxHashMap<Variable, Option<Expression>>,
}

impl<'a> Formula<'a> {
    fn new(program: &'a Program, counterexample: &Counterexample, thread: usize) -> Self {
        let mut formula = Self {
            program,
            values: FxHashMap::default(),
            names: FxHashMap::default(),
            definitions: FxHashMap::default(),
        };
        formula.collect_definitions(&program.body);
        for loop_ in program.loops.keys() {
            formula.collect_definitions(&program.loops[loop_].body);
        }
        let observables = &program.observables;
        let of_thread = |copies: &[Copies<Expression>]| copies.iter().map(|copy| *copy.of(thread)).collect::<Vec<_>>();
        let local_ids = of_thread(&observables.local_ids);
        let group_ids = of_thread(&observables.group_ids);
        formula.know(&local_ids, &counterexample.local_ids[thread], "get_local_id");
        formula.know(&group_ids, &counterexample.group_ids[thread], "get_group_id");
        formula.know(&observables.local_sizes, &counterexample.local_sizes, "get_local_size");
        formula.know(&observables.num_groups, &counterexample.num_groups, "get_num_groups");
        for ((name, expression), (_, value)) in observables.parameters.iter().zip(&counterexample.parameters) {
            formula.know_one(*expression, value.clone(), name.clone());
        }
        for &(loop_, iteration) in &counterexample.iterations[thread] {
            formula.know_iteration(loop_, iteration);
        }
        formula
    }

    fn collect_definitions(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Assign { variable, value, .. } => {
                    let again = self.definitions.contains_key(variable);
                    self.definitions.insert(*variable, if again { None } else { Some(*value) });
                }
                Statement::Havoc { variable, .. } => {
                    self.definitions.insert(*variable, None);
                }
                Statement::Assume { .. } | Statement::Assert { .. } | Statement::Loop(_) => {}
            }
        }
    }

    fn know(&mut self, expressions: &[Expression], values: &[u64], function: &str) {
        for (dimension, (&expression, &value)) in expressions.iter().zip(values).enumerate() {
            let width = self.program.expressions.width(expression);
            self.know_one(expression, Bits::new(width, value), format!("{function}({dimension})"));
        }
    }

    fn know_one(&mut self, expression: Expression, value: Bits, name: String) {
        if let &Node::Variable(variable) = self.program.expressions.node(expression) {
            self.values.insert(variable, value);
            self.names.insert(variable, name);
        }
    }

    fn know_iteration(&mut self, loop_: Loop, iteration: u64) {
        self.values.insert(self.program.loops[loop_].counter, Bits::new(64, iteration));
    }

    /// What a variable is computed from, where it has one definition: the new value of `if active { e } else { old }`.
    fn definition(&self, variable: Variable) -> Option<Expression> {
        let value = (*self.definitions.get(&variable)?)?;
        let old = |expression| matches!(self.program.expressions.node(expression), Node::Variable(v) if *v == variable);
        match *self.program.expressions.node(value) {
            Node::IfThenElse(_, new, otherwise) if old(otherwise) => Some(new),
            Node::IfThenElse(_, otherwise, new) if old(otherwise) => Some(new),
            _ => Some(value),
        }
    }

    fn value(&self, expression: Expression, depth: usize) -> Option<Bits> {
        let depth = depth.checked_sub(1)?;
        let expressions = &self.program.expressions;
        let value = |inner: Expression| self.value(inner, depth);
        match expressions.node(expression) {
            Node::Bits(bits) => Some(bits.clone()),
            Node::Variable(variable) => match self.values.get(variable) {
                Some(known) => Some(known.clone()),
                None => value(self.definition(*variable)?),
            },
            Node::Sum(constant, terms) => terms
                .iter()
                .try_fold(constant.clone(), |sum, (coefficient, term)| Some(sum.add(&coefficient.mul(&value(*term)?)))),
            Node::Unary(UnaryOp::Not, a) => Some(value(*a)?.not()),
            Node::Binary(op, a, b) => Some(binary(*op, &value(*a)?, &value(*b)?)),
            Node::ZeroExtend(a) => Some(value(*a)?.zero_extend(expressions.width(expression))),
            Node::SignExtend(a) => Some(value(*a)?.sign_extend(expressions.width(expression))),
            Node::Extract(high, low, a) => Some(value(*a)?.extract(*high, *low)),
            Node::Concat(a, b) => Some(value(*a)?.concat(&value(*b)?)),
            // What depends on conditions or on memory is not followed.
            Node::IfThenElse(..)
            | Node::Select(..)
            | Node::Apply(..)
            | Node::Boolean(_)
            | Node::Not(_)
            | Node::And(_)
            | Node::Or(_)
            | Node::Equal(..)
            | Node::Compare(..)
            | Node::Store(..) => None,
        }
    }

    /// The formula in the source's names, or with `numbers` in place of them; `None` if it has no such form.
    fn text(&self, expression: Expression, numbers: bool, depth: usize) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        let text = |inner: Expression| self.text(inner, numbers, depth);
        match self.program.expressions.node(expression) {
            Node::Bits(bits) => Some(signed(bits)),
            Node::Variable(variable) => self.variable(*variable, numbers, depth),
            Node::Sum(constant, terms) => self.sum(constant, terms, numbers, depth),
            Node::Unary(UnaryOp::Not, a) => Some(format!("~{}", self.operand(*a, numbers, depth)?)),
            Node::Binary(op, a, b) => {
                let (a, b) = (self.operand(*a, numbers, depth)?, self.operand(*b, numbers, depth)?);
                Some(format!("{a} {} {b}", symbol(*op)))
            }
            // Widths are not shown: the numbers are checked.
            Node::ZeroExtend(a) | Node::SignExtend(a) | Node::Extract(_, 0, a) => text(*a),
            Node::Extract(high, low, a) => {
                let top = self.program.expressions.width(*a) - 1 == *high;
                if top { Some(format!("{} >> {low}", self.operand(*a, numbers, depth)?)) } else { None }
            }
            Node::Concat(..)
            | Node::IfThenElse(..)
            | Node::Select(..)
            | Node::Apply(..)
            | Node::Boolean(_)
            | Node::Not(_)
            | Node::And(_)
            | Node::Or(_)
            | Node::Equal(..)
            | Node::Compare(..)
            | Node::Store(..) => None,
        }
    }

    fn variable(&self, variable: Variable, numbers: bool, depth: usize) -> Option<String> {
        if numbers && let Some(value) = self.value_of(variable, depth) {
            return Some(signed(&value));
        }
        if let Some(name) = self.names.get(&variable) {
            return Some(name.clone());
        }
        let data = &self.program.expressions.variables()[variable];
        if let Role::Counter(_) = data.role {
            return Some("iteration".into());
        }
        let name = source_name(&data.name);
        match name {
            Some(name) if !numbers => Some(name),
            _ => self.text(self.definition(variable)?, numbers, depth),
        }
    }

    fn value_of(&self, variable: Variable, depth: usize) -> Option<Bits> {
        match self.values.get(&variable) {
            Some(known) => Some(known.clone()),
            None => self.value(self.definition(variable)?, depth),
        }
    }

    fn sum(&self, constant: &Bits, terms: &[(Bits, Expression)], numbers: bool, depth: usize) -> Option<String> {
        let mut text = String::new();
        // Positive terms first: `n - i`, not `-i + n`.
        let ordered = terms.iter().filter(|(factor, _)| !factor.sign());
        let ordered = ordered.chain(terms.iter().filter(|(factor, _)| factor.sign()));
        for (factor, term) in ordered {
            let magnitude = if factor.sign() { factor.neg() } else { factor.clone() };
            let term = if magnitude.is_one() {
                let text = self.text(*term, numbers, depth)?;
                if factor.sign() { self.operand(*term, numbers, depth)? } else { text }
            } else {
                format!("{}*{}", magnitude.unsigned(), self.operand(*term, numbers, depth)?)
            };
            join(&mut text, factor.sign(), &term);
        }
        if !constant.is_zero() {
            let magnitude = if constant.sign() { constant.neg() } else { constant.clone() };
            join(&mut text, constant.sign(), &magnitude.unsigned().to_string());
        }
        Some(text)
    }

    /// A formula that stands beside an operator.
    fn operand(&self, expression: Expression, numbers: bool, depth: usize) -> Option<String> {
        let text = self.text(expression, numbers, depth)?;
        let simple = !text.contains(' ') && !text.starts_with('-');
        Some(if simple { text } else { format!("({text})") })
    }
}

fn join(text: &mut String, negative: bool, term: &str) {
    match (text.is_empty(), negative) {
        (true, false) => {}
        (true, true) => text.push('-'),
        (false, false) => text.push_str(" + "),
        (false, true) => text.push_str(" - "),
    }
    text.push_str(term);
}

/// The name in the source, without the thread and the number that tells equal names apart; `None` for a value that has
/// none: `v7$1`.
fn source_name(name: &str) -> Option<String> {
    let name = name.split('$').next().unwrap_or(name);
    let name = match name.rsplit_once('.') {
        Some((stem, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => stem,
        _ => name,
    };
    let numbered = |prefix: &str| {
        name.strip_prefix(prefix).is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let anonymous = name.is_empty() || numbered("v") || numbered("_") || numbered("t");
    (!anonymous).then(|| name.to_owned())
}

fn signed(bits: &Bits) -> String {
    if bits.sign() { bits.signed().to_string() } else { bits.unsigned().to_string() }
}

fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Multiply => "*",
        BinaryOp::UnsignedDivide | BinaryOp::SignedDivide => "/",
        BinaryOp::UnsignedRemainder | BinaryOp::SignedRemainder => "%",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::LogicalShiftRight | BinaryOp::ArithmeticShiftRight => ">>",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
    }
}

fn binary(op: BinaryOp, a: &Bits, b: &Bits) -> Bits {
    match op {
        BinaryOp::Multiply => a.mul(b),
        BinaryOp::UnsignedDivide => a.udiv(b),
        BinaryOp::SignedDivide => a.sdiv(b),
        BinaryOp::UnsignedRemainder => a.urem(b),
        BinaryOp::SignedRemainder => a.srem(b),
        BinaryOp::ShiftLeft => a.shl(b),
        BinaryOp::LogicalShiftRight => a.lshr(b),
        BinaryOp::ArithmeticShiftRight => a.ashr(b),
        BinaryOp::And => a.and(b),
        BinaryOp::Or => a.or(b),
        BinaryOp::Xor => a.xor(b),
    }
}

#[cfg(test)]
mod tests {
    use super::source_name;

    #[test]
    fn names_lose_their_thread_and_number() {
        assert_eq!(source_name("gid$1").as_deref(), Some("gid"));
        assert_eq!(source_name("i.2$2").as_deref(), Some("i"));
        assert_eq!(source_name("v12$1"), None);
        assert_eq!(source_name("v"), Some("v".into()));
    }
}
