//! Facts about the contents of arrays: the tables behind row pointers, permutations, indices.
//!
//! `assume(distinct(order))` says that no two elements of `order` are equal. Whether an array has
//! such a contents is the same in the whole launch, so it is an unknown truth value of the program.
//! If it is true, the fact holds for all elements of the array. So **instances** are assumed, for
//! each element that the program mentions, or for each pair of them: `i != j` implies `order[i] !=
//! order[j]`. They hold for the values that the elements' numbers have at any place, so they may
//! stand anywhere ([`super::instances`]).
//!
//! Only an array that the kernel never writes has the contents of the beginning. The fact about
//! another array, or about elements that the kernel reads in parts, has no instances.
//!
//! A fact is about all elements of the array. The program mentions others as well: a thread that is
//! switched off by `if (i < n)` has an index behind the end. So instances must hold for some
//! **extension** of the array to all numbers, for those before its beginning, too:
//!
//! * *Sorted*: the first and the last element go on.
//! * *Increasing*: elements go on counting. The fact says that the last one is far enough from the
//!   largest number. It is about elements from the place on to which the parameter points.
//! * *Distinct*: an array has far fewer elements than there are numbers of 32 bits. Narrower
//!   elements have no instances. If the array is sorted as well, its last element goes on, where
//!   that is the largest number.
//! * *Within* bounds: all others are the least number of both the bounds and the type, or go on as
//!   those that are sorted. If there is no such number the array is empty, and nothing is known.
//!   Together with *distinct* or *increasing* there may be too few numbers, and a second pair of
//!   bounds may leave none. These have no instances.
//!
//! Numbers of elements are compared with their sign.

use std::collections::BTreeSet;

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{Array, ContentsFact, ContentsKind};
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

    /// Assumes that an element which a thread reads is within the bounds that are stated.
    ///
    /// In contrast to an instance, this says that the array has such an element.
    pub fn assume_read_within(&mut self, array: Array, active: Expression, value: Expression) {
        for stated in self.contents_facts.clone() {
            let is_whole = self.e().sort(value) == Sort::Bits(stated.fact.element);
            if stated.fact.array != array || stated.elements.is_none() || !is_whole {
                continue;
            }
            let Some(within) = stated.within(self.e(), value) else { continue };
            let given = self.e().and([active, stated.holds]);
            let condition = self.e().implies(given, within);
            self.assume(condition, &stated.text);
        }
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
    for one in &stated {
        let others: Vec<&Stated> = stated.iter().copied().filter(|other| other.elements == one.elements).collect();
        let e = &mut program.expressions;
        let elements: Vec<Expression> =
            terms.all.iter().copied().filter(|&term| element(e, term).map(|(of, _)| of) == one.elements).collect();
        for (second, &b) in elements.iter().enumerate() {
            let alone = one.about_one(e, b, &others).map(|condition| (condition, BTreeSet::from([b])));
            let firsts = elements[..second].iter();
            let pairs: Vec<_> =
                firsts.filter_map(|&a| Some((one.about_two(e, [a, b], &others)?, BTreeSet::from([a, b])))).collect();
            for (condition, made_for) in alone.into_iter().chain(pairs) {
                if instances.len() < MOST && e.as_boolean(condition) != Some(true) {
                    instances.push(Instance { condition, made_for, reason: one.text.clone() });
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
    fn about_one(&self, e: &mut Expressions, term: Expression, others: &[&Self]) -> Option<Expression> {
        let [least, end] = self.bounds?;
        let leaves_too_few = |other: &&Self| match other.fact.kind {
            ContentsKind::Distinct | ContentsKind::Increasing => true,
            ContentsKind::Within => other.bounds != self.bounds,
            ContentsKind::Sorted => false,
        };
        if others.iter().any(leaves_too_few) {
            return None;
        }
        let within = self.within(e, term)?;
        // Some number of the type is within the bounds.
        let [lowest, highest] = self.limits();
        let (lowest, highest) = (e.number(64, lowest), e.number(64, highest));
        let some = [
            e.compare(CompareOp::SignedLess, least, end),
            e.compare(CompareOp::SignedLessEqual, least, highest),
            e.compare(CompareOp::SignedLess, lowest, end),
        ];
        let given = e.and([self.holds].into_iter().chain(some));
        Some(e.implies(given, within))
    }

    /// Whether an element is within the bounds, if there are some.
    fn within(&self, e: &mut Expressions, term: Expression) -> Option<Expression> {
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
        Some(e.and(within))
    }

    /// The instance for two elements.
    fn about_two(&self, e: &mut Expressions, terms: [Expression; 2], others: &[&Self]) -> Option<Expression> {
        let [(_, i), (_, j)] = [element(e, terms[0])?, element(e, terms[1])?];
        let [a, b] = terms;
        let (less, or_equal) = if self.fact.signed {
            (CompareOp::SignedLess, CompareOp::SignedLessEqual)
        } else {
            (CompareOp::UnsignedLess, CompareOp::UnsignedLessEqual)
        };
        let claim = match self.fact.kind {
            ContentsKind::Within => return None,
            ContentsKind::Distinct if self.fact.element < 32 => return None,
            ContentsKind::Distinct => {
                let (mut same, equal) = (e.equal(i, j), e.equal(a, b));
                if others.iter().any(|other| other.fact.kind == ContentsKind::Sorted) {
                    let [least, largest] = self.extremes().map(|number| e.bits(number));
                    let ends = [e.equal(a, least), e.equal(a, largest)];
                    same = e.or([same].into_iter().chain(ends));
                }
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
        let mut given = vec![self.holds];
        if self.fact.kind == ContentsKind::Increasing {
            for number in [i, j] {
                let Sort::Bits(width) = e.sort(number) else { return None };
                let zero = e.number(width, 0);
                given.push(e.compare(CompareOp::SignedLessEqual, zero, number));
            }
        }
        let given = e.and(given);
        Some(e.implies(given, claim))
    }

    /// The least and the largest number of an element, as far as 64 bits with a sign have them.
    fn limits(&self) -> [u64; 2] {
        let bits = self.fact.element - u32::from(self.fact.signed);
        let largest = (1_u64 << bits.min(63)).wrapping_sub(1);
        let least = if self.fact.signed { !largest } else { 0 };
        [least, if bits >= 63 { i64::MAX.cast_unsigned() } else { largest }]
    }

    /// The bits of the least and the largest number of an element.
    fn extremes(&self) -> [Bits; 2] {
        let width = self.fact.element;
        let top = Bits::one(width).shl(&Bits::new(width, width - 1));
        if self.fact.signed {
            [top.clone(), top.not()]
        } else {
            [Bits::new(width, 0_u32), Bits::new(width, 0_u32).not()]
        }
    }
}
