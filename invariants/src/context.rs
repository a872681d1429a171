//! Shared infrastructure of the candidate families: the program's parts, and helpers that build and
//! propose conditions.

use cranelift_entity::PrimaryMap;
use indexmap::{IndexMap, IndexSet};
use lockstep_ir::sequential::{Copies, Expression, Expressions, Loop, LoopData, Node, Site, SiteData, Sort, Variable};
use rustc_hash::FxHashMap;

use crate::abstraction::{Heads, Value, Word};
use crate::recurrences::{self, Evolution};
use crate::scan::{CarriedCopy, Scan};
use crate::sums::Sum;

/// A program under examination, and the candidates found so far.
pub struct Context<'p> {
    /// The program's expressions.
    pub expressions: &'p mut Expressions,
    /// The program's loops.
    pub loops: &'p PrimaryMap<Loop, LoopData>,
    /// The program's sites.
    pub sites: &'p PrimaryMap<Site, SiteData>,
    /// The results of scanning the loops.
    pub scan: &'p Scan,
    /// The facts about words at the loops' heads.
    pub heads: &'p Heads,
    /// The ghosts that add up the steps of variables.
    pub sums: &'p [Sum],
    /// The conditions that the current family has proposed for the current loop.
    pub proposed: IndexSet<Expression>,
}

impl Context<'_> {
    /// Proposes a condition.
    pub fn propose(&mut self, condition: Expression) {
        self.proposed.insert(condition);
    }

    /// Moves the conditions proposed since to those found, with the family that proposed them.
    pub fn take_proposed(&mut self, family: &'static str, found: &mut IndexMap<Expression, &'static str>) {
        for condition in self.proposed.drain(..) {
            found.entry(condition).or_insert(family);
        }
    }

    /// Each copy of each bit-vector and Boolean that the loop carries.
    pub fn carried_copies(&self, loop_: Loop) -> Vec<CarriedCopy> {
        let mut copies = Vec::new();
        for (index, carried) in self.loops[loop_].carried.iter().enumerate() {
            for (thread, &variable) in carried.variable.iter().enumerate() {
                if matches!(self.expressions.variables()[variable].sort, Sort::Bits(_) | Sort::Boolean) {
                    copies.push(CarriedCopy { loop_, index, thread });
                }
            }
        }
        copies
    }

    /// Each copy of each bit-vector that the loop carries.
    pub fn carried_bits(&self, loop_: Loop) -> Vec<CarriedCopy> {
        let is_bits =
            |&copy: &CarriedCopy| matches!(self.expressions.variables()[self.variable_of(copy)].sort, Sort::Bits(_));
        self.carried_copies(loop_).into_iter().filter(is_bits).collect()
    }

    /// The loop's iteration number.
    pub fn counter(&mut self, loop_: Loop) -> Expression {
        self.expressions.variable(self.loops[loop_].counter)
    }

    /// The variable's value.
    pub fn current(&mut self, copy: CarriedCopy) -> Expression {
        let variable = self.variable_of(copy);
        self.expressions.variable(variable)
    }

    /// The variable.
    pub fn variable_of(&self, copy: CarriedCopy) -> Variable {
        *self.loops[copy.loop_].carried[copy.index].variable.of(copy.thread)
    }

    /// The facts about its value at the loop's head.
    pub fn word(&self, copy: CarriedCopy) -> Option<Word> {
        // The copies of both threads are alike.
        self.word_of(copy.loop_, *self.loops[copy.loop_].carried[copy.index].variable.of(0))
    }

    /// The facts about a variable of thread 1, or of both threads, at a loop's head.
    pub fn word_of(&self, loop_: Loop, variable: Variable) -> Option<Word> {
        match self.heads[loop_].get(&variable) {
            Some(Value::Word(word)) => Some(*word),
            _ => None,
        }
    }

    /// Thread 1's copy of a variable of thread 2.
    pub fn first_copy(&self, variable: Variable) -> Option<Variable> {
        let stem = self.expressions.variables()[variable].name.strip_suffix("$2")?;
        self.expressions.variable_named(&format!("{stem}$1"))
    }

    /// Its value before the loop.
    pub fn initial(&self, copy: CarriedCopy) -> Expression {
        *self.loops[copy.loop_].carried[copy.index].initial.of(copy.thread)
    }

    /// Its value after an iteration, over the values at the beginning of that iteration.
    pub fn next(&self, copy: CarriedCopy) -> Expression {
        *self.loops[copy.loop_].carried[copy.index].next.of(copy.thread)
    }

    /// Its value before the outermost loop that advances it. It is the initial value, with
    /// variables of enclosing loops replaced by their own values before those loops.
    pub fn origin(&mut self, copy: CarriedCopy) -> Expression {
        let mut origin = self.initial(copy);
        let mut loop_ = self.loops[copy.loop_].parent;
        while let Some(around) = loop_ {
            let mut initials = FxHashMap::default();
            self.expressions.for_each_variable(origin, |variable| {
                if let Some(&carried) = self.scan.carried.get(&variable)
                    && carried.loop_ == around
                {
                    initials.insert(variable, carried);
                }
            });
            let initials = initials.into_iter().map(|(variable, carried)| (variable, self.initial(carried))).collect();
            origin = self.expressions.substitute(origin, &initials, &mut FxHashMap::default());
            loop_ = self.loops[around].parent;
        }
        origin
    }

    /// Whether the copy's thread executes another iteration; for a uniform variable, whether any
    /// thread does.
    pub fn active(&mut self, copy: CarriedCopy) -> Expression {
        let data = &self.loops[copy.loop_];
        match (&data.active, data.carried[copy.index].variable.is_uniform()) {
            (Copies::Uniform(active), _) => self.expressions.variable(*active),
            (Copies::Each(_), true) => data.guard,
            (Copies::Each(each), false) => self.expressions.variable(each[copy.thread]),
        }
    }

    /// Whether a thread executes another iteration or has left the loop, that is, whether it ever
    /// entered the loop.
    pub fn was_active(&mut self, loop_: Loop, of: usize) -> Expression {
        let active = *self.loops[loop_].active.of(of);
        let mut parts = vec![self.expressions.variable(active)];
        for exit in &self.scan.exits[loop_] {
            let thread = self.expressions.variables()[exit.taken].thread;
            if thread.is_none_or(|thread| thread == of) {
                parts.push(self.expressions.variable(exit.taken));
            }
        }
        self.expressions.or(parts)
    }

    /// Whether both threads share the variable.
    pub fn is_uniform(&self, copy: CarriedCopy) -> bool {
        self.loops[copy.loop_].carried[copy.index].variable.is_uniform()
    }

    /// An expression with a value in place of the variable.
    pub fn replaced(&mut self, expression: Expression, copy: CarriedCopy, value: Expression) -> Expression {
        let map = [(self.variable_of(copy), value)].into_iter().collect();
        self.expressions.substitute(expression, &map, &mut FxHashMap::default())
    }

    /// Its value after `counter` iterations, over its initial value and values that the loop does
    /// not change, if it has a closed form.
    pub fn closed_form(&mut self, copy: CarriedCopy, counter: Expression) -> Option<Expression> {
        let initial = self.initial(copy);
        let evolution = self.scan.evolution(copy);
        let ring = match evolution {
            Evolution::Exchange { at_end_of: Some(ring), .. } => Some(*ring),
            _ => None,
        };
        let ring = ring.and_then(|copy| match self.scan.evolution(copy) {
            Evolution::Ring(ring) => Some((ring, self.initial(copy))),
            _ => None,
        });
        recurrences::closed_form(self.expressions, initial, evolution, ring, counter)
    }

    /// `expression` with the `known` replacements in place of its parts, or `None` if anything
    /// remains that the loop changes.
    ///
    /// `None` in `known` means that a part has no replacement. Results are cached in `known`.
    pub fn in_terms_of(
        &mut self,
        loop_: Loop,
        expression: Expression,
        known: &mut FxHashMap<Expression, Option<Expression>>,
    ) -> Option<Expression> {
        if let Some(&instead) = known.get(&expression) {
            return instead;
        }
        // Only generated code has deep conditions, and a guess there is not worth a deep stack.
        if known.len() > 500 {
            return None;
        }
        known.insert(expression, None);
        let result = if let Node::Variable(variable) = *self.expressions.node(expression) {
            (!self.scan.loops[loop_].changed.contains(variable)).then_some(expression)
        } else {
            let mut operands = Vec::new();
            self.expressions.for_each_operand(expression, |operand| operands.push(operand));
            let mut map: FxHashMap<Expression, Expression> = FxHashMap::default();
            let mut complete = true;
            for operand in operands {
                match self.in_terms_of(loop_, operand, known) {
                    Some(value) => {
                        map.insert(operand, value);
                    }
                    None => complete = false,
                }
            }
            complete.then(|| self.expressions.rebuild(expression, |operand| map[&operand]))
        };
        known.insert(expression, result);
        result
    }

    /// `expression` over the values that its variables had when the site was hit. `None` if the
    /// head of `loop_` does not determine it.
    ///
    /// Recorded variables stand for themselves. Variables with a closed form in a loop around the
    /// site have its value at the recorded iteration. Parts that `loop_` does not change have kept
    /// their values.
    pub fn at_hit(&mut self, site: Site, loop_: Loop, expression: Expression) -> Option<Expression> {
        self.at_hit_within(site, loop_, expression, self.loops.len() + 1)
    }

    fn at_hit_within(&mut self, site: Site, loop_: Loop, expression: Expression, depth: usize) -> Option<Expression> {
        let mut variables = Vec::new();
        self.expressions.for_each_variable(expression, |variable| variables.push(variable));
        let mut values = FxHashMap::default();
        for variable in variables {
            if let Some(value) = self.variable_at_hit(site, loop_, variable, depth)? {
                values.insert(variable, value);
            }
        }
        Some(self.expressions.substitute(expression, &values, &mut FxHashMap::default()))
    }

    /// The value at the hit; the inner `None` if it is the current one.
    #[expect(clippy::option_option, reason = "unknown and unchanged are different answers")]
    fn variable_at_hit(
        &mut self,
        site: Site,
        loop_: Loop,
        variable: Variable,
        depth: usize,
    ) -> Option<Option<Expression>> {
        let data = &self.sites[site];
        if let Some(recorded) = data.recorded.iter().find(|recorded| recorded.original == variable) {
            return Some(Some(self.expressions.variable(recorded.recorded)));
        }
        if depth > 0
            && let Some(&copy) = self.scan.carried.get(&variable)
            && data.loops.contains(&copy.loop_)
            && data.recorded.iter().any(|recorded| recorded.original == self.loops[copy.loop_].counter)
        {
            let counter = self.expressions.variable(self.loops[copy.loop_].counter);
            let form = self.closed_form(copy, counter);
            if let Some(form) = form.and_then(|form| self.at_hit_within(site, loop_, form, depth - 1)) {
                return Some(Some(form));
            }
        }
        (!self.scan.loops[loop_].changed.contains(variable)).then_some(None)
    }

    /// The width of a bit-vector variable.
    pub fn width_of(&self, copy: CarriedCopy) -> u32 {
        match self.expressions.variables()[self.variable_of(copy)].sort {
            Sort::Bits(width) => width,
            sort => panic!("a bit-vector expected, {sort:?} found"),
        }
    }

    /// The sites whose hit the loop changes.
    pub fn changing_sites(&self, loop_: Loop) -> Vec<Site> {
        let changed = &self.scan.loops[loop_].changed;
        self.sites.iter().filter(|(_, data)| changed.contains(data.hit)).map(|(site, _)| site).collect()
    }

    /// `hit → condition`
    pub fn propose_of_hit(&mut self, site: Site, condition: Expression) {
        let hit = self.expressions.variable(self.sites[site].hit);
        let guarded = self.expressions.implies(hit, condition);
        self.propose(guarded);
    }
}
