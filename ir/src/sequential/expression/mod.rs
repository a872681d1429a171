//! Expressions of the sequential program: hash-consed, sorted, simplified as they are built.
//!
//! Two equal expressions are the same [`Expression`]. The constructors simplify. They fold
//! constants, remove units and zeros of operations, and flatten, order and deduplicate
//! conjunctions. **Bit-vector sums are kept in normal form**: a [`Node::Sum`] is a constant plus
//! distinct non-constant terms with non-zero coefficients, ordered by term, all modulo `2^width`.
//! Subtraction, negation, multiplication by a constant and shifting left by one are sums too. So
//! equal linear expressions are equal nodes, and in an equation between two of them the common
//! terms cancel.
//!
//! Every simplification is an equivalence of SMT-LIB's theory of bit-vectors; none uses the
//! preconditions of a program.

mod bit_vectors;
mod booleans;
mod operations;
mod rebuild;

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};
use rustc_hash::FxHashMap;

use super::{Loop, Site};
use crate::bits::Bits;

pub use operations::{BinaryOp, CompareOp, UnaryOp};

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
    /// The name, unique in the program: letters, digits, `_`, `.` and `$`. A thread's copy ends in
    /// `$1` or `$2`.
    pub name: String,
    /// Its sort.
    pub sort: Sort,
    /// The thread that owns the copy, 0 for the first; `None` if both threads share the variable.
    pub thread: Option<usize>,
    /// The role.
    pub role: Role,
}

/// The role of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// An unknown of the launch, never assigned: ids, sizes, parameters.
    Input,
    /// The watched cell of an array, never assigned.
    Watched,
    /// A value of the source.
    Value,
    /// Whether a thread is active at some point.
    Predicate,
    /// The state of the threads' synchronisation.
    Ghost,
    /// Counts the completed iterations of a loop.
    Counter(Loop),
    /// The number of iterations of a loop that a thread completed before it left the loop.
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

/// The form of an expression.
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

/// An arena of expressions with the variables and functions they mention.
#[derive(Clone, Debug, Default)]
pub struct Expressions {
    nodes: PrimaryMap<Expression, Node>,
    sorts: SecondaryMap<Expression, Option<Sort>>,
    index: FxHashMap<(Node, Sort), Expression>,
    variables: PrimaryMap<Variable, VariableData>,
    names: FxHashMap<String, Variable>,
    /// The next number to try after each name; all numbers before it are taken.
    next_numbers: FxHashMap<String, u64>,
    functions: PrimaryMap<Function, FunctionData>,
    function_names: FxHashMap<String, Function>,
    /// The results of simplifying extractions, which are moved inwards through widely shared
    /// expressions.
    extractions: FxHashMap<(u32, u32, Expression), Expression>,
    /// Names of expressions in the source or the method, for printing only.
    name_hints: BTreeMap<Expression, String>,
}

/// Two arenas have the same hash if they are the same to code that reads or extends them; the
/// indexes follow from the rest.
impl Hash for Expressions {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self {
            nodes,
            sorts,
            index: _,
            variables,
            names: _,
            next_numbers: _,
            functions,
            function_names: _,
            extractions,
            name_hints,
        } = self;
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

    // --- Looking ---------------------------------------------------------------------------------

    /// The form of an expression.
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

    // --- Variables and functions -----------------------------------------------------------------

    /// A new variable. If the name is taken, a number is added to it (before the `$1` of a copy).
    pub fn add_variable(&mut self, name: &str, sort: Sort, thread: Option<usize>, role: Role) -> Variable {
        let name = self.fresh_name(name);
        let variable = self.variables.push(VariableData { name: name.clone(), sort, thread, role });
        self.names.insert(name, variable);
        variable
    }

    fn fresh_name(&mut self, name: &str) -> String {
        if !self.names.contains_key(name) {
            return name.to_owned();
        }
        let (stem, suffix) = match name.rfind('$') {
            Some(at) => name.split_at(at),
            None => (name, ""),
        };
        let mut number = self.next_numbers.get(name).copied().unwrap_or(2);
        let fresh = loop {
            let fresh = format!("{stem}.{number}{suffix}");
            number += 1;
            if !self.names.contains_key(&fresh) {
                break fresh;
            }
        };
        self.next_numbers.insert(name.to_owned(), number);
        fresh
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

    // --- Names for printing ----------------------------------------------------------------------

    /// Names an expression for printing; the first name given is kept. Constants, and variables
    /// that change, keep their own names. A thread's name ends in `$1` or `$2`. Names have no
    /// meaning.
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

    /// The names of expressions, as far as they are known.
    pub fn name_hints(&self) -> &BTreeMap<Expression, String> {
        &self.name_hints
    }

    /// Removes the `$1` from the names of the first thread.
    pub(super) fn rename_first_thread(&mut self) {
        // The removed names become available again.
        self.next_numbers.clear();
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

    /// Forgets the names of expressions.
    pub fn forget_names(&mut self) {
        self.name_hints.clear();
    }

    // --- Leaves ----------------------------------------------------------------------------------

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

    // --- Maps and functions ----------------------------------------------------------------------

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
