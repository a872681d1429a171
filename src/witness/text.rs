//! The texts of a witness: `run.sh` and `WITNESS.md`.

use std::fmt::Write as _;

use crate::printable;
use crate::report::{self, Colour, Document, Format};
use crate::verdict::{Finding, KernelReport};
use crate::version;

/// The script that runs the witness again, by `$LOCKSTEP` or by `lockstep` on the path.
pub fn script(line: &str, rest: &[String]) -> String {
    let rest: String = rest.iter().fold(String::new(), |text, word| text + " \\\n    " + word);
    format!(
        "#!/bin/sh\n# Runs what WITNESS.md tells about. The exit status is 1 if it goes wrong as it should.\ncd \"$(dirname \
         \"$0\")\" || exit 3\nexec \"${{LOCKSTEP:-lockstep}}\" {line}{rest} \"$@\"\n"
    )
}

/// The contents of `WITNESS.md`.
pub struct Story<'a> {
    /// The report on the kernel.
    pub report: &'a KernelReport,
    /// The finding.
    pub finding: &'a Finding,
    /// The first words of the command line after `lockstep`.
    pub line: &'a str,
    /// Its flags.
    pub rest: &'a [String],
    /// The reason why there is no host program, if there is none.
    pub no_host: Option<String>,
    /// The report of the run.
    pub told: String,
}

impl Story<'_> {
    /// The text. `happened` tells whether the run of the whole launch had the finding.
    pub fn text(&self, happened: bool) -> anyhow::Result<String> {
        let finding = self.finding;
        let only_this = KernelReport { findings: vec![finding.clone()], ..self.report.clone() };
        let reports = [only_this];
        let document = Document {
            tool: &version::tool(),
            reports: &reports,
            errors: &[],
            diagnostics: &[],
            left_out: &[],
            comparison: None,
            command: &[],
            configurations: &[],
        };
        let shown = report::render(Format::Text, &document, Colour::Never)?;
        let shown = shown.split("\n\n").next().unwrap_or_default();
        let mut text = String::new();
        writeln!(text, "# {} in `{}`: {}\n", finding.kind, self.report.name.replace('`', "'"), finding.code)?;
        writeln!(text, "```\n{}\n```\n", inside_fence(shown.trim_end()))?;
        let words: String = self.rest.iter().fold(self.line.to_owned(), |all, word| all + " " + word);
        writeln!(
            text,
            "## Running it again\n\n`sh run.sh` (with `LOCKSTEP=/path/to/lockstep` where it is not on the path), which is\n"
        )?;
        writeln!(text, "```\nlockstep {}\n```\n", inside_fence(&words))?;
        text.push_str(if happened {
            "It ends with status 1 and says, besides the time:\n\n"
        } else {
            "It said when this was written (the finding came of a run of the two groups alone, and this one does not show it):\n\n"
        });
        writeln!(text, "```\n{}\n```\n", inside_fence(without_cost(&self.told)))?;
        match &self.no_host {
            Some(why) => writeln!(text, "There is no host program: {why}.")?,
            None => text.push_str(&host(finding)),
        }
        Ok(printable::lines(&text).into_owned())
    }
}

/// Text that cannot end a Markdown fence around it.
fn inside_fence(text: &str) -> String {
    text.replace("```", "'''")
}

/// The text of a run without its last line, which differs each time.
fn without_cost(told: &str) -> &str {
    let told = told.trim_end();
    told.rsplit_once('\n').map_or(told, |(before, _)| before)
}

/// The use of the host program, and its expected result.
fn host(finding: &Finding) -> String {
    let expected = match finding.kind {
        "race" => {
            "Which of the two accesses comes first on a device nobody says: what is printed of the arrays that race may differ from \
             what is above, and from one run to the next; the others are the same."
        }
        "barrier-divergence" | "group-operation-divergence" => {
            "Threads that wait at a barrier to which others never come may wait for ever: the program gives up after a minute \
             (`--timeout SECONDS`), with status 124. What a device does with this is undefined; 125 says that it broke off."
        }
        _ => "What a device does with this is undefined: it may go on, or break off (status 125).",
    };
    format!(
        "## On a device\n\n`host.c` runs it on the first OpenCL device, such as PoCL's (Debian: `apt install pocl-opencl-icd \
         ocl-icd-opencl-dev`):\n\n```\ncc -std=c99 host.c -o host -lOpenCL && ./host\n```\n\nIt prints the arrays as `lockstep run` does. \
         {expected}\n"
    )
}
