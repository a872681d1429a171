//! Reads the tables behind a program's body: sites, obligations, observables.

use super::{Parsed, Parser};
use crate::sequential::{
    AccessKind, BarrierRule, Claim, Copies, Obligation, ObligationData, ObligationKind, Recorded, SignalRule, Site,
    SiteData, Sort,
};

impl Parser {
    pub(super) fn site(&mut self) -> Parsed<()> {
        let next: Site = self.program.sites.next_key();
        self.next_entity("site", next)?;
        let kind = match self.words()?.as_str() {
            "read" => AccessKind::Read,
            "write" => AccessKind::Write,
            "atomic" => AccessKind::Atomic,
            "async-read" => AccessKind::AsyncRead,
            "async-write" => AccessKind::AsyncWrite,
            other => return self.error(format!("`{other}` is no kind of access")),
        };
        let volatile = self.accept_word("volatile");
        let array = self.entity("arr")?;
        self.word("hit")?;
        let hit = self.variable()?;
        self.word("at")?;
        let offset = self.copies(None)?;
        self.word("when")?;
        let active = self.copies(Some(Sort::Boolean))?;
        let mut loops = Vec::new();
        if self.accept_word("in") {
            loops.push(self.entity("loop")?);
            while self.accept(",") {
                loops.push(self.entity("loop")?);
            }
        }
        self.symbol("{")?;
        let location = self.location()?;
        let (mut written, mut recorded, mut facts) = (None, Vec::new(), Vec::new());
        while !self.accept("}") {
            match self.name()?.as_str() {
                "written" => written = Some(self.variable()?),
                "recorded" => {
                    let copy = self.variable()?;
                    self.symbol("=")?;
                    recorded.push(Recorded { original: self.variable()?, recorded: copy });
                }
                "fact" => facts.push(self.condition()?),
                other => return self.error(format!("`{other}` is no part of a site")),
            }
            self.symbol(";")?;
        }
        let data = SiteData { array, kind, volatile, location, loops, hit, written, recorded, facts, offset, active };
        self.program.sites.push(data);
        Ok(())
    }

    pub(super) fn obligation(&mut self) -> Parsed<()> {
        let next: Obligation = self.program.obligations.next_key();
        self.next_entity("ob", next)?;
        let kind = match self.words()?.as_str() {
            "race" => {
                let logged = self.entity("site")?;
                self.symbol(",")?;
                ObligationKind::Race { logged, checked: self.entity("site")? }
            }
            "barrier-divergence" => ObligationKind::BarrierDivergence { active: self.copies(Some(Sort::Boolean))? },
            "group-operation-divergence" => ObligationKind::GroupOperationDivergence,
            "warp-divergence" => ObligationKind::WarpDivergence { active: self.copies(Some(Sort::Boolean))? },
            "named-barrier" => {
                let word = self.words()?;
                match BarrierRule::ALL.into_iter().find(|rule| rule.word() == word.as_str()) {
                    Some(rule) => ObligationKind::NamedBarrier(rule),
                    None => return self.error(format!("`{}` is no rule for barriers", word.as_str())),
                }
            }
            "signal" => {
                let word = self.words()?;
                match SignalRule::ALL.into_iter().find(|rule| rule.word() == word.as_str()) {
                    Some(rule) => ObligationKind::Signal(rule),
                    None => return self.error(format!("`{}` is no rule for signals", word.as_str())),
                }
            }
            "digits" => ObligationKind::Digits { array: self.text()? },
            "out-of-bounds" => {
                let array = self.text()?;
                self.word("of")?;
                let cells = if self.accept_word("open") { None } else { Some(self.number()?) };
                self.word("cells")?;
                self.word("of")?;
                let cell_bytes = self.number()?;
                self.word("bytes")?;
                self.word("at")?;
                let cell = self.expression(None)?;
                self.symbol(",")?;
                let thread = self.thread()?;
                let element = if self.accept(",") { Some(self.element()?) } else { None };
                ObligationKind::OutOfBounds { array, cells, cell_bytes, cell, thread, element }
            }
            "invariant-entry" => ObligationKind::InvariantEntry,
            "invariant-step" => ObligationKind::InvariantStep,
            other => match Claim::ALL.into_iter().find(|claim| claim.word() == other) {
                Some(claim) => ObligationKind::Claim { claim, thread: self.thread()? },
                None => return self.error(format!("`{other}` is no kind of obligation")),
            },
        };
        self.symbol(";")?;
        let location = self.location()?;
        self.program.obligations.push(ObligationData { kind, location });
        Ok(())
    }

    pub(super) fn observable(&mut self) -> Parsed<()> {
        let what = self.words()?;
        let name = if ["parameter", "host"].contains(&what.as_str()) { self.text()? } else { String::new() };
        self.symbol("=")?;
        let copies = self.copies(None)?;
        let observables = &mut self.program.observables;
        match (what.as_str(), copies) {
            ("local-id", copies) => observables.local_ids.push(copies),
            ("group-id", copies) => observables.group_ids.push(copies),
            ("local-size", Copies::Uniform(one)) => observables.local_sizes.push(one),
            ("num-groups", Copies::Uniform(one)) => observables.num_groups.push(one),
            ("group-start", copies) => observables.group_starts.push(copies),
            ("global-size", Copies::Uniform(one)) => observables.global_sizes.push(one),
            ("parameter", Copies::Uniform(one)) => observables.parameters.push((name, one)),
            ("host", Copies::Uniform(one)) => observables.host.push((name, one)),
            (other, _) => return self.error(format!("`{other}` with these values is nothing to observe")),
        }
        self.symbol(";")
    }
}
