//! Notes about host code that was left out.

use lockstep_ir::source::{LeftOut, LeftOutPart};

use super::count;

/// A note for each part that was left out, and one about the consequences.
pub fn notes(left_out: &[LeftOut]) -> String {
    let mut lines: Vec<String> = left_out.iter().map(note).collect();
    if left_out.iter().any(|left| left.part != LeftOutPart::Header) {
        lines.push(
            "note: launches in host code that is left out are not seen, nor kernels that only it makes of templates"
                .to_owned(),
        );
    }
    lines.join("\n")
}

fn note(left: &LeftOut) -> String {
    let LeftOut { part, place, name, number, error } = left;
    let place = format!("note: {}:{}:", place.file, place.line);
    match part {
        LeftOutPart::Header => {
            format!("{place} {name} was not found and is taken to be empty (-I DIR and --allow-read DIR name folders)")
        }
        LeftOutPart::Statements => {
            let statements = count(*number, "statement");
            format!("{place} host function {name} is left out in part, {statements}: {error}")
        }
        LeftOutPart::Body => format!("{place} host function {name} is left out: {error}"),
        LeftOutPart::Declaration => format!("{place} host declaration {name} is left out: {error}"),
    }
}
