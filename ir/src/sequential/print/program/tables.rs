//! Prints the tables behind a program's body: sites, obligations, observables, places in the
//! source.

use std::fmt::Write as _;

use cranelift_entity::EntityRef;

use super::super::keywords::{access_text, element_text, thread_text};
use super::super::names::Usable;
use super::super::quoted;
use super::Printer;
use crate::sequential::{Copies, ObligationKind};

impl Printer<'_> {
    pub(super) fn sites(&mut self) {
        let program = self.program;
        for (site, data) in &program.sites {
            self.blank();
            if let Some(array) = program.arrays.get(data.array) {
                let name = array.name.replace(['\n', '\r'], " ");
                self.line(&format!("// {} of {name}{}", access_text(data.kind), self.line_of(data.location)));
            }
            let mut roots: Vec<_> = data.offset.iter().chain(data.active.iter()).copied().collect();
            roots.extend(&data.facts);
            let item = self.item(&roots);
            let offset = self.copies(&item, &data.offset, false);
            let active = self.copies(&item, &data.active, true);
            let mut header = format!(
                "site {site} {}{} {} hit {} at {offset} when {active}",
                access_text(data.kind),
                if data.volatile { " volatile" } else { "" },
                data.array,
                self.name(data.hit)
            );
            if !data.loops.is_empty() {
                let loops: Vec<_> = data.loops.iter().map(ToString::to_string).collect();
                let _ = write!(header, " in {}", loops.join(", "));
            }
            self.line(&format!("{header} {{{}", self.at(data.location)));
            self.indent += 1;
            if let Some(written) = data.written {
                let line = format!("written {};", self.name(written));
                self.line(&line);
            }
            for recorded in &data.recorded {
                let line = format!("recorded {} = {};", self.name(recorded.recorded), self.name(recorded.original));
                self.line(&line);
            }
            for &fact in &data.facts {
                let line = format!("fact {};", self.render(&item, fact, true));
                self.line(&line);
            }
            self.indent -= 1;
            self.line("}");
        }
    }

    pub(super) fn obligations(&mut self) {
        let program = self.program;
        if !program.obligations.is_empty() {
            self.blank();
        }
        for (obligation, data) in &program.obligations {
            let kind = match &data.kind {
                ObligationKind::Race { logged, checked } => format!("race {logged}, {checked}"),
                ObligationKind::BarrierDivergence { active } => {
                    let roots: Vec<_> = active.iter().copied().collect();
                    let item = self.item(&roots);
                    format!("barrier-divergence {}", self.copies(&item, active, true))
                }
                ObligationKind::GroupOperationDivergence => "group-operation-divergence".into(),
                ObligationKind::WarpDivergence { active } => {
                    let roots: Vec<_> = active.iter().copied().collect();
                    let item = self.item(&roots);
                    format!("warp-divergence {}", self.copies(&item, active, true))
                }
                ObligationKind::Claim { claim, thread } => format!("{} {}", claim.word(), thread_text(*thread)),
                ObligationKind::NamedBarrier(rule) => format!("named-barrier {}", rule.word()),
                ObligationKind::Signal(rule) => format!("signal {}", rule.word()),
                ObligationKind::Digits { array } => format!("digits {}", quoted(array)),
                ObligationKind::OutOfBounds { array, cells, cell_bytes, cell, thread, element } => {
                    let item = self.item(&[*cell]);
                    let (array, cell) = (quoted(array), self.render(&item, *cell, false));
                    let (thread, element) = (thread_text(*thread), element_text(element.as_ref()));
                    let cells = cells.map_or_else(|| "open".to_owned(), |cells| cells.to_string());
                    format!("out-of-bounds {array} of {cells} cells of {cell_bytes} bytes at {cell}, {thread}{element}")
                }
                ObligationKind::InvariantEntry => "invariant-entry".into(),
                ObligationKind::InvariantStep => "invariant-step".into(),
            };
            self.line(&format!("obligation {obligation} {kind};{}", self.at(data.location)));
        }
    }

    pub(super) fn observables(&mut self) {
        self.names.usable = Usable::Nothing;
        let observables = &self.program.observables;
        self.blank();
        let mut all = Vec::new();
        for id in &observables.local_ids {
            all.push(("local-id".to_owned(), *id));
        }
        for id in &observables.group_ids {
            all.push(("group-id".to_owned(), *id));
        }
        for &size in &observables.local_sizes {
            all.push(("local-size".to_owned(), Copies::Uniform(size)));
        }
        for &number in &observables.num_groups {
            all.push(("num-groups".to_owned(), Copies::Uniform(number)));
        }
        for start in &observables.group_starts {
            all.push(("group-start".to_owned(), *start));
        }
        for &size in &observables.global_sizes {
            all.push(("global-size".to_owned(), Copies::Uniform(size)));
        }
        for (name, value) in &observables.parameters {
            all.push((format!("parameter {}", quoted(name)), Copies::Uniform(*value)));
        }
        for (name, value) in &observables.host {
            all.push((format!("host {}", quoted(name)), Copies::Uniform(*value)));
        }
        for (what, value) in all {
            let roots: Vec<_> = value.iter().copied().collect();
            let item = self.item(&roots);
            let line = format!("observe {what} = {};", self.copies(&item, &value, false));
            self.line(&line);
        }
    }

    pub(super) fn places(&mut self) {
        let program = self.program;
        if !program.files.is_empty() {
            self.blank();
        }
        for (file, name) in &program.files {
            self.line(&format!("file {} {};", file.index(), quoted(name)));
        }
        for (location, data) in &program.locations {
            let mut line =
                format!("location {} = file {}:{}:{}", location.index(), data.file.index(), data.line, data.column);
            if !data.function.is_empty() {
                let _ = write!(line, " in {}", quoted(&data.function));
            }
            if let Some(call) = data.inlined_at {
                let _ = write!(line, " inlined @{}", call.index());
            }
            self.line(&format!("{line};"));
        }
    }
}
