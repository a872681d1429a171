//! Instrument: the logging and checking of accesses.
//!
//! For each array the pointer may point into there is one site. Thread 1 **logs**: if it is active
//! and touches the watched cell, the site's hit becomes true. The written value and the current
//! values of the changing variables are recorded with it. In a loop, a fresh Boolean decides
//! whether this access becomes the hit, so that the hit is *any* of the matching accesses (DESIGN
//! 2.2). For example, a thread that writes 1 and then 2 to a cell races with one that writes 2.
//! Outside loops, a site is executed once and the choice is not needed. Thread 2 **checks**: it
//! must not touch the watched cell if the hit of a conflicting site is true. The sites whose hits
//! may be true here are those earlier in the program, the site itself, and those that share a loop
//! with it. Logging only thread 1 loses no races, since the two threads are interchangeable: no
//! precondition orders their ids.
//!
//! In a program that is only for a proof, writes in a loop that repeat each other
//! ([`crate::analysis::repeated`]) may share a site. The first of them is logged as always. If it
//! has become the hit in this execution of the block, each of the others may replace the hit's
//! written value by its own. A fresh Boolean decides this for each write. Let *w* be one of them,
//! and take an execution of the program in which *w* has its own site. Suppose that *w* is the hit
//! and thread 2's access at *c* races with it. Make the first write the hit where *w* is, and
//! choose the value that *w* writes as the hit's written value. From there on, hit and values are
//! those of *w*'s own site. The cells are the same, no operation in between waits, and barriers
//! have the same effect on all hits. (Other recorded variables serve candidates, which are proved;
//! no assertion mentions them.) So the assertion at *c* about the shared site fails. Sites are
//! shared in loops only: there a hit is chosen, and all accesses of the block are checked against
//! all of its sites, whichever come first. Such a program attributes a write to the first of its
//! kind, so defects are looked for in the other program.
//!
//! Where an array has very many sites outside of loops ([`super::sites`]), sites that are hit alike
//! **share a hit**. Suppose that a site is logged, and that hits have not changed since another
//! site of the same kind was logged. Suppose also that both are hit under the same condition, over
//! values that do not change. Then the later site has no hit of its own. Its hit would be true
//! exactly where the other's is, here and after every later barrier, as barriers have the same
//! effect on both. Where the sites write different values, writes of equal values are no longer
//! distinguished. The assertion about the shared hit fails wherever one about any of the sites
//! would, and perhaps where values are equal, which a run shows. An assertion that has been made
//! since hits last changed is not made again. A report names the first of the sites, whose access
//! is at the same cell in the same interval. If more than [`MOST_RACES`] pairs are left, the kernel
//! is refused.
//!
//! An access of several cells touches all of them: the watched cell lies in its range.
//!
//! Writes of equal values do not race unless the options say so. The comparison covers the values
//! that both threads write into the watched cell, for plain writes only.

use lockstep_ir::assumption::Assumed;
use lockstep_ir::kernel::{self, Value};
use lockstep_ir::sequential::{Copies, Expression, ObligationKind, Recorded, Role, Site, Sort, Unknown, Variable};

use crate::lockstep::Lowering;
use crate::lockstep::instrument::sites::Conflict;
use crate::lockstep::memory::touch::Touch;

/// The most pairs of accesses that are compared in one program.
pub const MOST_RACES: usize = 100_000;

impl Lowering<'_> {
    /// Logs for thread 1 and checks for thread 2, for each array the pointer may point into.
    pub fn race_check(&mut self, pointer: Value, touch: &Touch) {
        self.forget_in_lock_step(touch.active);
        self.check_alignment(touch);
        self.log_and_check(pointer, touch);
        self.forget_in_lock_step(touch.active);
    }

    fn log_and_check(&mut self, pointer: Value, touch: &Touch) {
        let arrays: Vec<kernel::Array> = self.facts.points_to[pointer].arrays.iter().copied().collect();
        for array in arrays {
            self.check_constant(touch, array);
            self.check_bounds(touch, array);
            self.check_initialised(touch, array);
            let Some(&site) = self.sites.by_access.get(&(touch.instruction, array, touch.position)) else { continue };
            self.check_digits(touch, array);
            match self.sites.states[site].as_ref().and_then(|state| state.logged) {
                None => self.log(site, touch, array),
                Some(hit_now) => self.log_again(site, touch, array, hit_now),
            }
            self.check(site, touch, array);
        }
    }

    fn watched(&mut self, site: Site) -> Expression {
        let array = self.program.sites[site].array;
        let watched = self.program.arrays[array].watched;
        self.e().variable(watched)
    }

    pub fn log(&mut self, site: Site, touch: &Touch, array: kernel::Array) {
        let state = self.arrays.get(array);
        let accesses = self.accesses(touch, array, 0);
        let touches = self.meets(touch, array, 0);
        self.describe_site(site, touch, array, accesses, touches);
        let mut hit_now = self.e().and([accesses, touches]);
        if self.e().as_boolean(hit_now) == Some(false) {
            return;
        }
        if !self.program.sites[site].loops.is_empty() {
            let choice = self.unknown(&format!("track.{}", site.as_u32()), Sort::Boolean, None, Unknown::Choice);
            hit_now = self.e().and([hit_now, choice]);
        }
        if let Some(leader) = self.leader(site, hit_now) {
            let array_data = self.program.sites[site].array;
            if let Some(compared) = self.sites.compared.get_mut(&array_data) {
                compared.remove(&site);
            }
            let value = self.value_written(site, touch, array);
            let known = self.sites.values_written.entry(leader).or_insert(value);
            *known = known.filter(|known| value == Some(*known));
            return;
        }
        if self.sites.share_hits && self.program.sites[site].loops.is_empty() {
            self.sites.logged_alike.entry(hit_now).or_default().push(site);
            let value = self.value_written(site, touch, array);
            self.sites.values_written.insert(site, value);
        }
        self.name_hit(site, hit_now, touches);
        if let Some(state) = &mut self.sites.states[site] {
            state.logged = Some(hit_now);
        }
        let batch =
            touch.event.filter(|_| self.sites.states[site].as_ref().is_some_and(|state| state.waited.is_some()));
        let rounds = self.rounds_now(site);
        let signals = self.signals_at(site).into_iter().map(|(cell, _)| cell);
        let numbers = batch.into_iter().chain(rounds.iter().map(|(_, number)| *number)).chain(signals);
        let recorded = self.recorded(site, [accesses, touches].into_iter().chain(numbers).collect());
        for one in recorded {
            let now = self.e().variable(one.original);
            self.assign_if(hit_now, one.recorded, now);
        }
        for (variable, number) in rounds {
            self.assign_if(hit_now, variable, number);
        }
        if let (Some(written), Some(values)) = (self.program.sites[site].written, touch.value) {
            let value = self.cell_of(values[0], touch, array, 0);
            self.assign_if(hit_now, written, value);
        }
        if let Some(place) = self.sites.states[site].as_ref().and_then(|state| state.place) {
            let (watched, first) = (self.watched(site), self.cell(touch, state, 0));
            let distance = self.e().subtract(watched, first);
            self.assign_if(hit_now, place, distance);
        }
        let event = self.sites.states[site].as_ref().and_then(|state| state.event);
        if let (Some(variable), Some(event)) = (event, touch.event) {
            self.assign_if(hit_now, variable, event);
        }
        if let Some(waited) = self.sites.states[site].as_ref().and_then(|state| state.waited) {
            let no = self.e().boolean(false);
            self.assign_if(hit_now, waited, no);
        }
        self.begin_passage(site, hit_now);
        let hit = self.program.sites[site].hit;
        let before = self.e().variable(hit);
        let after = self.e().or([before, hit_now]);
        self.assign(hit, after);
    }

    /// The value that thread 1 writes into the watched cell, if it is followed and does not change.
    fn value_written(&mut self, site: Site, touch: &Touch, array: kernel::Array) -> Option<Expression> {
        self.program.sites[site].written?;
        let value = self.cell_of(touch.value?[0], touch, array, 0);
        self.stays(value).then_some(value)
    }

    /// Logs a write that repeats one at the same site, whose hit is `hit_now`.
    fn log_again(&mut self, site: Site, touch: &Touch, array: kernel::Array, hit_now: Expression) {
        if let (Some(written), Some(values)) = (self.program.sites[site].written, touch.value) {
            let name = format!("again.{}", site.as_u32());
            let choice = self.unknown(&name, Sort::Boolean, None, Unknown::Choice);
            let instead = self.e().and([hit_now, choice]);
            let value = self.cell_of(values[0], touch, array, 0);
            self.assign_if(instead, written, value);
        }
    }

    pub fn assign_if(&mut self, condition: Expression, variable: Variable, value: Expression) {
        let old = self.e().variable(variable);
        let new = self.e().if_then_else(condition, value, old);
        self.assign(variable, new);
    }

    fn describe_site(
        &mut self,
        site: Site,
        touch: &Touch,
        array: kernel::Array,
        accesses: Expression,
        touches: Expression,
    ) {
        let state = self.arrays.get(array);
        let offset = Copies::Each([0, 1].map(|thread| self.cell(touch, state, thread)));
        self.name_cells(offset);
        let other = self.accesses(touch, array, 1);
        let mut conditions = vec![touches];
        match self.e().node(accesses).clone() {
            lockstep_ir::sequential::Node::And(parts) => conditions.extend(parts.iter()),
            _ => conditions.push(accesses),
        }
        conditions.extend(self.promised_at(touch, &[accesses, touches]));
        conditions.extend(self.reach(touch, array, 0));
        if let Some(place) = self.sites.states[site].as_ref().and_then(|state| state.place) {
            let watched = self.watched(site);
            let first = self.cell(touch, state, 0);
            let (place, distance) = (self.e().variable(place), self.e().subtract(watched, first));
            conditions.push(self.e().equal(place, distance));
        }
        if let Some(batch) = touch.event
            && let Some(state) = self.sites.states[site].as_ref().filter(|state| state.waited.is_some())
            && let Some(recorded) = state.event
        {
            let recorded = self.e().variable(recorded);
            conditions.push(self.e().equal(recorded, batch));
        }
        // A copy that ends later records other numbers then.
        if self.sites.states[site].as_ref().is_some_and(|state| state.waited.is_none()) {
            for (variable, number) in self.rounds_now(site) {
                let recorded = self.e().variable(variable);
                conditions.push(self.e().equal(recorded, number));
            }
        }
        conditions.extend(self.signals_at(site).into_iter().map(|(_, same)| same));
        let known = self.sites.states[site].as_mut().expect("declared");
        known.conditions = conditions;
        known.offset = Some(offset);
        known.active = Some(Copies::Each([accesses, other]));
    }

    /// The variables to record with a hit: those in its conditions (`pending`) that change in a
    /// loop around the site, and the loops' counters.
    fn recorded(&mut self, site: Site, mut pending: Vec<Expression>) -> Vec<Recorded> {
        let loops = self.program.sites[site].loops.clone();
        if loops.is_empty() {
            return Vec::new();
        }
        let of_tickets = self.tickets.recorded.get(&site).cloned().unwrap_or_default();
        let mut originals: Vec<Variable> = loops.iter().map(|&loop_| self.program.loops[loop_].counter).collect();
        let e = &self.program.expressions;
        let mut seen = 0;
        // The initial values of a loop's variables may mention those of the loops around it.
        while seen < pending.len() {
            let expression = pending[seen];
            seen += 1;
            let mut found = Vec::new();
            e.for_each_variable(expression, |variable| found.push(variable));
            found.sort_unstable();
            for variable in found {
                // Memory may change anywhere; every other variable changes where it is assigned.
                let changes = e.variables()[variable].role == Role::Contents
                    || self.homes[variable].is_some_and(|home| loops.contains(&home));
                if !changes || originals.contains(&variable) {
                    continue;
                }
                originals.push(variable);
                pending.extend(self.initial_value(variable));
            }
        }
        let mut recorded = of_tickets;
        originals.retain(|original| recorded.iter().all(|known| known.original != *original));
        for original in originals {
            let data = self.program.expressions.variables()[original].clone();
            let stem = data.name.split('$').next().unwrap_or(&data.name).to_owned();
            let name = format!("{stem}.at.{}$1", site.as_u32());
            let variable = self.e().add_variable(&name, data.sort, Some(0), Role::Recorded(site));
            recorded.push(Recorded { original, recorded: variable });
        }
        self.sites.states[site].as_mut().expect("declared").recorded.clone_from(&recorded);
        recorded
    }

    pub fn check(&mut self, site: Site, touch: &Touch, array: kernel::Array) {
        if self.options.only_log {
            return;
        }
        let state = self.arrays.get(array);
        let accesses = self.accesses(touch, array, 1);
        let touches = self.meets(touch, array, 1);
        let here = self.e().and([accesses, touches]);
        let loops = self.program.sites[site].loops.clone();
        // Among later sites, only those in a loop around this one can have been hit.
        let all = self.sites.compared.get(&self.program.sites[site].array);
        let others: Vec<Site> = match all {
            Some(all) if loops.is_empty() => all.range(..=site).copied().collect(),
            all => all.into_iter().flatten().copied().collect(),
        };
        let once = self.sites.share_hits && loops.is_empty();
        let stays = once && self.stays(here) && touch.value.is_none_or(|values| self.stays(values[1]));
        for other in others {
            let shares_loop = self.program.sites[other].loops.iter().any(|loop_| loops.contains(loop_));
            let conflict = self.sites_conflict(other, site);
            if conflict == Conflict::Never || (other > site && !shares_loop) {
                continue;
            }
            let hit = self.program.sites[other].hit;
            let hit = self.e().variable(hit);
            let mut race = vec![hit, here];
            if let Conflict::Unless { place, in_one_warp } = conflict {
                let mut excuse = Vec::new();
                if let Some(place) = place {
                    let (watched, first) = (self.watched(site), self.cell(touch, state, 1));
                    let mine = self.e().subtract(watched, first);
                    let theirs = self.e().variable(place);
                    excuse.push(self.e().equal(mine, theirs));
                }
                if in_one_warp {
                    excuse.push(self.threads.same_warp(&mut self.program.expressions));
                }
                let excused = self.e().and(excuse);
                race.push(self.e().not(excused));
            }
            if let Some(ordered) = self.ordered(other, touch.event.is_some()) {
                race.push(self.e().not(ordered));
            }
            if let Some(ordered) = self.ordered_by_signals(other, site, touch) {
                race.push(self.e().not(ordered));
            }
            let writes_one_value = !self.sites.values_written.get(&other).is_some_and(Option::is_none);
            if let (Some(written), Some(values)) = (self.program.sites[other].written, touch.value)
                && self.tolerates_equal_values(site, other)
                && writes_one_value
            {
                let mine = self.cell_of(values[1], touch, array, 1);
                let theirs = self.e().variable(written);
                let same = self.e().equal(mine, theirs);
                race.push(self.e().not(same));
                self.list(Assumed::SameValueWrites);
            }
            let race = self.e().and(race);
            let good = self.unless_late(other, site, race);
            if stays && !self.sites.asserted.insert(good) {
                continue;
            }
            self.sites.races += 1;
            if self.sites.races > MOST_RACES {
                return;
            }
            self.assert(good, ObligationKind::Race { logged: other, checked: site });
        }
    }

    /// The part of a write of `value` that goes into the watched cell.
    fn cell_of(&mut self, value: Expression, touch: &Touch, array: kernel::Array, thread: usize) -> Expression {
        let width = u32::try_from(8 * self.arrays.get(array).cell_bytes).expect("cells are small");
        let cells = self.e().width(value) / width;
        let mut result = self.e().extract(width - 1, 0, value);
        for cell in 1..cells {
            let here = self.is_cell(touch, array, thread, u64::from(cell));
            let part = self.e().extract((cell + 1) * width - 1, cell * width, value);
            result = self.e().if_then_else(here, part, result);
        }
        result
    }
}
