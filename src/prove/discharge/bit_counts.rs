//! Questions in which an unknown replaces each population count, with facts about such counts.
//!
//! A warp allocates space by counting. A lane's place is the number of lanes below it that keep
//! something, `popc(ballot & below)`. Two lanes never get the same place by a pigeonhole argument,
//! which a bit-vector solver finds only by trial. The argument is simple in terms of sets. With
//! `|x|` for the number of set bits in `x`,
//!
//! ```text
//!     x ⊂ y  →  |x| < |y|          x = y  →  |x| = |y|
//!     x < 2^k  →  |x| ≤ k          |x| = 0  →  x = 0
//! ```
//!
//! Given two lanes, one has fewer lanes below it and is itself below the other. The number of lanes
//! below a lane is less than the size of the warp.
//!
//! A count is a sum of all bits of a word, each extended to the same width and with the same
//! factor. The sum may have other terms as well.
//!
//! **Soundness.** A state gives each unknown the value of the count that it stands for. The facts
//! about counts are true of all words if the sum is wide enough for the count. So if the new
//! question is contradictory, the original is too. A model of the new question is not a model of
//! the original.

use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{BinaryOp, CompareOp, Expression, Expressions, Node, Role, Sort, UnaryOp};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most counts in a question that is asked this way: the number of facts grows quadratically.
const MOST: usize = 12;

/// The fewest bits of a word whose count is replaced: narrower words are easy for any engine.
const FEWEST_BITS: u32 = 4;

/// The unknowns that stand for the counts of one arena's words, by word and width of the sum.
#[derive(Debug, Default)]
pub struct BitCounts {
    unknowns: FxHashMap<(Expression, u32), Expression>,
    /// Terms that contain no counts.
    without: FxHashSet<Expression>,
}

impl BitCounts {
    /// The question with unknowns in place of counts, and the facts about them.
    ///
    /// It is `None` if there are no counts, or too many.
    pub fn question(&mut self, e: &mut Expressions, parts: &[Expression]) -> Option<Vec<Expression>> {
        if !parts.iter().any(|&part| self.has_counts(e, part)) {
            return None;
        }
        let mut counts: Vec<(Expression, u32)> = Vec::new();
        let mut rebuilt: FxHashMap<Expression, Expression> = FxHashMap::default();
        let mut question = Vec::with_capacity(parts.len());
        for &part in parts {
            for inner in e.operands_first(part, |part| rebuilt.contains_key(&part)) {
                let mut instead = e.rebuild(inner, |operand| rebuilt[&operand]);
                if let Some(count) = count_in(e, inner) {
                    instead = self.with_unknowns(e, inner, &count, &rebuilt);
                    counts.extend(count.words.iter().map(|&(_, word)| (word, e.width(inner))));
                }
                rebuilt.insert(inner, instead);
            }
            question.push(rebuilt[&part]);
        }
        counts.sort_unstable();
        counts.dedup();
        if counts.len() > MOST {
            return None;
        }
        // The words themselves may contain counts.
        let named: Vec<Named> = counts
            .iter()
            .map(|&(word, width)| Named { word: rebuilt[&word], width, count: self.unknowns[&(word, width)] })
            .collect();
        for (index, count) in named.iter().enumerate() {
            question.extend(of_one(e, count));
            for other in &named[..index] {
                question.extend(of_two(e, count, other));
            }
        }
        Some(question)
    }

    fn has_counts(&mut self, e: &Expressions, part: Expression) -> bool {
        let parts = e.operands_first(part, |part| self.without.contains(&part));
        let counts = parts.iter().any(|&part| count_in(e, part).is_some());
        if !counts {
            self.without.extend(parts);
        }
        counts
    }

    fn with_unknowns(
        &mut self,
        e: &mut Expressions,
        sum: Expression,
        count: &Counts,
        rebuilt: &FxHashMap<Expression, Expression>,
    ) -> Expression {
        let width = e.width(sum);
        let mut terms: Vec<(Bits, Expression)> =
            count.others.iter().map(|(factor, term)| (factor.clone(), rebuilt[term])).collect();
        for (factor, word) in &count.words {
            let unknown = *self.unknowns.entry((*word, width)).or_insert_with(|| {
                let unknown = e.add_variable("count", Sort::Bits(width), None, Role::Value);
                e.variable(unknown)
            });
            terms.push((factor.clone(), unknown));
        }
        e.sum(count.offset.clone(), terms)
    }
}

/// A word, and the unknown that stands for the number of its set bits.
struct Named {
    word: Expression,
    width: u32,
    count: Expression,
}

/// A sum that contains counts.
struct Counts {
    offset: Bits,
    /// The words that are counted, with the factor of each count.
    words: Vec<(Bits, Expression)>,
    others: Vec<(Bits, Expression)>,
}

/// The counts in a sum, if there are any.
fn count_in(e: &Expressions, sum: Expression) -> Option<Counts> {
    let Node::Sum(offset, terms) = e.node(sum) else { return None };
    let mut bits: FxHashMap<(Expression, &Bits), u32> = FxHashMap::default();
    for (factor, term) in terms {
        if let Some(word) = word_of_bit(e, *term) {
            *bits.entry((word, factor)).or_default() += 1;
        }
    }
    // Each bit is a term of its own, so there must be as many terms as bits.
    let fits = |word| e.width(sum) >= 32 || u64::from(e.width(word)) < 1 << e.width(sum);
    let is_counted = |word, factor: &Bits| {
        let width = e.width(word);
        width >= FEWEST_BITS && fits(word) && bits.get(&(word, factor)) == Some(&width)
    };
    let (mut words, mut others) = (Vec::new(), Vec::new());
    for (factor, term) in terms {
        match word_of_bit(e, *term).filter(|&word| is_counted(word, factor)) {
            Some(word) => words.push((factor.clone(), word)),
            None => others.push((factor.clone(), *term)),
        }
    }
    words.sort_by_key(|(_, word)| *word);
    words.dedup();
    (!words.is_empty()).then(|| Counts { offset: offset.clone(), words, others })
}

/// The word of which a term is a single bit.
fn word_of_bit(e: &Expressions, term: Expression) -> Option<Expression> {
    let &Node::ZeroExtend(bit) = e.node(term) else { return None };
    match *e.node(bit) {
        Node::Extract(high, low, word) if high == low => Some(word),
        _ => None,
    }
}

fn of_one(e: &mut Expressions, Named { word, width, count }: &Named) -> Vec<Expression> {
    let bits = e.width(*word);
    let at_most = |e: &mut Expressions, most: u32| {
        let most = e.number(*width, u64::from(most));
        e.compare(CompareOp::UnsignedLessEqual, *count, most)
    };
    let (none, empty) = (e.number(*width, 0), e.number(bits, 0));
    let (is_none, is_empty) = (e.equal(*count, none), e.equal(*word, empty));
    let mut said = vec![at_most(e, bits), e.implies(is_none, is_empty)];
    for lower in 0..bits {
        let upper = e.extract(bits - 1, lower, *word);
        let nothing = e.number(bits - lower, 0);
        let is_below = e.equal(upper, nothing);
        let few = at_most(e, lower);
        said.push(e.implies(is_below, few));
    }
    said
}

fn of_two(e: &mut Expressions, a: &Named, b: &Named) -> Vec<Expression> {
    if a.width != b.width || e.width(a.word) != e.width(b.word) {
        return Vec::new();
    }
    let (same_word, same_count) = (e.equal(a.word, b.word), e.equal(a.count, b.count));
    let mut said = vec![e.implies(same_word, same_count)];
    for (less, more) in [(a, b), (b, a)] {
        let others = e.unary(UnaryOp::Not, more.word);
        let beyond = e.binary(BinaryOp::And, less.word, others);
        let nothing = e.number(e.width(less.word), 0);
        let is_part = e.equal(beyond, nothing);
        let differs = e.not(same_word);
        let is_less = e.and([is_part, differs]);
        let fewer = e.compare(CompareOp::UnsignedLess, less.count, more.count);
        said.push(e.implies(is_less, fewer));
    }
    said
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use lockstep_ir::sequential::{Value, Variable, evaluate};

    use super::*;
    use lockstep_solver::{Checked, Session, effort_of, in_fresh_context};

    const WIDTH: u32 = 4;

    fn count(e: &mut Expressions, word: Expression, width: u32) -> Expression {
        let mut terms = Vec::new();
        for bit in 0..e.width(word) {
            let bit = e.extract(bit, bit, word);
            terms.push((Bits::one(width), e.zero_extend(width, bit)));
        }
        e.sum(Bits::zero(width), terms)
    }

    fn input(e: &mut Expressions, name: &str, width: u32) -> (Variable, Expression) {
        let variable = e.add_variable(name, Sort::Bits(width), None, Role::Input);
        (variable, e.variable(variable))
    }

    /// The facts about the counts of two words are true of all words.
    ///
    /// The question is otherwise unchanged.
    #[test]
    fn facts_about_counts_are_true() {
        let mut e = Expressions::new();
        let ((x, word_x), (y, word_y)) = (input(&mut e, "x", WIDTH), input(&mut e, "y", WIDTH));
        let [count_x, count_y] = [word_x, word_y].map(|word| count(&mut e, word, 8));
        let seven = e.number(8, 7);
        let sum = e.add(count_x, seven);
        let asked = e.equal(sum, count_y);
        let mut counts = BitCounts::default();
        let question = counts.question(&mut e, &[asked]).expect("two counts");
        // Each count has two facts and one per bit, and both together have three.
        assert_eq!(question.len(), 1 + 2 * (2 + 4) + 3);
        let unknowns: Vec<(Variable, Variable)> = counts
            .unknowns
            .iter()
            .map(|(&(word, _), &unknown)| {
                let [word, unknown] = [word, unknown].map(|part| match e.node(part) {
                    Node::Variable(variable) => *variable,
                    _ => panic!("a variable"),
                });
                (unknown, word)
            })
            .collect();
        let no_functions = |_, _: &[Value]| panic!("there are no functions");
        for assignment in 0..1_u64 << (2 * WIDTH) {
            let word = |variable| (if variable == x { assignment } else { assignment >> WIDTH }) & ((1 << WIDTH) - 1);
            let value = |variable| match unknowns.iter().find(|(unknown, _)| *unknown == variable) {
                Some(&(_, counted)) => Value::Bits(Bits::new(8, u64::from(word(counted).count_ones()))),
                None => Value::Bits(Bits::new(WIDTH, word(variable))),
            };
            let truth = |part| evaluate(&e, part, &value, &no_functions).boolean();
            assert_eq!(truth(question[0]), truth(asked), "{assignment}");
            assert!(question[1..].iter().all(|&part| truth(part)), "{assignment}");
        }
        assert_ne!(x, y);
    }

    /// Two lanes that both keep something get different places.
    #[test]
    fn ranks_are_distinct() {
        let mut e = Expressions::new();
        let (_, ballot) = input(&mut e, "ballot", 32);
        let one = e.number(32, 1);
        let (mut parts, mut ranks, mut lanes) = (Vec::new(), Vec::new(), Vec::new());
        for name in ["a", "b"] {
            let (_, lane) = input(&mut e, name, 5);
            let lane = e.zero_extend(32, lane);
            let bit = e.binary(BinaryOp::ShiftLeft, one, lane);
            let below = e.subtract(bit, one);
            let kept_below = e.binary(BinaryOp::And, ballot, below);
            let kept = e.binary(BinaryOp::And, ballot, bit);
            parts.push(e.equal(kept, bit));
            ranks.push(count(&mut e, kept_below, 32));
            lanes.push(lane);
        }
        let same_lane = e.equal(lanes[0], lanes[1]);
        parts.push(e.not(same_lane));
        parts.push(e.equal(ranks[0], ranks[1]));
        let ask = |e: &Expressions, parts: &[Expression]| {
            in_fresh_context(|| {
                let second = Duration::from_secs(1);
                let mut session = Session::new(effort_of(10 * second), Instant::now() + 60 * second);
                match session.check_quickly(e, parts, effort_of(second)) {
                    Checked::Unsatisfiable => Some(false),
                    Checked::Satisfiable(_) => Some(true),
                    Checked::Unknown => None,
                }
            })
        };
        let question = BitCounts::default().question(&mut e, &parts).expect("two counts");
        assert_eq!(ask(&e, &question), Some(false));
        // A lane that keeps nothing has the same place as the next lane.
        parts.remove(0);
        let question = BitCounts::default().question(&mut e, &parts).expect("two counts");
        assert_eq!(ask(&e, &question), Some(true));
    }

    #[test]
    fn other_sums_stay() {
        let mut e = Expressions::new();
        let (_, word) = input(&mut e, "x", 8);
        let three = e.number(8, 3);
        let all = count(&mut e, word, 8);
        let twice = e.extract(0, 0, word);
        let twice = e.zero_extend(8, twice);
        // One bit has twice the weight of the others.
        let weighted = e.add(all, twice);
        let low = e.extract(2, 0, word);
        let few = count(&mut e, low, 8);
        for sum in [weighted, few] {
            let asked = e.equal(sum, three);
            assert!(BitCounts::default().question(&mut e, &[asked]).is_none());
        }
        // A count of eight does not fit into three bits.
        let narrow = count(&mut e, word, 3);
        let three = e.number(3, 3);
        let asked = e.equal(narrow, three);
        assert!(BitCounts::default().question(&mut e, &[asked]).is_none());
    }
}
