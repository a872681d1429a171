//! The analyses of kernels: each file of `tests/analyses/ANALYSIS/` has kernels in the kernel IR's
//! text, and beside them the facts that this analysis finds.
//!
//! ```text
//! // Ids differ between threads, and so does whatever is computed from them.
//! // launch: 64 threads, 2 groups
//!
//! kernel "ids" opencl pointers 64
//! entry block0
//!
//! block0:                                  // uniform
//!     v0: bv64 = query local_id 0          // divergent
//!     return
//! ```
//!
//! A comment behind code is a fact about the value, access, block or array that the line declares.
//! The analysed kernel may have more values and blocks than the text. A line that begins with `//+`
//! has the facts about one of those. All other comments are for readers, except `// launch: `. By
//! default, a launch has 64 threads in each of 2 groups. The file `twins.rs` says more on the
//! format.

use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};
use std::path::Path;

use crate::Group;
use crate::filetests::read_launch;
use crate::harness::Failure;
use crate::twins::{Annotated, Section, check_twins};

use lockstep::analysis::structure::Structure;
use lockstep::launch::Launch;
use lockstep_ir::kernel::{self, Definition, Kernel, Value};

/// The column of facts, if the code is no wider.
const COLUMN: usize = 56;

/// Facts by the entity that they are about, in the order in which they were found.
#[derive(Default)]
pub struct Facts(BTreeMap<String, Vec<String>>);

impl Facts {
    /// States a fact about an entity.
    pub fn state(&mut self, entity: impl Display, fact: impl Display) {
        self.0.entry(entity.to_string()).or_default().push(fact.to_string());
    }

    /// Whether there is a fact about an entity.
    pub fn has(&self, entity: impl Display) -> bool {
        self.0.contains_key(&entity.to_string())
    }

    /// The facts about an entity, which then count as told.
    fn take(&mut self, entity: impl Display) -> Option<String> {
        Some(self.0.remove(&entity.to_string())?.join("; "))
    }
}

/// A kernel in the form that analyses require.
pub struct Subject {
    /// The kernel.
    pub kernel: Kernel,
    /// Its shape.
    pub structure: Structure,
    /// The launch.
    pub launch: Launch,
}

fn facts_are_as_stated(path: &Path, text: &str) -> Result<(), Failure> {
    let analysis = path.parent().and_then(Path::file_name).and_then(|name| name.to_str()).unwrap_or_default();
    check_twins(path, text, "kernel", |section, first| annotated(section, first, analysis))
}

fn annotated(section: &Section, first: &Section, analysis: &str) -> Result<Annotated, Failure> {
    let kernel = kernel::verify(kernel::parse(&section.code)?).map_err(|problems| format!("{problems:?}"))?;
    let launch = [section, first].into_iter().find_map(|section| section.option("launch: "));
    let launch = read_launch(launch.unwrap_or("64 threads, 2 groups"))?;
    let (analysed, structure) = Structure::of(&kernel)?;
    let mut facts = Facts::default();
    crate::facts::find(analysis, &Subject { kernel: analysed, structure, launch }, &mut facts)?;
    let findings = facts.0.iter().map(|(entity, facts)| format!("{entity}: {}", facts.join("; "))).collect::<Vec<_>>();
    Ok(Annotated { findings: findings.join("\n"), text: beside(&kernel, &mut facts) })
}

/// The kernel's text with facts behind its lines.
fn beside(kernel: &Kernel, facts: &mut Facts) -> String {
    let text = kernel::print(kernel);
    let (mut annotated, mut block, mut position) = (String::new(), kernel.entry, 0);
    for line in text.lines() {
        let word = line.trim_start().split([' ', ':', '(']).next().unwrap_or_default();
        let mut told: Vec<String> = Vec::new();
        if word == "kernel" {
            told.extend(facts.take("kernel"));
        } else if line.ends_with(':') {
            block = kernel.blocks.keys().find(|block| block.to_string() == word).expect("a block of the kernel");
            position = 0;
            told.extend(facts.take(block));
            let parameters = kernel.blocks[block].parameters.iter();
            told.extend(parameters.filter_map(|parameter| Some(format!("{parameter}: {}", facts.take(parameter)?))));
        } else if line.starts_with("    ") {
            if let Some(&instruction) = kernel.blocks[block].instructions.get(position) {
                let result = kernel.instructions[instruction].result;
                told.extend(facts.take(instruction));
                told.extend(result.and_then(|result| facts.take(result)));
            }
            position += 1;
        } else if !word.is_empty() {
            told.extend(facts.take(word));
        }
        annotated.push_str(line);
        if !told.is_empty() {
            let columns = line.chars().count();
            let _ = write!(annotated, "{:1$} // {2}", "", COLUMN.saturating_sub(columns + 1), told.join("; "));
        }
        annotated.push('\n');
    }
    let others: Vec<String> = facts.0.keys().cloned().collect();
    for entity in others {
        let _ = writeln!(annotated, "//+ {entity}: {}", facts.take(&entity).unwrap_or_default());
    }
    annotated
}

/// All values of a kernel that its blocks define, block by block.
pub fn values(subject: &Subject) -> Vec<Value> {
    let at = |value: &Value| match subject.kernel.values[*value].definition {
        Definition::Parameter(block, _) => subject.structure.order.contains(&block),
        Definition::Result(_) => true,
    };
    subject.kernel.values.keys().filter(at).collect()
}

/// The tests, and the files of each.
pub fn groups() -> Vec<Group> {
    vec![Group::new(facts_are_as_stated, "tests/analyses", r"\.txt$")]
}
