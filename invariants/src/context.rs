//! Shared infrastructure of the candidate families: the program's parts, and helpers that build and
//! propose conditions.

use cranelift_entity::PrimaryMap;
use indexmap::IndexSet;
use lockstep_ir::sequential::{
    BinaryOp, CompareOp, Copies, Expression, Expressions, Loop, LoopData, Node, Site, SiteData, Sort, Variable,
};
use rustc_hash::FxHashMap;

use crate::abstraction::{Heads, Value, Word};
use crate::scan::{CarriedCopy, Evolution, Scan};
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

    /// Proposes `P → condition`, and for a uniform variable also the condition alone.
    pub fn propose_of(&mut self, copy: CarriedCopy, condition: Expression) {
        let active = self.active(copy);
        let guarded = self.expressions.implies(active, condition);
        self.propose(guarded);
        if self.loops[copy.loop_].carried[copy.index].variable.is_uniform() {
            self.propose(condition);
            self.propose_of_exits(copy, condition);
        }
    }

    /// Proposes `P ∨ left → condition`. The condition must stay true when the thread has left, as
    /// its variable does not change then.
    pub fn propose_lasting(&mut self, copy: CarriedCopy, condition: Expression) {
        if self.loops[copy.loop_].carried[copy.index].variable.is_uniform() {
            return self.propose_of(copy, condition);
        }
        let was_active = self.was_active(copy.loop_, copy.thread);
        let guarded = self.expressions.implies(was_active, condition);
        self.propose(guarded);
    }

    /// Proposes a condition on a variable for the values of it that threads take along when they
    /// leave the loop.
    fn propose_of_exits(&mut self, copy: CarriedCopy, condition: Expression) {
        let (variable, x) = (self.variable_of(copy), self.current(copy));
        for exit in &self.scan.exits[copy.loop_] {
            for &(taken_along, _) in exit.values.iter().filter(|(_, value)| *value == x) {
                let instead = self.expressions.variable(taken_along);
                let map = [(variable, instead)].into_iter().collect();
                let condition = self.expressions.substitute(condition, &map, &mut FxHashMap::default());
                let left = self.expressions.variable(exit.taken);
                let guarded = self.expressions.implies(left, condition);
                self.propose(guarded);
            }
        }
    }

    /// Each copy of each bit-vector that the loop carries.
    pub fn carried_bits(&self, loop_: Loop) -> Vec<CarriedCopy> {
        let mut copies = Vec::new();
        for (index, carried) in self.loops[loop_].carried.iter().enumerate() {
            for (thread, &variable) in carried.variable.iter().enumerate() {
                if matches!(self.expressions.variables()[variable].sort, Sort::Bits(_)) {
                    copies.push(CarriedCopy { loop_, index, thread });
                }
            }
        }
        copies
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

    /// A number of 64 bits modulo `2^width`.
    pub fn resize(&mut self, width: u32, number: Expression) -> Expression {
        let own = self.expressions.width(number);
        if width < own {
            self.expressions.extract(width - 1, 0, number)
        } else {
            self.expressions.zero_extend(width, number)
        }
    }

    /// The value after `counter` iterations, from the initial value and the evolution, if it has a
    /// closed form.
    pub fn closed_form(
        &mut self,
        initial: Expression,
        evolution: &Evolution,
        counter: Expression,
    ) -> Option<Expression> {
        let width = self.expressions.width(initial);
        let (op, by) = match *evolution {
            Evolution::Steps { ref steps, exact: true } => {
                let counter = self.resize(width, counter);
                let change = self.expressions.multiply(steps[0], counter);
                return Some(self.expressions.add(initial, change));
            }
            Evolution::Steps { .. } | Evolution::Unknown => return None,
            Evolution::ShiftLeft(by) => (BinaryOp::ShiftLeft, by),
            // For a non-negative number, halving is shifting.
            Evolution::LogicalShiftRight(by) | Evolution::SignedHalve(by) => (BinaryOp::LogicalShiftRight, by),
            Evolution::ArithmeticShiftRight(by) => (BinaryOp::ArithmeticShiftRight, by),
        };
        let amount = self.shift_amount(width, by, counter);
        Some(self.expressions.binary(op, initial, amount))
    }

    /// `min(by · counter, width)` as a shift distance. All shifts by the width or more are alike,
    /// but the truncated counter would wrap around to zero.
    fn shift_amount(&mut self, width: u32, by: u32, counter: Expression) -> Expression {
        let limit = self.expressions.number(64, u64::from(width));
        let within = self.expressions.compare(CompareOp::UnsignedLess, counter, limit);
        let narrow = self.resize(width, counter);
        let factor = self.expressions.number(width, u64::from(by));
        let amount = self.expressions.multiply(factor, narrow);
        let all = self.expressions.number(width, u64::from(width));
        self.expressions.if_then_else(within, amount, all)
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
            && let Some(form) = self.closed_form_at_hit(site, loop_, copy, depth - 1)
        {
            return Some(Some(form));
        }
        (!self.scan.loops[loop_].changed.contains(variable)).then_some(None)
    }

    /// The closed form of a variable that a loop around the site carries, at the recorded
    /// iteration.
    pub fn closed_form_at_hit(
        &mut self,
        site: Site,
        loop_: Loop,
        copy: CarriedCopy,
        depth: usize,
    ) -> Option<Expression> {
        let counter = self.loops[copy.loop_].counter;
        let recorded = self.sites[site].recorded.iter().find(|recorded| recorded.original == counter)?.recorded;
        let counter = self.expressions.variable(recorded);
        let initial = self.initial(copy);
        let initial = self.at_hit_within(site, loop_, initial, depth)?;
        let mut evolution = self.scan.evolution(copy).clone();
        if let Evolution::Steps { steps, .. } = &mut evolution {
            for step in steps {
                *step = self.at_hit_within(site, loop_, *step, depth)?;
            }
        }
        self.closed_form(initial, &evolution, counter)
    }

    /// The width of a bit-vector variable.
    pub fn width_of(&self, copy: CarriedCopy) -> u32 {
        match self.expressions.variables()[self.variable_of(copy)].sort {
            Sort::Bits(width) => width,
            sort => panic!("a bit-vector expected, {sort:?} found"),
        }
    }

    /// Whether two variables have the same width.
    pub fn same_width(&self, a: CarriedCopy, b: CarriedCopy) -> bool {
        let sort = |copy| self.expressions.variables()[self.variable_of(copy)].sort;
        sort(a) == sort(b)
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
