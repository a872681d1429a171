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
//! default, a launch has 64 threads in each of 2 groups.
//!
//! Each file has a kernel and twins, and the analysis must not find the same facts about all.
//! `LOCKSTEP_TEST_BLESS=write` rewrites the files.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Display, Write as _};
use std::path::Path;

use crate::Group;
use crate::filetests::read_launch;
use crate::harness::{Failure, ensure, ensure_blessed};

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
    let sections = sections(text);
    ensure(sections.len() > 1, || "a kernel has no twin".to_owned())?;
    let mut blessed = sections[0].comments.concat();
    let mut found = BTreeSet::new();
    for (index, section) in sections.iter().enumerate() {
        if index > 0 {
            let _ = write!(blessed, "\n{}", section.comments.concat());
        }
        let name = section.code.lines().next().unwrap_or_default();
        let (facts, annotated) =
            annotated(section, &sections[0], analysis).map_err(|failure| format!("{name}: {failure}"))?;
        found.insert(facts);
        let blank = if index == 0 && !blessed.is_empty() { "\n" } else { "" };
        let _ = write!(blessed, "{blank}{annotated}");
    }
    ensure(found.len() > 1, || "the facts about all kernels are the same".to_owned())?;
    ensure_blessed(path, text, &blessed)
}

/// A kernel of a file, and the comments in front of it, each with the end of its line.
#[derive(Default)]
struct Section<'a> {
    comments: Vec<String>,
    code: String,
    launch: Option<&'a str>,
}

/// The kernels of a file, without the facts.
fn sections(text: &str) -> Vec<Section<'_>> {
    let mut sections = vec![Section::default()];
    for line in text.lines().filter(|line| !line.starts_with("//+")) {
        let section = sections.last_mut().expect("there is one");
        if line.starts_with("//") && !section.code.is_empty() {
            sections.push(Section::default());
        }
        let begins = line.starts_with("kernel ") && sections.last().is_some_and(|last| !last.code.is_empty());
        if begins {
            sections.push(Section::default());
        }
        let section = sections.last_mut().expect("there is one");
        if line.starts_with("//") {
            section.launch = section.launch.or(line.strip_prefix("// launch: "));
            section.comments.push(format!("{line}\n"));
        } else if !(line.is_empty() && section.code.is_empty()) {
            let code = line.split(" //").next().unwrap_or_default();
            section.code.push_str(code.trim_end());
            section.code.push('\n');
        }
    }
    sections
}

/// The facts about a kernel in one text, and the kernel with the facts in it.
fn annotated(section: &Section<'_>, first: &Section<'_>, analysis: &str) -> Result<(String, String), Failure> {
    let kernel = kernel::verify(kernel::parse(&section.code)?).map_err(|problems| format!("{problems:?}"))?;
    let launch = read_launch(section.launch.or(first.launch).unwrap_or("64 threads, 2 groups"))?;
    let (analysed, structure) = Structure::of(&kernel)?;
    let mut facts = Facts::default();
    crate::facts::find(analysis, &Subject { kernel: analysed, structure, launch }, &mut facts)?;
    let told = facts.0.iter().map(|(entity, facts)| format!("{entity}: {}", facts.join("; "))).collect::<Vec<_>>();
    Ok((told.join("\n"), beside(&kernel, &mut facts)))
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
