//! Questions with unknowns in place of long computations.
//!
//! Such computations hardly ever decide whether accesses meet.
//!
//! Written values, and conditions on data around a write, come with everything from which they are
//! computed: sixty-four rounds of a hash, floats, loads at places that are products. A question
//! about the accessed cell rarely depends on any of it. So it is asked first with unknowns. They
//! replace each element of a map, each result of an uninterpreted function, and each term with more
//! than [`DEPTH`] operations below it. Terms are replaced bottom-up, so the last few operations of
//! a long computation remain. The same term gets the same unknown everywhere, so equal computations
//! stay equal. A fact about an unknown that the question itself does not mention is useless, and is
//! left out.
//!
//! **Soundness.** A state gives each unknown the value of the term that it stands for. So wherever
//! the parts of the question hold, the lighter parts hold, and so does any subset of them. If these
//! contradict each other, the parts do too. A model of the lighter question is not a model of the
//! question.

use lockstep_ir::sequential::{Expression, Expressions, Node, Role, Sort, Variable};
use rustc_hash::{FxHashMap, FxHashSet};

/// The largest number of operations, counted with repetitions, of a term that gets no unknown.
const DEPTH: u32 = 96;

/// The number of terms above which a question may be too heavy to ask unchanged.
///
/// This applies if few terms remain in its lighter form.
///
/// The solver does not finish such questions, nor does it always stop when told to.
const TOO_HEAVY: usize = 600;

/// The fewest places with a long computation in a question that is made lighter.
///
/// Mere reads and uninterpreted functions do not make a question hard: with unknowns in their
/// place, inference was measured to lose more than it gains.
const TOO_LONG: usize = 8;

/// The share of long computations in a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// There are few.
    Light,
    /// There are many: it pays to ask without them first.
    Heavy,
    /// The question is large and consists almost entirely of them.
    TooHeavy,
}

/// The unknowns of one arena's terms.
#[derive(Debug, Default)]
pub struct Lighter {
    /// The unknown for each term.
    known: FxHashMap<Expression, Expression>,
    /// The number of operations in each term.
    operations: FxHashMap<Expression, u32>,
    unknowns: FxHashSet<Variable>,
    /// The terms that are replaced because of their number of operations.
    long: FxHashSet<Expression>,
}

impl Lighter {
    /// The lighter question, and how much lighter it is.
    ///
    /// The last part is the query; the others are facts. If there are few long computations,
    /// nothing is built, because new terms would change the term order that guides the solver.
    pub fn question(&mut self, e: &mut Expressions, parts: &[Expression]) -> (Vec<Expression>, Weight) {
        let terms = distinct(e, parts);
        let before = terms.len();
        for &part in parts {
            self.measure(e, part);
        }
        let long = terms.iter().filter(|term| self.long.contains(term)).count();
        let Some((&asked, facts)) = parts.split_last().filter(|_| long >= TOO_LONG) else {
            return (parts.to_vec(), Weight::Light);
        };
        let asked = self.lighter(e, asked);
        let mut known = FxHashSet::default();
        e.for_each_variable(asked, |variable| {
            known.insert(variable);
        });
        let mut lighter = Vec::new();
        for &fact in facts {
            let fact = self.lighter(e, fact);
            let mut about_others = false;
            e.for_each_variable(fact, |variable| {
                about_others |= self.unknowns.contains(&variable) && !known.contains(&variable);
            });
            if !about_others {
                lighter.push(fact);
            }
        }
        lighter.push(asked);
        let after = distinct(e, &lighter).len();
        let weight = match () {
            () if 3 * after > 2 * before => Weight::Light,
            () if before > TOO_HEAVY && 4 * after < before => Weight::TooHeavy,
            () => Weight::Heavy,
        };
        (lighter, weight)
    }

    /// Counts the operations in a term and in all its subterms.
    fn measure(&mut self, e: &Expressions, term: Expression) {
        for part in e.operands_first(term, |part| self.operations.contains_key(&part)) {
            let operations = self.operations_of(e, part);
            let long = operations > DEPTH && matches!(e.sort(part), Sort::Bits(_));
            if long {
                self.long.insert(part);
            }
            self.operations.insert(part, if long { 1 } else { operations });
        }
    }

    /// The number of operations of a term whose operands are measured.
    ///
    /// Choices between numbers do not count.
    fn operations_of(&self, e: &Expressions, term: Expression) -> u32 {
        match *e.node(term) {
            Node::IfThenElse(_, then, otherwise) => self.operations[&then].max(self.operations[&otherwise]) + 1,
            Node::Select(..) | Node::Apply(..) => 1,
            // Conditions are kept: only the compared values are replaced.
            _ if e.sort(term) == Sort::Boolean => 0,
            _ => {
                let mut operations = 1;
                e.for_each_operand(term, |operand| operations += self.operations[&operand]);
                operations
            }
        }
    }

    /// The term with unknowns inside.
    pub fn lighter(&mut self, e: &mut Expressions, term: Expression) -> Expression {
        self.measure(e, term);
        let is_replaced = |e: &Expressions, part| {
            let element = matches!(e.node(part), Node::Select(..) | Node::Apply(..));
            self.long.contains(&part) || (element && matches!(e.sort(part), Sort::Bits(_) | Sort::Boolean))
        };
        let unknown = |e: &mut Expressions, part| {
            let unknown = e.add_variable("heavy", e.sort(part), None, Role::Value);
            self.unknowns.insert(unknown);
            e.variable(unknown)
        };
        e.replace(term, is_replaced, unknown, &mut self.known)
    }
}

/// The distinct terms.
fn distinct(e: &Expressions, parts: &[Expression]) -> FxHashSet<Expression> {
    let mut seen: FxHashSet<Expression> = parts.iter().copied().collect();
    let mut stack: Vec<Expression> = seen.iter().copied().collect();
    while let Some(top) = stack.pop() {
        e.for_each_operand(top, |operand| {
            if seen.insert(operand) {
                stack.push(operand);
            }
        });
    }
    seen
}

#[cfg(test)]
mod tests {
    use lockstep_ir::sequential::BinaryOp;

    use super::*;

    fn input(e: &mut Expressions, name: &str) -> Expression {
        let variable = e.add_variable(name, Sort::Bits(32), None, Role::Input);
        e.variable(variable)
    }

    /// A computation with many operations.
    fn hash(e: &mut Expressions, mut word: Expression) -> Expression {
        for round in 0..200 {
            let number = e.number(32, 5 * round + 1);
            let mixed = e.binary(BinaryOp::Xor, word, number);
            word = e.binary(BinaryOp::Multiply, mixed, word);
        }
        word
    }

    #[test]
    fn the_end_of_a_long_computation_is_left() {
        let mut e = Expressions::new();
        let x = input(&mut e, "x");
        let y = input(&mut e, "y");
        let (long, other) = (hash(&mut e, x), hash(&mut e, y));
        let zero = e.number(32, 0);
        let (is_zero, is_less) = (e.equal(long, zero), e.equal(x, y));
        let differs = e.equal(other, zero);
        let differs = e.not(differs);
        let mut lighter = Lighter::default();
        let (light, weight) = lighter.question(&mut e, &[is_less, differs, is_zero]);
        assert_eq!(weight, Weight::TooHeavy);
        assert!(distinct(&e, &light).len() < 60, "{}", distinct(&e, &light).len());
        let asked = lighter.lighter(&mut e, is_zero);
        assert_eq!(light, [is_less, asked], "what is short stays, what is about something else does not");
        // The same computation is the same unknown, so it cannot be both zero and nonzero.
        let is_not_zero = e.not(is_zero);
        let [same, opposite] = [is_zero, is_not_zero].map(|part| lighter.lighter(&mut e, part));
        assert_eq!(opposite, e.not(same));
    }

    #[test]
    fn a_light_question_stays_as_it_is() {
        let mut e = Expressions::new();
        let (x, y) = (input(&mut e, "x"), input(&mut e, "y"));
        let same = e.equal(x, y);
        assert_eq!(Lighter::default().question(&mut e, &[same]), (vec![same], Weight::Light));
    }
}
