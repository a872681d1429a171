//! The formula of an index in the source's names, its numbers, and its result.

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::Language;
use lockstep_ir::sequential::{
    BinaryOp, Copies, Expression, Loop, Node, Obligation, Program, Role, Sort, Statement, UnaryOp, Variable,
};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::dialect::Query;
use crate::Counterexample;

/// Deeper formulas are not shown.
const DEPTH: usize = 24;

/// Longer formulas are not shown.
pub const LENGTH: usize = 160;

/// A formula and its result.
pub struct Story {
    /// The formula in the source's names.
    pub names: String,
    /// The formula with numbers, if they are known and evaluate to the result.
    pub numbers: Option<String>,
    /// The result.
    pub result: String,
    /// The width at which the arithmetic wraps around, if it does.
    ///
    /// The integers in `numbers` then do not evaluate to `result`.
    pub wraps: Option<u32>,
}

/// The facts about an execution from which formulas are written.
pub struct Formula<'a> {
    program: &'a Program,
    /// The known values of variables.
    values: FxHashMap<Variable, Bits>,
    /// Names for the numbers that the launch provides.
    names: FxHashMap<Variable, String>,
    /// The factors of each variable that stands for a product.
    products: FxHashMap<Variable, [u64; 2]>,
    /// The definitions of variables that are assigned exactly once.
    definitions: FxHashMap<Variable, Option<Expression>>,
}

impl<'a> Formula<'a> {
    /// A formula writer for this thread of any execution: names only.
    pub fn of_names(program: &'a Program, thread: usize, language: Language) -> Self {
        let observables = &program.observables;
        let ids = |all: &[Copies<Expression>]| [vec![0; all.len()], vec![0; all.len()]];
        let zero = |(name, parameter): &(String, Expression)| match program.expressions.sort(*parameter) {
            Sort::Bits(width) => (name.clone(), Bits::zero(width)),
            Sort::Boolean | Sort::Map { .. } => (name.clone(), Bits::zero(1)),
        };
        let anything = Counterexample {
            obligation: Obligation::from_u32(0),
            local_ids: ids(&observables.local_ids),
            group_ids: ids(&observables.group_ids),
            local_sizes: vec![0; observables.local_sizes.len()],
            num_groups: vec![0; observables.num_groups.len()],
            parameters: observables.parameters.iter().map(zero).collect(),
            cell: None,
            offsets: None,
            arrives: None,
            iterations: [Vec::new(), Vec::new()],
            unknowns: Vec::new(),
            hinges: Vec::new(),
            contents: Vec::new(),
        };
        Self::new(program, &anything, thread, language)
    }

    /// The formula in the source's names.
    pub fn names(&self, expression: Expression) -> Option<String> {
        self.text(expression, false, DEPTH).filter(|text| text.len() <= LENGTH)
    }

    /// A formula writer for this thread of a counterexample.
    pub fn new(program: &'a Program, counterexample: &Counterexample, thread: usize, language: Language) -> Self {
        let mut formula = Self {
            program,
            values: FxHashMap::default(),
            names: FxHashMap::default(),
            products: FxHashMap::default(),
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
        let name = |query: Query| move |d: usize| query.name(language, d);
        formula.know(&local_ids, &counterexample.local_ids[thread], name(Query::LocalId));
        formula.know(&group_ids, &counterexample.group_ids[thread], name(Query::GroupId));
        formula.know(&observables.local_sizes, &counterexample.local_sizes, name(Query::LocalSize));
        formula.know(&observables.num_groups, &counterexample.num_groups, name(Query::GroupCount));
        let group_starts = of_thread(&observables.group_starts);
        formula.know_products(&group_starts, &counterexample.group_ids[thread], &counterexample.local_sizes, |d| {
            format!("{}*{}", Query::GroupId.name(language, d), Query::LocalSize.name(language, d))
        });
        let sizes = (&counterexample.num_groups, &counterexample.local_sizes);
        formula.know_products(&observables.global_sizes, sizes.0, sizes.1, |d| Query::GlobalSize.name(language, d));
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

    fn know(&mut self, expressions: &[Expression], values: &[u64], name: impl Fn(usize) -> String) {
        for (dimension, (&expression, &value)) in expressions.iter().zip(values).enumerate() {
            let width = self.program.expressions.width(expression);
            self.know_one(expression, Bits::new(width, value), name(dimension));
        }
    }

    /// Records the value of the program's variable for the product of these numbers.
    fn know_products(
        &mut self,
        expressions: &[Expression],
        first: &[u64],
        second: &[u64],
        name: impl Fn(usize) -> String,
    ) {
        for (dimension, ((&expression, &first), &second)) in expressions.iter().zip(first).zip(second).enumerate() {
            let Node::Variable(variable) = *self.program.expressions.node(expression) else { continue };
            // With one group, for example, the product equals one of its factors.
            if self.names.contains_key(&variable) {
                continue;
            }
            let width = self.program.expressions.width(expression);
            let product = Bits::new(width, first).mul(&Bits::new(width, second));
            self.know_one(expression, product, name(dimension));
            self.products.insert(variable, [first, second]);
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

    /// The expression that defines a variable with a single definition.
    ///
    /// For `if active { e } else { old }`, it is the new value `e`.
    fn definition(&self, variable: Variable) -> Option<Expression> {
        let value = (*self.definitions.get(&variable)?)?;
        let old = |expression| matches!(self.program.expressions.node(expression), Node::Variable(v) if *v == variable);
        match *self.program.expressions.node(value) {
            Node::IfThenElse(_, new, otherwise) if old(otherwise) => Some(new),
            Node::IfThenElse(_, otherwise, new) if old(otherwise) => Some(new),
            _ => Some(value),
        }
    }

    /// The formula with a result; `None` if it has no form that can be shown.
    pub fn story(&self, expression: Expression, result: &Bits) -> Option<Story> {
        let names = self.text(expression, false, DEPTH).filter(|text| text.len() <= LENGTH)?;
        let holds = self.value(expression, DEPTH).is_some_and(|value| value == *result);
        let numbers = holds.then(|| self.text(expression, true, DEPTH)).flatten();
        let mut wraps = None;
        if numbers.is_some() {
            let exact = self.exact(expression, DEPTH, &mut wraps);
            if exact.is_none_or(|exact| exact == result.signed()) {
                wraps = None;
            }
        }
        Some(Story { names, numbers, result: signed(result), wraps })
    }

    /// The value of the integers that `text` shows.
    ///
    /// `wraps` receives the width of the first operation whose machine result differs.
    fn exact(&self, expression: Expression, depth: usize, wraps: &mut Option<u32>) -> Option<BigInt> {
        let below = depth.checked_sub(1)?;
        let expressions = &self.program.expressions;
        let mut operand = |inner: Expression| self.exact(inner, below, wraps);
        let (exact, width) = match expressions.node(expression) {
            Node::Bits(bits) => (bits.signed(), bits.width()),
            Node::Variable(variable) => {
                let number = match self.products.get(variable) {
                    Some(&[first, second]) => BigInt::from(first) * BigInt::from(second),
                    None => self.value_of(*variable, below)?.signed(),
                };
                (number, expressions.width(expression))
            }
            Node::Sum(constant, terms) => {
                let mut sum = constant.signed();
                for (factor, term) in terms {
                    sum += factor.signed() * operand(*term)?;
                }
                (sum, constant.width())
            }
            Node::Unary(UnaryOp::Not, a) => (-operand(*a)? - 1, expressions.width(*a)),
            Node::Binary(op, a, b) => (exact_binary(*op, &operand(*a)?, &operand(*b)?)?, expressions.width(*a)),
            // A negative number that is zero-extended has already wrapped around.
            Node::ZeroExtend(a) | Node::SignExtend(a) => (operand(*a)?, expressions.width(*a)),
            Node::Extract(high, 0, a) => (operand(*a)?, high + 1),
            Node::Extract(_, low, a) => (operand(*a)? >> *low, expressions.width(*a)),
            // Other expressions are not followed, as in `value`.
            _ => return None,
        };
        if wraps.is_none() && exact != self.value(expression, depth)?.signed() {
            *wraps = Some(width);
        }
        Some(exact)
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
            Node::Binary(op, a, b) => Some(op.fold(&value(*a)?, &value(*b)?)),
            Node::ZeroExtend(a) => Some(value(*a)?.zero_extend(expressions.width(expression))),
            Node::SignExtend(a) => Some(value(*a)?.sign_extend(expressions.width(expression))),
            Node::Extract(high, low, a) => Some(value(*a)?.extract(*high, *low)),
            Node::Concat(a, b) => Some(value(*a)?.concat(&value(*b)?)),
            // Expressions that depend on conditions or on memory are not followed.
            _ => None,
        }
    }

    /// The formula in the source's names, or with `numbers` in their place.
    ///
    /// It is `None` if the expression has no such form.
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
                Some(format!("{a} {} {b}", op.of_kernel().symbol()))
            }
            // Widths are not shown: the numbers are checked.
            Node::ZeroExtend(a) | Node::SignExtend(a) | Node::Extract(_, 0, a) => text(*a),
            Node::Extract(high, low, a) => {
                let top = self.program.expressions.width(*a) - 1 == *high;
                if top { Some(format!("{} >> {low}", self.operand(*a, numbers, depth)?)) } else { None }
            }
            // Other expressions are not followed, as in `value`.
            _ => None,
        }
    }

    fn variable(&self, variable: Variable, numbers: bool, depth: usize) -> Option<String> {
        if numbers && let Some([first, second]) = self.products.get(&variable) {
            return Some(format!("{first}*{second}"));
        }
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

    /// A formula as the operand of an operator.
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

/// The name in the source, without the thread and the number that distinguishes equal names.
///
/// It is `None` for a value without a source name: `v7$1`, `undefined.offset`.
fn source_name(name: &str) -> Option<String> {
    let name = name.split('$').next().unwrap_or(name);
    let name = match name.rsplit_once('.') {
        Some((stem, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => stem,
        _ => name,
    };
    let numbered = |prefix: &str| {
        name.strip_prefix(prefix).is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
    };
    // Names that contain a dot are internal to the method and do not occur in the source.
    let internal = name.contains('.') || ["loaded", "undefined"].contains(&name);
    let anonymous = name.is_empty() || internal || numbered("v") || numbered("_") || numbered("t");
    (!anonymous).then(|| name.to_owned())
}

fn signed(bits: &Bits) -> String {
    bits.signed().to_string()
}

/// The result of an operation on integers; `None` if it is undefined or unreasonably large.
fn exact_binary(op: BinaryOp, a: &BigInt, b: &BigInt) -> Option<BigInt> {
    let zero = BigInt::ZERO;
    let shift = || u32::try_from(b.clone()).ok().filter(|&bits| bits <= 1024);
    match op {
        BinaryOp::Multiply => Some(a * b),
        BinaryOp::UnsignedDivide | BinaryOp::SignedDivide => (*b != zero).then(|| a / b),
        BinaryOp::UnsignedRemainder | BinaryOp::SignedRemainder => (*b != zero).then(|| a % b),
        BinaryOp::ShiftLeft => Some(a << shift()?),
        BinaryOp::LogicalShiftRight | BinaryOp::ArithmeticShiftRight => Some(a >> shift()?),
        BinaryOp::And => Some(a & b),
        BinaryOp::Or => Some(a | b),
        BinaryOp::Xor => Some(a ^ b),
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

    #[test]
    fn internal_values_have_no_name_in_the_source() {
        for name in
            ["undefined.offset", "undefined.offset.2$1", "undefined$1", "loaded.3$2", "group_start.x", "i.at.0$1"]
        {
            assert_eq!(source_name(name), None, "{name}");
        }
    }
}
