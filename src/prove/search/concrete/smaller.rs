//! Makes a counterexample smaller: fewer threads, smaller ids and parameters, earlier iterations.
//!
//! The first counterexample found is seldom the easiest to read. So the same assertion is tried on
//! smaller inputs: the first two threads of a launch as small as its open sizes allow, and smaller
//! parameters one by one. Each attempt executes the program. An execution that fails the assertion
//! and is smaller replaces the best one so far. Given sizes stay unchanged, and the preconditions
//! still hold. Effort is counted in steps, so the result is the same on every machine.

use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{Node, Pair, Program, Sort};
use lockstep_options::deadline::Deadline;
use rustc_hash::{FxHashMap, FxHashSet};

use super::compile::compile;
use super::inputs::{Knobs, Size, arbitrary, set_number};
use super::repair::Repair;
use super::tape::{Code, at};
use super::value::{Rule, Value};
use super::{Effort, Explored, Inputs, Search};
use crate::{ArrayContents, Counterexample};

/// The limits of the search.
const EFFORT: Effort =
    Effort { each: 100_000, variation: 100_000, share: 0, all: 1_000_000, variations: 0, scopes: 0, scope: 0 };

/// The maximum number of inputs tried.
const MOST_TRIES: usize = 60;

/// Parameters of at least this value are reduced before launches are.
const LARGE: u64 = 1 << 16;

/// The maximum number of parameters that are reduced.
const PARAMETERS: usize = 8;

/// A smaller execution that fails the same assertion, if one is found.
///
/// It depends on no more arbitrary values than the original.
pub fn smaller(program: &Program, counterexample: &Counterexample, deadline: Deadline) -> Option<Counterexample> {
    let code = compile(program, &[]).filter(|_| !deadline.passed())?;
    let knobs = Knobs::of(program);
    let (repair, left, tried) = (Repair::of(program, &code, &knobs), EFFORT.all, FxHashSet::default());
    let mut shrink = Shrink { program, code: &code, knobs: &knobs, repair, left, deadline, tries: 0, tried };
    let mut best = counterexample.clone();
    while let Some(found) = shrink.step(&best) {
        best = found;
    }
    best.hinges.clone_from(&counterexample.hinges);
    (size(&best) < size(counterexample)).then_some(best)
}

/// The counterexamples that satisfy the program's preconditions, with some numbers of the host.
///
/// Their sizes, ids, parameters and contents are checked.
pub fn only_possible(program: &Program, all: impl Iterator<Item = Counterexample>) -> Vec<Counterexample> {
    let Some(code) = compile(program, &[]) else { return Vec::new() };
    let (knobs, left, tried) = (Knobs::of(program), EFFORT.all, FxHashSet::default());
    let mut of_host = knobs.clone();
    of_host.parameters.clear();
    let repair = Repair::of(program, &code, &of_host);
    let deadline = Deadline::NEVER;
    let mut shrink = Shrink { program, code: &code, knobs: &knobs, repair, left, deadline, tries: 0, tried };
    all.filter(|shown| shrink.inputs(shown).is_some()).collect()
}

/// The size of a counterexample: threads of the launch, ids, parameters, iterations.
///
/// Sizes are compared lexicographically.
fn size(counterexample: &Counterexample) -> [u128; 4] {
    let product = |sizes: &[u64]| sizes.iter().fold(1, |all: u128, &size| all.saturating_mul(size.into()));
    let ids = counterexample.local_ids.iter().chain(&counterexample.group_ids).flatten();
    let parameters = counterexample.parameters.iter().map(|(_, bits)| u128::from(bits.to_u64().unwrap_or(u64::MAX)));
    let iterations = counterexample.iterations.iter().flatten().map(|(_, iteration)| u128::from(*iteration));
    [
        product(&counterexample.local_sizes).saturating_mul(product(&counterexample.num_groups)),
        ids.map(|&id| u128::from(id)).sum(),
        parameters.sum(),
        iterations.sum(),
    ]
}

struct Shrink<'a> {
    program: &'a Program,
    code: &'a Code,
    knobs: &'a Knobs,
    repair: Repair<'a>,
    left: u64,
    deadline: Deadline,
    tries: usize,
    /// The launches, ids and parameters already tried.
    tried: FxHashSet<Tried>,
}

/// The key of inputs that were tried: sizes, ids, parameters.
type Tried = ([Vec<u64>; 6], Vec<Bits>);

impl Shrink<'_> {
    /// The first execution on smaller inputs that fails the assertion.
    fn step(&mut self, best: &Counterexample) -> Option<Counterexample> {
        let mut changes = self.launches(best);
        // Launches count most, but a loop up to a large number may use up the whole effort. Such a
        // number may also have been chosen for these threads: a negative width lets rows overlap.
        let large = best.parameters.iter().enumerate().take(PARAMETERS).filter(|(_, (_, value))| is_large(value));
        let mut first = Vec::new();
        for (index, (_, value)) in large {
            for number in 0..3u32 {
                let mut change = best.clone();
                change.parameters[index].1 = Bits::new(value.width(), number);
                first.extend(self.launches(&change));
            }
        }
        let at = if first.is_empty() { changes.len() } else { 0 };
        changes.splice(at..at, first.into_iter().chain(parameters(best)));
        for change in changes {
            // Inputs that are no smaller are skipped.
            if size(&change) >= size(best) && (size(&change), &change.local_ids) != (size(best), &best.local_ids) {
                continue;
            }
            if self.tries >= MOST_TRIES || self.left == 0 || self.deadline.passed() {
                return None;
            }
            if !self.tried.insert(inputs_of(&change)) {
                continue;
            }
            self.tries += 1;
            let found = self.execute(&change);
            let is_better =
                |found: &Counterexample| size(found) < size(best) && found.unknowns.len() <= best.unknowns.len();
            if let Some(found) = found.filter(is_better) {
                return Some(found);
            }
        }
        None
    }

    /// Counterexamples in smaller launches, or with other threads.
    fn launches(&self, best: &Counterexample) -> Vec<Counterexample> {
        let mut all = Vec::new();
        // The first two threads, adjacent in one of the dimensions.
        let dimensions = match self.program.pair {
            Pair::SameGroup => best.local_sizes.len(),
            Pair::DifferentGroups => best.num_groups.len(),
            Pair::Alone | Pair::SameThread => 1,
        };
        for dimension in 0..dimensions {
            for second in [1, 0] {
                let mut change = best.clone();
                for ids in change.local_ids.iter_mut().chain(&mut change.group_ids) {
                    ids.fill(0);
                }
                let apart = match self.program.pair {
                    Pair::SameGroup => change.local_ids[second].get_mut(dimension),
                    Pair::DifferentGroups => change.group_ids[second].get_mut(dimension),
                    Pair::Alone | Pair::SameThread => None,
                };
                if let Some(id) = apart {
                    *id = 1;
                }
                self.fit(&mut change);
                all.push(change);
            }
        }
        // The same threads shifted to the origin at an unchanged distance, and unshifted.
        let mut nearer = best.clone();
        for ids in [&mut nearer.local_ids, &mut nearer.group_ids] {
            let [first, second] = ids;
            for (first, second) in first.iter_mut().zip(second) {
                let both = (*first).min(*second);
                (*first, *second) = (*first - both, *second - both);
            }
        }
        for mut change in [nearer, best.clone()] {
            self.fit(&mut change);
            all.push(change);
        }
        all
    }

    /// Makes open sizes just large enough.
    fn fit(&self, change: &mut Counterexample) {
        let fitted = |sizes: &mut Vec<u64>, open: &[Size], ids: &[Vec<u64>; 2]| {
            for (dimension, size) in sizes.iter_mut().enumerate() {
                if let Some(Size::Open(_)) = open.get(dimension) {
                    let last = ids.iter().filter_map(|ids| ids.get(dimension)).max().copied().unwrap_or(0);
                    *size = last.saturating_add(1);
                }
            }
        };
        fitted(&mut change.local_sizes, &self.knobs.local_sizes, &change.local_ids);
        fitted(&mut change.num_groups, &self.knobs.num_groups, &change.group_ids);
    }

    /// Executes the program on these inputs.
    fn execute(&mut self, change: &Counterexample) -> Option<Counterexample> {
        let inputs = self.inputs(change)?;
        let mut search = Search {
            program: self.program,
            code: self.code,
            effort: EFFORT,
            left: self.left,
            deadline: self.deadline,
            is_late: false,
            out: Explored::default(),
            origins: FxHashMap::default(),
            latest: Vec::new(),
            exhausted: false,
        };
        search.execute(&inputs, 0);
        self.left = search.left;
        search.out.defects.into_iter().find(|found| found.obligation == change.obligation)
    }

    /// The inputs that a counterexample describes, or like these: the preconditions hold.
    fn inputs(&mut self, shown: &Counterexample) -> Option<Inputs> {
        let program = self.program;
        let mut inputs = arbitrary(program, Rule { seed: 0, bits: 0 });
        let mut set = |expression, value: &Bits| {
            if let Node::Variable(variable) = *program.expressions.node(expression) {
                inputs[at(variable)] = Value::of(value.clone());
            }
        };
        let observables = &program.observables;
        for ((_, parameter), (_, value)) in observables.parameters.iter().zip(&shown.parameters) {
            set(*parameter, value);
        }
        for (knobs, sizes) in
            [(&self.knobs.local_sizes, &shown.local_sizes), (&self.knobs.num_groups, &shown.num_groups)]
        {
            for (knob, &size) in knobs.iter().zip(sizes) {
                if let Size::Open(variable) = *knob {
                    set_number(program, &mut inputs, variable, size);
                }
            }
        }
        for (knobs, ids) in [(&self.knobs.local_ids, &shown.local_ids), (&self.knobs.group_ids, &shown.group_ids)] {
            for (dimension, knobs) in knobs.iter().enumerate() {
                for (knob, ids) in knobs.iter().zip(ids) {
                    if let (Some(variable), Some(&id)) = (*knob, ids.get(dimension)) {
                        set_number(program, &mut inputs, variable, id);
                    }
                }
            }
        }
        for (variable, data) in program.expressions.variables() {
            let of_array = ArrayContents::of_variable(program, variable);
            let contents = of_array.and_then(|array| shown.contents.iter().find(|known| known.array == array.array));
            if let (Some(contents), Sort::Map { index, element }) = (contents, data.sort) {
                let mut map = inputs[at(variable)].clone();
                for &(cell, value) in contents.cells.iter().filter(|(_, value)| *value != 0) {
                    map = map.store(Bits::new(index, cell), Bits::new(element, value));
                }
                inputs[at(variable)] = map;
            }
        }
        self.knobs.multiply(program, &mut inputs);
        self.repair.repaired(inputs, &[])
    }
}

fn is_large(value: &Bits) -> bool {
    value.to_u64().is_none_or(|number| number >= LARGE)
}

fn inputs_of(shown: &Counterexample) -> Tried {
    let Counterexample { local_sizes, num_groups, local_ids, group_ids, .. } = shown;
    let ([first, second], [one, other]) = (local_ids.clone(), group_ids.clone());
    let parameters = shown.parameters.iter().map(|(_, value)| value.clone());
    ([local_sizes.clone(), num_groups.clone(), first, second, one, other], parameters.collect())
}

/// The same counterexample with one parameter reduced.
///
/// Small numbers come first, and then larger ones. A number of elements may have to exceed a
/// constant, and a loop up to a large number takes long to run.
fn parameters(best: &Counterexample) -> Vec<Counterexample> {
    let mut all = Vec::new();
    for (index, (_, value)) in best.parameters.iter().enumerate().take(PARAMETERS) {
        let Some(now) = value.to_u64() else { continue };
        let powers = (2..32).map(|exponent| 1 << (2 * exponent));
        let tried = (0..5).chain(powers).take_while(|&number| number < now / 2);
        let tried = tried.chain([now / 2, now - now / 4, now.saturating_sub(1)]);
        for number in tried.filter(|&number| number < now) {
            let mut change = best.clone();
            change.parameters[index].1 = Bits::new(value.width(), number);
            all.push(change);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use lockstep_ir::kernel::{parse, verify};

    use super::*;
    use crate::{Outcome, ProveOptions, prove};
    use lockstep_options::launch::{Extent, LaunchRequest};
    use lockstep_transform::lockstep::{LockstepOptions, lower};

    /// An unnecessarily large counterexample, and its reduction.
    ///
    /// The threads write `n` bytes apart.
    fn large_and_small(local_size: Extent) -> (Counterexample, Counterexample) {
        let text = "kernel \"k\" opencl pointers 64
            arr0 = global parameter \"out\"
            parameter \"out\" pointer arr0
            parameter \"n\" scalar bv64
            entry block0

            block0:
                v0: bv64 = query local_id 0
                v1: bv64 = parameter 1
                v2: bv64 = constant 8bv64
                v3: bv64 = unsigned_divide v0, v2
                v4: bv64 = multiply v3, v1
                v5: pointer(global) = array_base arr0
                v6: pointer(global) = pointer_add v5, v4
                v7: bv8 = truncate v0
                store v6 align 1, v7
                return";
        let kernel = verify(parse(text).expect("a kernel")).expect("a kernel that keeps the rules");
        let request = LaunchRequest {
            local_size: Some(vec![local_size]),
            num_groups: Some(vec![Extent::Known(1)]),
            ..LaunchRequest::default()
        };
        let launch = request.resolve(&kernel).expect("a launch").launch;
        let options = LockstepOptions::default();
        let program = lower(&kernel, &launch, Pair::SameGroup, &options).expect("a program").expect("two threads");
        let Outcome::Refuted(found) = prove(&program, &ProveOptions::default()).outcome else {
            panic!("there is a race")
        };
        let mut large = found[0].clone();
        large.local_ids = [vec![20, 0, 0], vec![21, 0, 0]];
        large.local_sizes = vec![64, 1, 1];
        large.parameters[0].1 = Bits::new(64, 1000u32);
        let small = smaller(&program, &large, Deadline::NEVER).expect("a smaller one");
        (large, small)
    }

    #[test]
    fn open_sizes_ids_and_parameters_get_small() {
        let (large, small) = large_and_small(Extent::Open);
        assert_eq!(small.obligation, large.obligation);
        assert_eq!((&small.local_sizes[..], small.parameters[0].1.to_u64()), (&[2, 1, 1][..], Some(0)));
        let mut ids = small.local_ids.concat();
        ids.sort_unstable();
        assert_eq!(ids, [0, 0, 0, 0, 0, 1]);
    }

    #[test]
    fn sizes_that_are_given_stay() {
        let (_, small) = large_and_small(Extent::Known(64));
        assert_eq!(small.local_sizes, [64, 1, 1]);
        assert_eq!(small.local_ids.concat().iter().sum::<u64>(), 1);
    }
}
