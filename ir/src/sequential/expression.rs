//! Expressions of the sequential program: hash-consed, sorted, simplified as they are built.
//!
//! Two equal expressions are the same [`Expression`]. The constructors simplify: constants are folded,
//! units and zeros of operations removed, conjunctions flattened, ordered and freed of repetitions, and
//! **bit-vector sums are kept in normal form**: a [`Node::Sum`] is a constant plus distinct non-constant
//! terms with non-zero coefficients, ordered by term, all modulo `2^width`. Subtraction, negation,
//! multiplication by a constant and shifting left by one are sums too, so equal linear expressions are
//! equal nodes, and an equation between two of them simplifies to an equation between what differs.
//!
//! Every simplification is an equivalence of SMT-LIB's theory of bit-vectors; none uses the
//! preconditions of a program.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl};
use rustc_hash::FxHashMap;

use super::{Loop, Site};
use crate::bits::Bits;

/// An expression of an [`Expressions`] arena.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Expression(u32);
entity_impl!(Expression, "e");

/// A variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variable(u32);
entity_impl!(Variable, "var");

/// An uninterpreted function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Function(u32);
entity_impl!(Function, "fn");

/// The sort of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    /// True or false.
    Boolean,
    /// A bit-vector of this width, at least 1.
    Bits(u32),
    /// A total function from bit-vectors to bit-vectors: the contents of an array.
    Map {
        /// The width of the index.
        index: u32,
        /// The width of the element.
        element: u32,
    },
}

/// A variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct VariableData {
    /// The name, unique in the program: letters, digits, `_`, `.` and `$`. A thread's copy ends in `$1` or `$2`.
    pub name: String,
    /// Its sort.
    pub sort: Sort,
    /// The thread whose copy it is, 0 for the first; `None` if there is one for both.
    pub thread: Option<usize>,
    /// What it is for.
    pub role: Role,
}

/// What a variable is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// An unknown of the launch, never assigned: ids, sizes, parameters.
    Input,
    /// The watched cell of an array, never assigned.
    Watched,
    /// A value of the source.
    Value,
    /// Whether a thread is active somewhere.
    Predicate,
    /// Counts the completed iterations of a loop.
    Counter(Loop),
    /// How many iterations of a loop a thread completed before it left it.
    ExitCounter(Loop),
    /// Whether thread 1 has hit the watched cell at a site.
    Hit(Site),
    /// The value written by the hit at a site.
    Written(Site),
    /// A value recorded with the hit at a site.
    Recorded(Site),
    /// The contents of an array.
    Contents,
    /// A free choice of the instrumentation.
    Choice,
}

/// An uninterpreted function: deterministic, otherwise unknown.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FunctionData {
    /// The name, unique in the program.
    pub name: String,
    /// The sorts of its parameters.
    pub parameters: Vec<Sort>,
    /// The sort of its result.
    pub result: Sort,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A truth value.
    Boolean(bool),
    /// A bit-vector constant.
    Bits(Bits),
    /// A variable's current value.
    Variable(Variable),
    /// Negation of a Boolean.
    Not(Expression),
    /// Conjunction of at least two Booleans, ordered, without repetitions.
    And(Box<[Expression]>),
    /// Disjunction of at least two Booleans, ordered, without repetitions.
    Or(Box<[Expression]>),
    /// Equality of two expressions of one sort, the smaller one first.
    Equal(Expression, Expression),
    /// `if a { b } else { c }`; `b` and `c` of any one sort.
    IfThenElse(Expression, Expression, Expression),
    /// `constant + Σ coefficient · term` modulo `2^width`. Either two terms or more, or one whose
    /// coefficient is not one or which has a constant other than zero.
    Sum(Bits, Box<[(Bits, Expression)]>),
    /// An operation on one bit-vector.
    Unary(UnaryOp, Expression),
    /// An operation on two bit-vectors of one width.
    Binary(BinaryOp, Expression, Expression),
    /// A comparison of two bit-vectors of one width.
    Compare(CompareOp, Expression, Expression),
    /// Zero-extended to the expression's width.
    ZeroExtend(Expression),
    /// Sign-extended to the expression's width.
    SignExtend(Expression),
    /// The bits from the second number (low) to the first (high), inclusive.
    Extract(u32, u32, Expression),
    /// The first as the high bits, the second as the low bits.
    Concat(Expression, Expression),
    /// The element of a map at an index.
    Select(Expression, Expression),
    /// A map changed at an index.
    Store(Expression, Expression, Expression),
    /// An uninterpreted function applied.
    Apply(Function, Box<[Expression]>),
}

/// An operation on one bit-vector. (Negation is a [`Node::Sum`].)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// Bitwise complement.
    Not,
}

/// An operation on two bit-vectors, with SMT-LIB's meaning. (Sums are [`Node::Sum`].)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `bvmul`
    Multiply,
    /// `bvudiv`
    UnsignedDivide,
    /// `bvsdiv`
    SignedDivide,
    /// `bvurem`
    UnsignedRemainder,
    /// `bvsrem`
    SignedRemainder,
    /// `bvshl`
    ShiftLeft,
    /// `bvlshr`
    LogicalShiftRight,
    /// `bvashr`
    ArithmeticShiftRight,
    /// `bvand`
    And,
    /// `bvor`
    Or,
    /// `bvxor`
    Xor,
}

/// A comparison of bit-vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOp {
    /// `bvult`
    UnsignedLess,
    /// `bvule`
    UnsignedLessEqual,
    /// `bvslt`
    SignedLess,
    /// `bvsle`
    SignedLessEqual,
}

/// Products of sums are multiplied out up to this many products.
const MOST_PRODUCTS: usize = 32;

/// Extractions are moved inwards through this many levels at most.
const DEEPEST_EXTRACTION: u32 = 100;

/// An arena of expressions with the variables and functions they mention.
#[derive(Clone, Debug, Default)]
pub struct Expressions {
    nodes: PrimaryMap<Expression, Node>,
    sorts: SecondaryMap<Expression, Option<Sort>>,
    index: FxHashMap<(Node, Sort), Expression>,
    variables: PrimaryMap<Variable, VariableData>,
    names: FxHashMap<String, Variable>,
    functions: PrimaryMap<Function, FunctionData>,
    function_names: FxHashMap<String, Function>,
    /// What extractions were simplified to: they are moved inwards, and expressions are widely shared.
    extractions: FxHashMap<(u32, u32, Expression), Expression>,
    /// What expressions are called in the source or the method, for printing only.
    name_hints: BTreeMap<Expression, String>,
}

/// Two arenas that are the same to whoever looks at them or adds to them have the same hash; the indexes follow from the rest.
impl Hash for Expressions {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self { nodes, sorts, index: _, variables, names: _, functions, function_names: _, extractions, name_hints } =
            self;
        nodes.hash(state);
        nodes.keys().for_each(|expression| sorts[expression].hash(state));
        variables.hash(state);
        functions.hash(state);
        let extractions: BTreeMap<_, _> = extractions.iter().collect();
        extractions.hash(state);
        name_hints.hash(state);
    }
}

impl Expressions {
    /// An empty arena.
    pub fn new() -> Self {
        Self::default()
    }

    // --- Looking ------------------------------------------------------------------------------------

    /// What an expression is.
    pub fn node(&self, expression: Expression) -> &Node {
        &self.nodes[expression]
    }

    /// The sort of an expression.
    pub fn sort(&self, expression: Expression) -> Sort {
        self.sorts[expression].expect("every expression of the arena has a sort")
    }

    /// The width of a bit-vector expression.
    pub fn width(&self, expression: Expression) -> u32 {
        match self.sort(expression) {
            Sort::Bits(width) => width,
            sort => panic!("a bit-vector expected, {sort:?} found"),
        }
    }

    /// The number of expressions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The variables.
    pub fn variables(&self) -> &PrimaryMap<Variable, VariableData> {
        &self.variables
    }

    /// The functions.
    pub fn functions(&self) -> &PrimaryMap<Function, FunctionData> {
        &self.functions
    }

    /// The variable of this name.
    pub fn variable_named(&self, name: &str) -> Option<Variable> {
        self.names.get(name).copied()
    }

    /// The bit-vector constant that an expression is, if it is one.
    pub fn as_bits(&self, expression: Expression) -> Option<&Bits> {
        match self.node(expression) {
            Node::Bits(bits) => Some(bits),
            _ => None,
        }
    }

    /// The truth value that an expression is, if it is one.
    pub fn as_boolean(&self, expression: Expression) -> Option<bool> {
        match self.node(expression) {
            Node::Boolean(value) => Some(*value),
            _ => None,
        }
    }

    /// Calls `visit` on each direct operand, in order.
    pub fn for_each_operand(&self, expression: Expression, mut visit: impl FnMut(Expression)) {
        match self.node(expression) {
            Node::Boolean(_) | Node::Bits(_) | Node::Variable(_) => {}
            Node::Not(a) | Node::Unary(_, a) | Node::ZeroExtend(a) | Node::SignExtend(a) | Node::Extract(_, _, a) => {
                visit(*a);
            }
            Node::And(all) | Node::Or(all) | Node::Apply(_, all) => all.iter().copied().for_each(visit),
            Node::Equal(a, b)
            | Node::Binary(_, a, b)
            | Node::Compare(_, a, b)
            | Node::Concat(a, b)
            | Node::Select(a, b) => {
                visit(*a);
                visit(*b);
            }
            Node::IfThenElse(a, b, c) | Node::Store(a, b, c) => {
                visit(*a);
                visit(*b);
                visit(*c);
            }
            Node::Sum(_, terms) => terms.iter().for_each(|(_, term)| visit(*term)),
        }
    }

    // --- Variables and functions --------------------------------------------------------------------

    /// A new variable. If the name is taken, a number is added to it (before the `$1` of a copy).
    pub fn add_variable(&mut self, name: &str, sort: Sort, thread: Option<usize>, role: Role) -> Variable {
        let name = self.fresh_name(name);
        let variable = self.variables.push(VariableData { name: name.clone(), sort, thread, role });
        self.names.insert(name, variable);
        variable
    }

    fn fresh_name(&self, name: &str) -> String {
        if !self.names.contains_key(name) {
            return name.to_owned();
        }
        let (stem, suffix) = match name.rfind('$') {
            Some(at) => name.split_at(at),
            None => (name, ""),
        };
        (2..)
            .map(|number| format!("{stem}.{number}{suffix}"))
            .find(|name| !self.names.contains_key(name))
            .expect("numbers do not run out")
    }

    /// The function of this name and signature. The same name with another signature is another
    /// function, under a name with a number added.
    pub fn add_function(&mut self, name: &str, parameters: Vec<Sort>, result: Sort) -> Function {
        let mut data = FunctionData { name: name.to_owned(), parameters, result };
        for number in 2.. {
            match self.function_names.get(&data.name) {
                None => break,
                Some(&known) if self.functions[known] == data => return known,
                Some(_) => data.name = format!("{name}.{number}"),
            }
        }
        let function = self.functions.push(data.clone());
        self.function_names.insert(data.name, function);
        function
    }

    // --- Names for printing -------------------------------------------------------------------------

    /// What an expression is called where a program is printed; the first name it is given stays. Constants and variables
    /// that change keep their own. A thread's name ends in `$1` or `$2`. It means nothing.
    pub fn hint_name(&mut self, expression: Expression, name: &str) {
        let anonymous = match self.node(expression) {
            Node::Boolean(_) | Node::Bits(_) => false,
            Node::Variable(variable) => self.variables[*variable].role == Role::Input,
            _ => true,
        };
        if anonymous {
            self.name_hints.entry(expression).or_insert_with(|| name.to_owned());
        }
    }

    /// What expressions are called, as far as that is known.
    pub fn name_hints(&self) -> &BTreeMap<Expression, String> {
        &self.name_hints
    }

    /// Takes the `$1` off the names of the first thread.
    pub(super) fn rename_first_thread(&mut self) {
        for variable in self.variables.keys() {
            let name = self.variables[variable].name.clone();
            if let Some(stem) = name.strip_suffix("$1") {
                self.names.remove(&name);
                let name = self.fresh_name(stem);
                self.names.insert(name.clone(), variable);
                self.variables[variable].name = name;
            }
        }
        self.name_hints.retain(|_, name| !name.ends_with("$2"));
        for name in self.name_hints.values_mut() {
            let stem = name.strip_suffix("$1").unwrap_or(name).to_owned();
            *name = stem;
        }
    }

    /// Forgets what expressions are called.
    pub fn forget_names(&mut self) {
        self.name_hints.clear();
    }

    // --- Leaves -------------------------------------------------------------------------------------

    /// A truth value.
    pub fn boolean(&mut self, value: bool) -> Expression {
        self.intern(Node::Boolean(value), Sort::Boolean)
    }

    /// A bit-vector constant.
    pub fn bits(&mut self, bits: Bits) -> Expression {
        let sort = Sort::Bits(bits.width());
        self.intern(Node::Bits(bits), sort)
    }

    /// A bit-vector constant from a number.
    pub fn number(&mut self, width: u32, value: u64) -> Expression {
        self.bits(Bits::new(width, value))
    }

    /// A variable's value.
    pub fn variable(&mut self, variable: Variable) -> Expression {
        let sort = self.variables[variable].sort;
        self.intern(Node::Variable(variable), sort)
    }

    // --- Booleans -----------------------------------------------------------------------------------

    /// `¬a`
    pub fn not(&mut self, a: Expression) -> Expression {
        match self.node(a) {
            Node::Boolean(value) => {
                let value = !value;
                self.boolean(value)
            }
            Node::Not(inner) => *inner,
            // ¬(x < y) is y ≤ x: comparisons stay positive.
            &Node::Compare(op, x, y) => self.compare(op.negated(), y, x),
            _ => self.intern(Node::Not(a), Sort::Boolean),
        }
    }

    /// The conjunction of all; true if there are none.
    pub fn and(&mut self, all: impl IntoIterator<Item = Expression>) -> Expression {
        self.junction(all, true)
    }

    /// The disjunction of all; false if there are none.
    pub fn or(&mut self, all: impl IntoIterator<Item = Expression>) -> Expression {
        self.junction(all, false)
    }

    fn junction(&mut self, all: impl IntoIterator<Item = Expression>, conjunction: bool) -> Expression {
        let mut parts = Vec::new();
        for part in all {
            match self.node(part) {
                Node::And(inner) if conjunction => parts.extend_from_slice(inner),
                Node::Or(inner) if !conjunction => parts.extend_from_slice(inner),
                Node::Boolean(value) if *value == conjunction => {}
                Node::Boolean(_) => return part,
                _ => parts.push(part),
            }
        }
        parts.sort_unstable();
        parts.dedup();
        for &part in &parts {
            if let Node::Not(inner) = self.node(part)
                && parts.binary_search(inner).is_ok()
            {
                return self.boolean(!conjunction);
            }
        }
        match parts.as_slice() {
            [] => self.boolean(conjunction),
            [one] => *one,
            _ if conjunction => self.intern(Node::And(parts.into()), Sort::Boolean),
            _ => self.intern(Node::Or(parts.into()), Sort::Boolean),
        }
    }

    /// `a → b`
    pub fn implies(&mut self, a: Expression, b: Expression) -> Expression {
        let not_a = self.not(a);
        self.or([not_a, b])
    }

    /// `a = b`, of any one sort.
    pub fn equal(&mut self, a: Expression, b: Expression) -> Expression {
        assert_eq!(self.sort(a), self.sort(b), "equality needs one sort");
        if a == b {
            return self.boolean(true);
        }
        match (self.node(a).clone(), self.node(b).clone()) {
            (Node::Bits(_), Node::Bits(_)) => self.boolean(false),
            (Node::Boolean(value), _) => {
                if value {
                    b
                } else {
                    self.not(b)
                }
            }
            (_, Node::Boolean(value)) => {
                if value {
                    a
                } else {
                    self.not(a)
                }
            }
            (Node::Not(x), _) if x == b => self.boolean(false),
            (_, Node::Not(y)) if y == a => self.boolean(false),
            (Node::ZeroExtend(x), Node::ZeroExtend(y)) | (Node::SignExtend(x), Node::SignExtend(y))
                if self.sort(x) == self.sort(y) =>
            {
                self.equal(x, y)
            }
            (Node::ZeroExtend(x), Node::Bits(bits)) | (Node::Bits(bits), Node::ZeroExtend(x)) => {
                let narrow = bits.extract(self.width(x) - 1, 0);
                if narrow.zero_extend(bits.width()) == bits {
                    let narrow = self.bits(narrow);
                    self.equal(x, narrow)
                } else {
                    self.boolean(false)
                }
            }
            (Node::Sum(..), _) | (_, Node::Sum(..)) => self.equal_sums(a, b),
            _ => self.equal_ordered(a, b),
        }
    }

    /// `a = b` for bit-vectors of which one is a sum: cancels what both sides have.
    fn equal_sums(&mut self, a: Expression, b: Expression) -> Expression {
        let mut difference = self.subtract(a, b);
        let width = self.width(a);
        if self.reads_better_negated(difference) {
            difference = self.negate(difference);
        }
        let (left, right) = match self.node(difference).clone() {
            Node::Bits(bits) => return self.boolean(bits.is_zero()),
            Node::Sum(constant, terms) => {
                // Terms with a coefficient in the upper half go to the other side, so that x + 1 = y + 1
                // becomes x = y and not x - y = 0. One side gets the constant.
                let (left, right): (Vec<_>, Vec<_>) =
                    terms.iter().cloned().partition(|(coefficient, _)| !coefficient.sign());
                let right = right.into_iter().map(|(coefficient, term)| (coefficient.neg(), term)).collect();
                if left.is_empty() {
                    (self.sum(constant, Vec::new()), self.sum(Bits::zero(width), right))
                } else {
                    (self.sum(Bits::zero(width), left), self.sum(constant.neg(), right))
                }
            }
            _ => (difference, self.bits(Bits::zero(width))),
        };
        match (self.node(left), self.node(right)) {
            (Node::Sum(..), _) | (_, Node::Sum(..)) => self.equal_ordered(left, right),
            // What is left may be an equation that the other rules know.
            _ => self.equal(left, right),
        }
    }

    /// Of a difference `d` and `-d`, which both are zero in the same cases, one is chosen, so that `a = b + 1`
    /// and `b = a - 1` are the same equation.
    fn reads_better_negated(&self, difference: Expression) -> bool {
        let Node::Sum(constant, terms) = self.node(difference) else { return false };
        let decisive = |bits: &&Bits| **bits != bits.neg();
        if decisive(&constant) {
            // The constant stands on the right-hand side, where it is to be added.
            let all_negative = terms.iter().all(|(coefficient, _)| coefficient.sign());
            let all_positive = terms.iter().all(|(coefficient, _)| !coefficient.sign());
            return if all_negative || all_positive { all_negative } else { !constant.sign() };
        }
        terms.iter().map(|(coefficient, _)| coefficient).find(decisive).is_some_and(Bits::sign)
    }

    fn equal_ordered(&mut self, a: Expression, b: Expression) -> Expression {
        if a == b {
            return self.boolean(true);
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        self.intern(Node::Equal(a, b), Sort::Boolean)
    }

    /// `if c { a } else { b }`
    pub fn if_then_else(&mut self, c: Expression, a: Expression, b: Expression) -> Expression {
        assert_eq!(self.sort(a), self.sort(b), "both branches have one sort");
        if a == b {
            return a;
        }
        if let Some(value) = self.as_boolean(c) {
            return if value { a } else { b };
        }
        if let &Node::Not(inner) = self.node(c) {
            return self.if_then_else(inner, b, a);
        }
        if self.sort(a) == Sort::Boolean {
            match (self.as_boolean(a), self.as_boolean(b)) {
                (Some(true), _) => return self.or([c, b]),
                (Some(false), _) => {
                    let not_c = self.not(c);
                    return self.and([not_c, b]);
                }
                (_, Some(true)) => return self.implies(c, a),
                (_, Some(false)) => return self.and([c, a]),
                _ => {}
            }
        }
        // if c { if c { x } else { y } } else { b } is if c { x } else { b }, and likewise below.
        if let &Node::IfThenElse(d, x, _) = self.node(a)
            && d == c
        {
            return self.if_then_else(c, x, b);
        }
        if let &Node::IfThenElse(d, _, y) = self.node(b)
            && d == c
        {
            return self.if_then_else(c, a, y);
        }
        let sort = self.sort(a);
        self.intern(Node::IfThenElse(c, a, b), sort)
    }

    // --- Bit-vectors --------------------------------------------------------------------------------

    /// `constant + Σ coefficient · term`, in normal form.
    pub fn sum(&mut self, constant: Bits, terms: Vec<(Bits, Expression)>) -> Expression {
        let width = constant.width();
        let mut constant = constant;
        let mut flat: Vec<(Bits, Expression)> = Vec::with_capacity(terms.len());
        for (coefficient, term) in terms {
            match self.node(term) {
                Node::Bits(bits) => constant = constant.add(&coefficient.mul(bits)),
                Node::Sum(inner_constant, inner) => {
                    constant = constant.add(&coefficient.mul(inner_constant));
                    flat.extend(inner.iter().map(|(factor, term)| (coefficient.mul(factor), *term)));
                }
                _ => flat.push((coefficient, term)),
            }
        }
        flat.sort_by_key(|(_, term)| *term);
        let mut merged: Vec<(Bits, Expression)> = Vec::with_capacity(flat.len());
        for (coefficient, term) in flat {
            match merged.last_mut() {
                Some((last, same)) if *same == term => *last = last.add(&coefficient),
                _ => merged.push((coefficient, term)),
            }
        }
        merged.retain(|(coefficient, _)| !coefficient.is_zero());
        match merged.as_slice() {
            [] => self.bits(constant),
            [(coefficient, term)] if coefficient.is_one() && constant.is_zero() => *term,
            _ => self.intern(Node::Sum(constant, merged.into()), Sort::Bits(width)),
        }
    }

    /// `a + b`
    pub fn add(&mut self, a: Expression, b: Expression) -> Expression {
        let width = self.width(a);
        self.sum(Bits::zero(width), vec![(Bits::one(width), a), (Bits::one(width), b)])
    }

    /// `a - b`
    pub fn subtract(&mut self, a: Expression, b: Expression) -> Expression {
        let width = self.width(a);
        self.sum(Bits::zero(width), vec![(Bits::one(width), a), (Bits::ones(width), b)])
    }

    /// `-a`
    pub fn negate(&mut self, a: Expression) -> Expression {
        let width = self.width(a);
        self.sum(Bits::zero(width), vec![(Bits::ones(width), a)])
    }

    /// `factor · a`
    pub fn scale(&mut self, factor: Bits, a: Expression) -> Expression {
        self.sum(Bits::zero(factor.width()), vec![(factor, a)])
    }

    /// `a · b`
    pub fn multiply(&mut self, a: Expression, b: Expression) -> Expression {
        match (self.node(a).clone(), self.node(b).clone()) {
            (Node::Bits(factor), _) => self.scale(factor, b),
            (_, Node::Bits(factor)) => self.scale(factor, a),
            // A product with a sum is a sum of products, so that equal polynomials are equal nodes.
            (Node::Sum(constant, terms), _) if self.may_distribute(a, b) => self.distribute(&constant, &terms, b),
            (_, Node::Sum(constant, terms)) if self.may_distribute(a, b) => self.distribute(&constant, &terms, a),
            _ => {
                let (a, b) = if a < b { (a, b) } else { (b, a) };
                let sort = self.sort(a);
                self.intern(Node::Binary(BinaryOp::Multiply, a, b), sort)
            }
        }
    }

    /// Whether the product of two sums stays small: products of products of sums would not.
    fn may_distribute(&self, a: Expression, b: Expression) -> bool {
        let terms = |expression| match self.node(expression) {
            Node::Sum(_, terms) => terms.len() + 1,
            _ => 1,
        };
        terms(a) * terms(b) <= MOST_PRODUCTS
    }

    fn distribute(&mut self, constant: &Bits, terms: &[(Bits, Expression)], factor: Expression) -> Expression {
        let width = constant.width();
        let mut products = vec![(constant.clone(), factor)];
        for (coefficient, term) in terms {
            let product = self.multiply(*term, factor);
            products.push((coefficient.clone(), product));
        }
        self.sum(Bits::zero(width), products)
    }

    /// `op a`
    pub fn unary(&mut self, op: UnaryOp, a: Expression) -> Expression {
        match op {
            // ~a is -a - 1.
            UnaryOp::Not => {
                let width = self.width(a);
                self.sum(Bits::ones(width), vec![(Bits::ones(width), a)])
            }
        }
    }

    /// `a op b`
    pub fn binary(&mut self, op: BinaryOp, a: Expression, b: Expression) -> Expression {
        assert_eq!(self.sort(a), self.sort(b), "bit-vector operands have one width");
        if op == BinaryOp::Multiply {
            return self.multiply(a, b);
        }
        if let (Some(x), Some(y)) = (self.as_bits(a), self.as_bits(b)) {
            let folded = op.fold(x, y);
            return self.bits(folded);
        }
        if let Some(simpler) = self.simplify_binary(op, a, b) {
            return simpler;
        }
        let (a, b) = if op.commutes() && b < a { (b, a) } else { (a, b) };
        let sort = self.sort(a);
        self.intern(Node::Binary(op, a, b), sort)
    }

    /// The rules for one constant operand and for equal operands.
    fn simplify_binary(&mut self, op: BinaryOp, a: Expression, b: Expression) -> Option<Expression> {
        let width = self.width(a);
        let (constant, other) = match (self.as_bits(a).cloned(), self.as_bits(b).cloned()) {
            (_, Some(constant)) => (constant, a),
            (Some(constant), None) if op.commutes() => (constant, b),
            (Some(constant), None) if constant.is_zero() && op.zero_absorbs_left() => {
                return Some(a);
            }
            _ if a == b => {
                return match op {
                    BinaryOp::And | BinaryOp::Or => Some(a),
                    BinaryOp::Xor => Some(self.bits(Bits::zero(width))),
                    _ => None,
                };
            }
            _ => return None,
        };
        match op {
            BinaryOp::And if constant.is_zero() => Some(self.bits(constant)),
            BinaryOp::And if constant.is_ones() => Some(other),
            BinaryOp::And => {
                // A mask of low bits keeps the low bits.
                let low = constant.add(&Bits::one(width)).power_of_two()?;
                let kept = self.extract(low - 1, 0, other);
                Some(self.zero_extend(width, kept))
            }
            BinaryOp::Or | BinaryOp::Xor if constant.is_zero() => Some(other),
            BinaryOp::Or if constant.is_ones() => Some(self.bits(constant)),
            BinaryOp::Xor if constant.is_ones() => Some(self.unary(UnaryOp::Not, other)),
            BinaryOp::ShiftLeft => {
                let factor = Bits::one(width).shl(&constant);
                Some(self.scale(factor, other))
            }
            BinaryOp::LogicalShiftRight | BinaryOp::ArithmeticShiftRight if constant.is_zero() => Some(other),
            BinaryOp::LogicalShiftRight => {
                let amount = constant.to_u64().filter(|&amount| amount < u64::from(width));
                let Some(amount) = amount else {
                    return Some(self.bits(Bits::zero(width)));
                };
                let amount = u32::try_from(amount).expect("below the width");
                let kept = self.extract(width - 1, amount, other);
                Some(self.zero_extend(width, kept))
            }
            BinaryOp::UnsignedDivide => {
                let amount = constant.power_of_two()?;
                let amount = self.number(width, u64::from(amount));
                Some(self.binary(BinaryOp::LogicalShiftRight, other, amount))
            }
            BinaryOp::UnsignedRemainder if constant.power_of_two().is_some() => {
                let mask = constant.sub(&Bits::one(width));
                let mask = self.bits(mask);
                Some(self.binary(BinaryOp::And, other, mask))
            }
            BinaryOp::SignedDivide if constant.is_one() => Some(other),
            _ => None,
        }
    }

    /// `a op b`
    pub fn compare(&mut self, op: CompareOp, a: Expression, b: Expression) -> Expression {
        assert_eq!(self.sort(a), self.sort(b), "bit-vector operands have one width");
        if a == b {
            return self.boolean(op.reflexive());
        }
        if let (Some(x), Some(y)) = (self.as_bits(a), self.as_bits(b)) {
            let folded = op.fold(x, y);
            return self.boolean(folded);
        }
        let width = self.width(a);
        match op {
            CompareOp::UnsignedLess if self.as_bits(b).is_some_and(Bits::is_zero) => {
                return self.boolean(false);
            }
            CompareOp::UnsignedLessEqual if self.as_bits(a).is_some_and(Bits::is_zero) => {
                return self.boolean(true);
            }
            CompareOp::UnsignedLessEqual if self.as_bits(b).is_some_and(Bits::is_zero) => {
                return self.equal(a, b);
            }
            CompareOp::UnsignedLessEqual if self.as_bits(b).is_some_and(Bits::is_ones) => {
                return self.boolean(true);
            }
            _ => {}
        }
        if let (&Node::ZeroExtend(x), &Node::ZeroExtend(y)) = (self.node(a), self.node(b))
            && self.sort(x) == self.sort(y)
            && self.width(x) < width
        {
            return self.compare(op.unsigned(), x, y);
        }
        if let (&Node::SignExtend(x), &Node::SignExtend(y)) = (self.node(a), self.node(b))
            && self.sort(x) == self.sort(y)
        {
            return self.compare(op, x, y);
        }
        self.intern(Node::Compare(op, a, b), Sort::Boolean)
    }

    /// `a` zero-extended to `width` bits in all.
    pub fn zero_extend(&mut self, width: u32, a: Expression) -> Expression {
        if self.width(a) == width {
            return a;
        }
        assert!(self.width(a) < width, "extension to a narrower bit-vector");
        match self.node(a).clone() {
            Node::Bits(bits) => self.bits(bits.zero_extend(width)),
            Node::ZeroExtend(inner) => self.zero_extend(width, inner),
            _ => self.intern(Node::ZeroExtend(a), Sort::Bits(width)),
        }
    }

    /// `a` sign-extended to `width` bits in all.
    pub fn sign_extend(&mut self, width: u32, a: Expression) -> Expression {
        if self.width(a) == width {
            return a;
        }
        assert!(self.width(a) < width, "extension to a narrower bit-vector");
        match self.node(a).clone() {
            Node::Bits(bits) => self.bits(bits.sign_extend(width)),
            Node::SignExtend(inner) => self.sign_extend(width, inner),
            Node::ZeroExtend(inner) => self.zero_extend(width, inner),
            _ => self.intern(Node::SignExtend(a), Sort::Bits(width)),
        }
    }

    /// The bits `low..=high`.
    pub fn extract(&mut self, high: u32, low: u32, a: Expression) -> Expression {
        self.extract_within(high, low, a, DEEPEST_EXTRACTION)
    }

    fn extract_within(&mut self, high: u32, low: u32, a: Expression, depth: u32) -> Expression {
        let width = self.width(a);
        assert!(low <= high && high < width, "extract out of range");
        if low == 0 && high + 1 == width {
            return a;
        }
        if let Some(&known) = self.extractions.get(&(high, low, a)) {
            return known;
        }
        let extracted = match depth.checked_sub(1) {
            Some(depth) => self.extract_inwards(high, low, a, depth),
            None => self.intern(Node::Extract(high, low, a), Sort::Bits(high - low + 1)),
        };
        self.extractions.insert((high, low, a), extracted);
        extracted
    }

    fn extract_inwards(&mut self, high: u32, low: u32, a: Expression, depth: u32) -> Expression {
        let kept = high - low + 1;
        match self.node(a).clone() {
            Node::Bits(bits) => self.bits(bits.extract(high, low)),
            Node::Extract(_, inner_low, inner) => self.extract_within(high + inner_low, low + inner_low, inner, depth),
            Node::ZeroExtend(inner) | Node::SignExtend(inner) if high < self.width(inner) => {
                self.extract_within(high, low, inner, depth)
            }
            Node::ZeroExtend(inner) if low >= self.width(inner) => self.bits(Bits::zero(kept)),
            Node::ZeroExtend(inner) if low == 0 => self.zero_extend(kept, inner),
            Node::SignExtend(inner) if low == 0 => self.sign_extend(kept, inner),
            Node::Concat(_, bottom) if high < self.width(bottom) => self.extract_within(high, low, bottom, depth),
            Node::Concat(top, bottom) if low >= self.width(bottom) => {
                let shift = self.width(bottom);
                self.extract_within(high - shift, low - shift, top, depth)
            }
            // The low bits of a sum are the sum of the low bits.
            Node::Sum(constant, terms) if low == 0 => {
                let terms = terms
                    .iter()
                    .map(|(coefficient, term)| {
                        (coefficient.extract(high, 0), self.extract_within(high, 0, *term, depth))
                    })
                    .collect();
                self.sum(constant.extract(high, 0), terms)
            }
            Node::Binary(BinaryOp::Multiply, x, y) if low == 0 => {
                let x = self.extract_within(high, 0, x, depth);
                let y = self.extract_within(high, 0, y, depth);
                self.multiply(x, y)
            }
            Node::IfThenElse(c, x, y) => {
                let x = self.extract_within(high, low, x, depth);
                let y = self.extract_within(high, low, y, depth);
                self.if_then_else(c, x, y)
            }
            _ => self.intern(Node::Extract(high, low, a), Sort::Bits(kept)),
        }
    }

    /// `high` as the high bits, `low` as the low bits.
    pub fn concat(&mut self, high: Expression, low: Expression) -> Expression {
        let width = self.width(high) + self.width(low);
        match (self.node(high).clone(), self.node(low).clone()) {
            (Node::Bits(x), Node::Bits(y)) => self.bits(x.concat(&y)),
            (Node::Bits(x), _) if x.is_zero() => self.zero_extend(width, low),
            (Node::Extract(h, l, x), Node::Extract(k, m, y)) if x == y && l == k + 1 => self.extract(h, m, x),
            _ => self.intern(Node::Concat(high, low), Sort::Bits(width)),
        }
    }

    // --- Maps and functions -------------------------------------------------------------------------

    /// The element of `map` at `index`.
    pub fn select(&mut self, map: Expression, index: Expression) -> Expression {
        let Sort::Map { element, .. } = self.sort(map) else { panic!("a map expected") };
        if let &Node::Store(inner, at, value) = self.node(map) {
            let same = self.equal(at, index);
            match self.as_boolean(same) {
                Some(true) => return value,
                Some(false) => return self.select(inner, index),
                None => {}
            }
        }
        self.intern(Node::Select(map, index), Sort::Bits(element))
    }

    /// `map` with `value` at `index`.
    pub fn store(&mut self, map: Expression, index: Expression, value: Expression) -> Expression {
        let sort = self.sort(map);
        self.intern(Node::Store(map, index, value), sort)
    }

    /// `function(arguments)`
    pub fn apply(&mut self, function: Function, arguments: Vec<Expression>) -> Expression {
        let data = &self.functions[function];
        assert_eq!(data.parameters.len(), arguments.len(), "one argument per parameter");
        let sort = data.result;
        self.intern(Node::Apply(function, arguments.into()), sort)
    }

    // --- Rebuilding ---------------------------------------------------------------------------------

    /// `expression` with each variable replaced by what `map` says; variables it does not name stay.
    ///
    /// `memo` carries results from one call to the next under the same `map`.
    pub fn substitute(
        &mut self,
        expression: Expression,
        map: &FxHashMap<Variable, Expression>,
        memo: &mut FxHashMap<Expression, Expression>,
    ) -> Expression {
        // An explicit stack: expressions of unrolled programs are deep.
        let mut stack = vec![expression];
        while let Some(&top) = stack.last() {
            if memo.contains_key(&top) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            self.for_each_operand(top, |operand| {
                if !memo.contains_key(&operand) {
                    stack.push(operand);
                }
            });
            if stack.len() > before {
                continue;
            }
            let rebuilt = match self.node(top) {
                Node::Variable(variable) => map.get(variable).copied().unwrap_or(top),
                _ => self.rebuild(top, |operand| memo[&operand]),
            };
            memo.insert(top, rebuilt);
            stack.pop();
        }
        memo[&expression]
    }

    /// The expression with each direct operand replaced, simplified again.
    pub fn rebuild(&mut self, expression: Expression, map: impl Fn(Expression) -> Expression) -> Expression {
        match self.node(expression).clone() {
            Node::Boolean(_) | Node::Bits(_) | Node::Variable(_) => expression,
            Node::Not(a) => self.not(map(a)),
            Node::And(all) => self.and(all.iter().map(|&part| map(part)).collect::<Vec<_>>()),
            Node::Or(all) => self.or(all.iter().map(|&part| map(part)).collect::<Vec<_>>()),
            Node::Equal(a, b) => self.equal(map(a), map(b)),
            Node::IfThenElse(a, b, c) => self.if_then_else(map(a), map(b), map(c)),
            Node::Sum(constant, terms) => {
                let terms = terms.iter().map(|(coefficient, term)| (coefficient.clone(), map(*term))).collect();
                self.sum(constant, terms)
            }
            Node::Unary(op, a) => self.unary(op, map(a)),
            Node::Binary(op, a, b) => self.binary(op, map(a), map(b)),
            Node::Compare(op, a, b) => self.compare(op, map(a), map(b)),
            Node::ZeroExtend(a) => {
                let width = self.width(expression);
                self.zero_extend(width, map(a))
            }
            Node::SignExtend(a) => {
                let width = self.width(expression);
                self.sign_extend(width, map(a))
            }
            Node::Extract(high, low, a) => self.extract(high, low, map(a)),
            Node::Concat(a, b) => self.concat(map(a), map(b)),
            Node::Select(a, b) => self.select(map(a), map(b)),
            Node::Store(a, b, c) => self.store(map(a), map(b), map(c)),
            Node::Apply(function, arguments) => {
                self.apply(function, arguments.iter().map(|&argument| map(argument)).collect())
            }
        }
    }

    /// Calls `visit` on each variable that occurs in `expression`, once each, in no particular but a
    /// repeatable order.
    pub fn for_each_variable(&self, expression: Expression, mut visit: impl FnMut(Variable)) {
        let mut seen = cranelift_entity::EntitySet::with_capacity(expression.index() + 1);
        let mut stack = vec![expression];
        while let Some(top) = stack.pop() {
            if !seen.insert(top) {
                continue;
            }
            if let Node::Variable(variable) = self.node(top) {
                visit(*variable);
            }
            self.for_each_operand(top, |operand| stack.push(operand));
        }
    }

    fn intern(&mut self, node: Node, sort: Sort) -> Expression {
        let entry = (node, sort);
        if let Some(&known) = self.index.get(&entry) {
            return known;
        }
        let expression = self.nodes.push(entry.0.clone());
        self.sorts[expression] = Some(sort);
        self.index.insert(entry, expression);
        expression
    }
}

/// The list of all variants; one that is missing does not compile.
macro_rules! all {
    ($enumeration:ident { $($variant:ident,)+ }) => {
        impl $enumeration {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant),+];
        }

        const _: fn($enumeration) = |one| match one {
            $($enumeration::$variant => {})+
        };
    };
}

all! {
    BinaryOp {
        Multiply,
        UnsignedDivide,
        SignedDivide,
        UnsignedRemainder,
        SignedRemainder,
        ShiftLeft,
        LogicalShiftRight,
        ArithmeticShiftRight,
        And,
        Or,
        Xor,
    }
}

all! {
    CompareOp {
        UnsignedLess,
        UnsignedLessEqual,
        SignedLess,
        SignedLessEqual,
    }
}

impl BinaryOp {
    /// Whether the operands may be exchanged.
    pub fn commutes(self) -> bool {
        matches!(self, Self::Multiply | Self::And | Self::Or | Self::Xor)
    }

    fn zero_absorbs_left(self) -> bool {
        // 0 / 0 is all ones, so division is not among them.
        matches!(
            self,
            Self::ShiftLeft
                | Self::LogicalShiftRight
                | Self::ArithmeticShiftRight
                | Self::UnsignedRemainder
                | Self::SignedRemainder
        )
    }

    /// The value on constants.
    pub fn fold(self, a: &Bits, b: &Bits) -> Bits {
        match self {
            Self::Multiply => a.mul(b),
            Self::UnsignedDivide => a.udiv(b),
            Self::SignedDivide => a.sdiv(b),
            Self::UnsignedRemainder => a.urem(b),
            Self::SignedRemainder => a.srem(b),
            Self::ShiftLeft => a.shl(b),
            Self::LogicalShiftRight => a.lshr(b),
            Self::ArithmeticShiftRight => a.ashr(b),
            Self::And => a.and(b),
            Self::Or => a.or(b),
            Self::Xor => a.xor(b),
        }
    }
}

impl CompareOp {
    /// The comparison that holds of the exchanged operands when this one does not.
    pub fn negated(self) -> Self {
        match self {
            Self::UnsignedLess => Self::UnsignedLessEqual,
            Self::UnsignedLessEqual => Self::UnsignedLess,
            Self::SignedLess => Self::SignedLessEqual,
            Self::SignedLessEqual => Self::SignedLess,
        }
    }

    /// The same comparison of unsigned numbers.
    pub fn unsigned(self) -> Self {
        match self {
            Self::UnsignedLess | Self::SignedLess => Self::UnsignedLess,
            Self::UnsignedLessEqual | Self::SignedLessEqual => Self::UnsignedLessEqual,
        }
    }

    fn reflexive(self) -> bool {
        matches!(self, Self::UnsignedLessEqual | Self::SignedLessEqual)
    }

    /// The value on constants.
    pub fn fold(self, a: &Bits, b: &Bits) -> bool {
        match self {
            Self::UnsignedLess => a.unsigned() < b.unsigned(),
            Self::UnsignedLessEqual => a.unsigned() <= b.unsigned(),
            Self::SignedLess => a.signed() < b.signed(),
            Self::SignedLessEqual => a.signed() <= b.signed(),
        }
    }
}
