//! The failing execution behind a finding, in the words of the source.

use indexmap::IndexMap;
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::Language;
use lockstep_ir::sequential::{Loop, Pair, Program};
use lockstep_ir::source::Location;
use lockstep_prove::{Counterexample, Execution, unknown_value};
use lockstep_verdict::act::Act;
use lockstep_verdict::hinge::Hinge;
use lockstep_verdict::{AccessShown, Finding, Frame, LoopIteration};

use super::race;

/// The maximum number of unknown values that a finding names.
const NAMED: usize = 3;

/// A counterexample with its program.
pub struct Run<'a> {
    /// The program.
    pub program: &'a Program,
    /// The failing execution of the program.
    pub counterexample: &'a Counterexample,
    /// The kernel's language.
    pub language: Language,
}

impl<'a> Run<'a> {
    /// The execution over which its expressions are evaluated.
    pub fn execution(&self) -> Execution<'a> {
        Execution { program: self.program, counterexample: self.counterexample, language: self.language }
    }
    /// A finding of this kind, filled in except for the parts that depend on the kind. It has no
    /// accesses yet.
    pub fn finding(&self, code: &'static str, kind: &'static str) -> Finding {
        Finding {
            hinges: self.hinges(),
            parameters: self.parameters(),
            block: self.counterexample.local_sizes.clone(),
            grid: self.counterexample.num_groups.clone(),
            ..Finding::new(code, kind)
        }
    }

    /// A finding about an action of one thread or both, at the place of the obligation.
    pub fn finding_at_obligation(
        &self,
        code: &'static str,
        kind: &'static str,
        threads: &[usize],
        act: Act,
    ) -> Finding {
        let location = self.program.obligations[self.counterexample.obligation].location;
        let accesses = threads.iter().map(|&thread| self.access(thread, location, act)).collect();
        Finding { accesses, ..self.finding(code, kind) }
    }

    /// Whether the threads are of one group.
    pub fn scope(&self) -> &'static str {
        match self.program.pair {
            Pair::SameGroup | Pair::Alone | Pair::SameThread => race::WITHIN_GROUP,
            Pair::DifferentGroups => race::BETWEEN_GROUPS,
        }
    }

    /// The access or position of thread `thread` at a place.
    pub fn access(&self, thread: usize, location: Option<Location>, act: Act) -> AccessShown {
        let (file, line, column) = self.position(location);
        AccessShown {
            file,
            line,
            column,
            act,
            block: self.counterexample.group_ids[thread].clone(),
            thread: self.counterexample.local_ids[thread].clone(),
            loops: self.counterexample.iterations[thread].iter().map(|&(loop_, n)| self.iteration(loop_, n)).collect(),
            stack: self.stack(location),
            arithmetic: String::new(),
        }
    }

    fn iteration(&self, loop_: Loop, iteration: u64) -> LoopIteration {
        let location = self.program.loops[loop_].location;
        let (file, line, _) = self.position(location);
        LoopIteration { file, line, iteration, calls: self.stack(location).len() }
    }

    fn position(&self, location: Option<Location>) -> (String, u32, u32) {
        location.map_or((String::new(), 0, 0), |location| {
            let data = &self.program.locations[location];
            (self.program.files[data.file].clone(), data.line, data.column)
        })
    }

    /// The calls a place was inlined through, innermost first.
    fn stack(&self, location: Option<Location>) -> Vec<Frame> {
        let mut frames = Vec::new();
        let mut inner = location;
        while let Some(place) = inner {
            let data = &self.program.locations[place];
            if let Some(call) = data.inlined_at {
                let (file, line, column) = self.position(Some(call));
                frames.push(Frame { function: data.function.clone(), file, line, column });
            }
            inner = data.inlined_at;
        }
        frames
    }

    fn parameters(&self) -> IndexMap<String, String> {
        self.counterexample.parameters.iter().map(|(name, bits)| (name.clone(), number(bits))).collect()
    }

    /// The facts that the finding hinges on: unknown values, parameters, and the absence of a
    /// replay.
    fn hinges(&self) -> Vec<Hinge> {
        let mut hinges: Vec<Hinge> = Vec::new();
        for (unknown, location) in &self.counterexample.unknowns {
            let hinge = unknown_value(self.program, unknown, *location);
            hinges.extend(hinge.filter(|hinge| !hinges.contains(hinge)));
        }
        if hinges.len() > NAMED {
            let more = hinges.len() - NAMED;
            hinges.truncate(NAMED);
            hinges.push(Hinge::MoreValues(more));
        }
        hinges.extend(self.parameters_it_hinges_on());
        hinges.push(Hinge::NotReplayed);
        hinges
    }

    fn parameters_it_hinges_on(&self) -> impl Iterator<Item = Hinge> {
        let parameters = self.counterexample.parameters.iter();
        let hinging = parameters.filter(|(name, _)| self.counterexample.hinges.contains(name));
        hinging.map(|(name, bits)| Hinge::Parameter { name: name.clone(), value: number(bits) })
    }
}

/// A number as the source might mean it; also as a signed number where the two differ.
pub fn number(bits: &Bits) -> String {
    if bits.width() > 1 && bits.sign() {
        format!("{} ({} if signed)", bits.unsigned(), bits.signed())
    } else {
        bits.unsigned().to_string()
    }
}
