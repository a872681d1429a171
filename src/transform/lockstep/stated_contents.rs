//! Facts about the contents of arrays: the tables behind row pointers, permutations, indices.
//!
//! `assume(distinct(order))` says that no two elements of `order` are equal. Whether an array has
//! such a contents is the same in the whole launch, so it is an unknown truth value of the program.
//! If it is true, the fact holds for the elements that the program reads. So **instances** are
//! assumed, for each element that the program mentions, or for each pair of them: `i != j` implies
//! `order[i] != order[j]`. They hold for the values that the elements' numbers have at any place,
//! so they may stand anywhere ([`super::instances`]).
//!
//! Only an array that the kernel never writes has the contents of the beginning. The fact about
//! another array, or about elements that the kernel reads in parts, has no instances.
//!
//! A fact is about all elements that the launch reads, also about those before the place to which
//! the parameter points. Their numbers are negative, so numbers are compared with their sign.

use std::collections::BTreeSet;

use lockstep_ir::kernel::{ContentsFact, ContentsKind};
use lockstep_ir::sequential::{CompareOp, Expression, Expressions, Node, Program, Role, Sort, Variable};

use super::Lowering;
use super::instances::{Instance, Terms, place};
use super::memory::arrays::Contents;

/// The most instances in all.
const MOST: usize = 600;

/// A fact that is stated.
#[derive(Clone, Debug)]
pub struct Stated {
    fact: ContentsFact,
    /// Whether it holds.
    holds: Expression,
    bounds: Option<[Expression; 2]>,
    /// The array's elements, if they are those of the beginning.
    elements: Option<Variable>,
    /// The fact in words.
    text: String,
}

impl Lowering<'_> {
    /// Whether the contents of an array satisfy a fact.
    pub fn contents_fact(&mut self, fact: &ContentsFact, bounds: Option<[Expression; 2]>) -> Expression {
        let same = |known: &&Stated| {
            known.bounds == bounds
                && ContentsFact { bounds: None, ..known.fact } == ContentsFact { bounds: None, ..*fact }
        };
        if let Some(known) = self.contents_facts.iter().find(same) {
            return known.holds;
        }
        let name = &self.kernel.arrays[fact.array].name;
        let text = format!("{}({name})", fact.kind.name());
        let variable = self.e().add_variable(&text, Sort::Boolean, None, Role::Input);
        let holds = self.e().variable(variable);
        let state = self.arrays.find(fact.array);
        let elements = state.filter(|state| 8 * state.cell_bytes == u64::from(fact.element));
        let elements = elements.and_then(|state| match state.contents {
            Contents::Function(variable) => Some(variable),
            _ => None,
        });
        self.contents_facts.push(Stated { fact: *fact, holds, bounds, elements, text });
        holds
    }
}

/// Assumes the instances of facts.
pub fn assume_contents(program: &mut Program, stated: &[Stated]) {
    let stated: Vec<&Stated> = stated.iter().filter(|stated| stated.elements.is_some()).collect();
    if stated.is_empty() {
        return;
    }
    let arrays: BTreeSet<Variable> = stated.iter().filter_map(|stated| stated.elements).collect();
    let is_element = |e: &Expressions, part: Expression| element(e, part).is_some_and(|(of, _)| arrays.contains(&of));
    let terms = Terms::of(program, &is_element);
    let mut instances = Vec::new();
    for stated in stated {
        let e = &mut program.expressions;
        let elements: Vec<Expression> =
            terms.all.iter().copied().filter(|&term| element(e, term).map(|(of, _)| of) == stated.elements).collect();
        for (second, &b) in elements.iter().enumerate() {
            let alone = stated.about_one(e, b).map(|condition| (condition, BTreeSet::from([b])));
            let firsts = elements[..second].iter();
            let pairs: Vec<_> =
                firsts.filter_map(|&a| Some((stated.about_two(e, [a, b])?, BTreeSet::from([a, b])))).collect();
            for (condition, made_for) in alone.into_iter().chain(pairs) {
                if instances.len() < MOST && e.as_boolean(condition) != Some(true) {
                    instances.push(Instance { condition, made_for, reason: stated.text.clone() });
                }
            }
        }
    }
    place(program, &instances, &terms);
}

/// The array and the number of an element.
fn element(e: &Expressions, term: Expression) -> Option<(Variable, Expression)> {
    let Node::Select(map, number) = *e.node(term) else { return None };
    match *e.node(map) {
        Node::Variable(variable) => Some((variable, number)),
        _ => None,
    }
}

impl Stated {
    /// The instance for an element.
    fn about_one(&self, e: &mut Expressions, term: Expression) -> Option<Expression> {
        let [least, end] = self.bounds?;
        let value = match self.fact.element {
            64 => term,
            _ if self.fact.signed => e.sign_extend(64, term),
            _ => e.zero_extend(64, term),
        };
        let from = e.compare(CompareOp::SignedLessEqual, least, value);
        let to = e.compare(CompareOp::SignedLess, value, end);
        let mut within = vec![from, to];
        if self.fact.element == 64 && !self.fact.signed {
            // A number with the highest bit set is larger than any bound.
            let zero = e.number(64, 0);
            within.push(e.compare(CompareOp::SignedLessEqual, zero, value));
        }
        let within = e.and(within);
        Some(e.implies(self.holds, within))
    }

    /// The instance for two elements.
    fn about_two(&self, e: &mut Expressions, terms: [Expression; 2]) -> Option<Expression> {
        let [(_, i), (_, j)] = [element(e, terms[0])?, element(e, terms[1])?];
        let [a, b] = terms;
        let (less, or_equal) = if self.fact.signed {
            (CompareOp::SignedLess, CompareOp::SignedLessEqual)
        } else {
            (CompareOp::UnsignedLess, CompareOp::UnsignedLessEqual)
        };
        let claim = match self.fact.kind {
            ContentsKind::Within => return None,
            ContentsKind::Distinct => {
                let (same, equal) = (e.equal(i, j), e.equal(a, b));
                e.implies(equal, same)
            }
            ContentsKind::Sorted | ContentsKind::Increasing => {
                let op = if self.fact.kind == ContentsKind::Sorted { or_equal } else { less };
                let ordered = [([i, j], [a, b]), ([j, i], [b, a])].map(|(numbers, values)| {
                    let before = e.compare(CompareOp::SignedLess, numbers[0], numbers[1]);
                    let holds = e.compare(op, values[0], values[1]);
                    e.implies(before, holds)
                });
                e.and(ordered)
            }
        };
        Some(e.implies(self.holds, claim))
    }
}
