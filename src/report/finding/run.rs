//! The failing execution behind a finding, in the words of the source.

use indexmap::IndexMap;
use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{Loop, Pair, Program};
use lockstep_ir::source::Location;

use super::race;
use crate::prove::{Counterexample, unknown_in_words};
use crate::verdict::{AccessShown, Finding, Frame, LoopIteration};

/// What a finding hinges on as long as nothing has run it.
pub const NOT_REPLAYED: &str = "not replayed";

/// The most unknown values that a finding is said to hinge on.
const NAMED: usize = 3;

/// A counterexample with its program.
pub struct Run<'a> {
    /// The program.
    pub program: &'a Program,
    /// The execution of it that fails.
    pub counterexample: &'a Counterexample,
}

impl Run<'_> {
    /// A finding of this kind with what does not depend on the kind. No access is in it yet.
    pub fn finding(&self, code: &'static str, kind: &'static str) -> Finding {
        Finding {
            code,
            kind,
            subkind: None,
            scope: None,
            confirmed: false,
            is_warning: true,
            because: Some(self.because()),
            hinges: self.hinges(),
            witness: None,
            array: None,
            offset_bytes: None,
            place: None,
            accesses: Vec::new(),
            parameters: self.parameters(),
            block: self.counterexample.local_sizes.clone(),
            grid: self.counterexample.num_groups.clone(),
            fingerprint: String::new(),
            picture: None,
        }
    }

    /// The same for something that one thread does, or both, where the obligation stands.
    pub fn finding_at_obligation(
        &self,
        code: &'static str,
        kind: &'static str,
        threads: &[usize],
        access: &str,
    ) -> Finding {
        let location = self.program.obligations[self.counterexample.obligation].location;
        let accesses = threads.iter().map(|&thread| self.access(thread, location, access)).collect();
        Finding { accesses, ..self.finding(code, kind) }
    }

    /// Whether the threads are of one group.
    pub fn scope(&self) -> &'static str {
        match self.program.pair {
            Pair::SameGroup | Pair::Alone => race::WITHIN_GROUP,
            Pair::DifferentGroups => race::BETWEEN_GROUPS,
        }
    }

    /// What thread `thread` does at a place.
    pub fn access(&self, thread: usize, location: Option<Location>, access: &str) -> AccessShown {
        let (file, line, column) = self.position(location);
        AccessShown {
            file,
            line,
            column,
            access: access.to_owned(),
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

    /// What the finding hinges on: it was not replayed, and may rest on values that are not known.
    fn because(&self) -> String {
        let mut reasons: Vec<String> = Vec::new();
        for (unknown, location) in &self.counterexample.unknowns {
            if let Some(reason) = unknown_in_words(self.program, unknown, *location)
                && !reasons.contains(&reason)
            {
                reasons.push(reason);
            }
        }
        if reasons.len() > NAMED {
            let more = reasons.len() - NAMED;
            reasons.truncate(NAMED);
            reasons.push(format!("{more} more values are unknown"));
        }
        reasons.extend(self.hinges());
        reasons.push(NOT_REPLAYED.into());
        reasons.join("; ")
    }

    /// The parameters that it hinges on.
    fn hinges(&self) -> Vec<String> {
        let parameters = self.counterexample.parameters.iter();
        let hinging = parameters.filter(|(name, _)| self.counterexample.hinges.contains(name));
        hinging.map(|(name, bits)| format!("it hinges on the parameter {name}, here {}", number(bits))).collect()
    }
}

/// A number as the source might mean it: also as a signed one where that differs.
pub fn number(bits: &Bits) -> String {
    if bits.width() > 1 && bits.sign() {
        format!("{} ({} if signed)", bits.unsigned(), bits.signed())
    } else {
        bits.unsigned().to_string()
    }
}
