//! Prints the statements and tables of a program.

mod tables;

use std::fmt::Write as _;

use cranelift_entity::EntityRef;
use rustc_hash::FxHashSet;

use super::expression::Item;
use super::keywords::{
    LEGEND, access_text, element_text, pair_in_words, role_text, sort_text, thread_of_name, thread_text, unknown_text,
};
use super::names::{Names, Usable, View};
use super::order::Order;
use super::{PrintOptions, assumption_text, ground_text, name_text, quoted};
use crate::sequential::{
    Copies, Expression, Loop, LoopData, Node, Obligation, ObligationKind, Pair, Program, Site, Statement, Variable,
};
use crate::source::{File, Location};

pub(super) struct Printer<'a> {
    program: &'a Program,
    options: &'a PrintOptions<'a>,
    order: Order<'a>,
    names: Names,
    text: String,
    indent: usize,
    /// The source line that was shown last.
    shown: Option<(File, u32)>,
}

impl<'a> Printer<'a> {
    pub(super) fn new(program: &'a Program, options: &'a PrintOptions<'a>) -> Self {
        let mut order = Order::new(&program.expressions);
        for &named in program.expressions.name_hints().keys() {
            order.compute(named);
        }
        let names = Names::new(&program.expressions);
        Self { program, options, order, names, text: String::new(), indent: 0, shown: None }
    }

    /// The whole program, or its body.
    pub(super) fn print(mut self) -> String {
        if self.options.body_only {
            self.names.usable = Usable::AllBut(FxHashSet::default());
            self.statements(&self.program.body);
        } else {
            self.program();
        }
        self.text
    }

    fn line(&mut self, line: &str) {
        for _ in 0..self.indent {
            self.text.push_str("  ");
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn blank(&mut self) {
        self.text.push('\n');
    }

    /// Defines the names that `roots` need, and their shared parts, on lines of their own.
    fn item(&mut self, roots: &[Expression]) -> Item {
        self.item_spelling_out(None, roots)
    }

    /// The same, with one of the roots spelled out although it has a name.
    fn item_spelling_out(&mut self, spelled_out: Option<Expression>, roots: &[Expression]) -> Item {
        for &root in roots {
            self.order.compute(root);
        }
        let mut needed = self.needed(spelled_out, roots);
        let mut spelled_out = spelled_out;
        let view = self.view();
        let inside: Vec<Expression> = needed.iter().flat_map(|&named| view.operands(named)).collect();
        if spelled_out.is_some_and(|root| self.needed(None, &inside).contains(&root)) {
            // Another name's definition mentions it by name.
            spelled_out = None;
            needed = self.needed(None, roots);
        }
        for named in needed {
            self.names.define(named);
            let item = self.shared(Some(named), &[named]);
            let definition = item.definition(&self.view(), named);
            let line = format!("let {} = {definition};", name_text(self.names.name(named)));
            self.line(&line);
        }
        self.shared(spelled_out, roots)
    }

    fn shared(&mut self, spelled_out: Option<Expression>, roots: &[Expression]) -> Item {
        let item = Item::new(&self.view(), roots, spelled_out);
        for &shared in &item.definitions {
            let line = format!("let {} = {};", item.reference(shared), item.definition(&self.view(), shared));
            self.line(&line);
        }
        item
    }

    /// The names to be defined before `roots` are printed, each after those that its definition
    /// mentions.
    fn needed(&self, spelled_out: Option<Expression>, roots: &[Expression]) -> Vec<Expression> {
        let view = self.view();
        let mut needed = Vec::new();
        let mut seen = FxHashSet::default();
        let mut stack: Vec<(Expression, bool)> = roots.iter().rev().map(|&root| (root, false)).collect();
        while let Some((top, operands_done)) = stack.pop() {
            if operands_done {
                if spelled_out != Some(top) && self.names.is_named(top) {
                    needed.push(top);
                }
            } else if !self.names.is_defined(top) && seen.insert(top) {
                stack.push((top, true));
                stack.extend(view.operands(top).into_iter().rev().map(|operand| (operand, false)));
            }
        }
        needed
    }

    fn view(&self) -> View<'_> {
        View { order: &self.order, names: &self.names }
    }

    fn render(&self, item: &Item, expression: Expression, known: bool) -> String {
        item.render(&self.view(), expression, known)
    }

    fn copies(&self, item: &Item, copies: &Copies<Expression>, known: bool) -> String {
        match copies {
            Copies::Uniform(one) => self.render(item, *one, known),
            Copies::Each([first, second]) => {
                format!("{{{}, {}}}", self.render(item, *first, known), self.render(item, *second, known))
            }
        }
    }

    fn name(&self, variable: Variable) -> String {
        name_text(&self.program.expressions.variables()[variable].name)
    }

    fn names(&self, copies: Copies<Variable>) -> String {
        match copies {
            Copies::Uniform(one) => self.name(one),
            Copies::Each([first, second]) => format!("{{{}, {}}}", self.name(first), self.name(second)),
        }
    }

    fn program(&mut self) {
        let program = self.program;
        let pair = match program.pair {
            Pair::SameGroup => "same-group",
            Pair::DifferentGroups => "different-groups",
            Pair::Alone => "alone",
            Pair::SameThread => "same-thread",
        };
        if self.options.legend {
            let name = program.name.replace(['\n', '\r'], " ");
            self.line(&format!("// {} run {name} in lock-step.", pair_in_words(program.pair)));
            for line in LEGEND {
                self.line(&format!("// {line}"));
            }
            self.blank();
        }
        self.line(&format!("program {} {pair};", quoted(&program.name)));
        for assumption in &program.assumptions {
            self.line(&format!("assumption {};", assumption_text(assumption)));
        }
        self.declarations();
        if !program.preconditions.is_empty() || !program.exact.is_empty() {
            self.blank();
        }
        let preconditions = program.preconditions.iter().map(|precondition| ("require", precondition));
        let exact = program.exact.iter().map(|precondition| ("exact", precondition));
        for (word, precondition) in preconditions.chain(exact) {
            let item = self.item(&[precondition.condition]);
            let condition = self.render(&item, precondition.condition, true);
            self.line(&format!("{word} {condition} because {};", ground_text(&precondition.ground)));
        }
        self.blank();
        self.line("body {");
        self.names.usable = Usable::AllBut(FxHashSet::default());
        self.statements(&program.body);
        self.names.usable = Usable::Defined;
        self.line("}");
        self.sites();
        self.obligations();
        self.observables();
        self.places();
    }

    fn declarations(&mut self) {
        let program = self.program;
        let expressions = &program.expressions;
        if !expressions.functions().is_empty() {
            self.blank();
        }
        for data in expressions.functions().values() {
            let parameters: Vec<_> = data.parameters.iter().map(|&sort| sort_text(sort)).collect();
            let result = sort_text(data.result);
            self.line(&format!("function {}({}): {result};", name_text(&data.name), parameters.join(", ")));
        }
        if !expressions.variables().is_empty() {
            self.blank();
        }
        // Neighbours that differ only in their names share a line.
        let mut pending: Option<(String, String, Vec<String>)> = None;
        for data in expressions.variables().values() {
            let mut sort = sort_text(data.sort);
            if thread_of_name(&data.name) != data.thread {
                let _ = write!(sort, " thread {}", thread_text(data.thread));
            }
            let role = role_text(data.role);
            let name = name_text(&data.name);
            match &mut pending {
                Some((same_role, same_sort, names)) if *same_role == role && *same_sort == sort && names.len() < 8 => {
                    names.push(name);
                }
                _ => {
                    if let Some(done) = pending.replace((role, sort, vec![name])) {
                        self.variables(done);
                    }
                }
            }
        }
        if let Some(done) = pending {
            self.variables(done);
        }
        if !program.arrays.is_empty() {
            self.blank();
        }
        for (array, data) in &program.arrays {
            let mut line = format!("array {array} {}:", quoted(&data.name));
            if data.group_shared {
                line.push_str(" group-shared,");
            }
            let _ = write!(line, " watched {}, cells of {} bytes", self.name(data.watched), data.cell_bytes);
            line.push_str(&element_text(data.element.as_ref()));
            if let Some(dimensions) = data.image {
                let _ = write!(line, ", image of {dimensions} dimensions");
            }
            for digit in &data.digits {
                let item = self.item(&[digit.value]);
                let value = self.render(&item, digit.value, false);
                let _ = write!(line, ", digit {} = {value}", self.name(digit.variable));
            }
            self.line(&format!("{line};"));
        }
    }

    fn variables(&mut self, (role, sort, names): (String, String, Vec<String>)) {
        self.line(&format!("{role} {}: {sort};", names.join(", ")));
    }

    fn statements(&mut self, statements: &[Statement]) {
        self.indent += 1;
        for statement in statements {
            self.statement(statement);
        }
        self.indent -= 1;
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Assign { variable, value, location } => {
                self.source(*location);
                self.assignment(*variable, *value, *location);
            }
            Statement::Havoc { variable, unknown, location } => {
                self.source(*location);
                let name = self.name(*variable);
                self.line(&format!("havoc {name}: {};{}", unknown_text(unknown), self.at(*location)));
                self.names.change(*variable);
            }
            Statement::Assume { condition, reason, about, location } => {
                self.source(*location);
                let item = self.item(&[*condition]);
                let condition = self.render(&item, *condition, true);
                let about = about.as_ref().map_or(String::new(), |sites| {
                    let sites: Vec<String> = sites.iter().map(ToString::to_string).collect();
                    format!(" for {{{}}}", sites.join(", "))
                });
                self.line(&format!("assume {condition} because {}{about};{}", quoted(reason), self.at(*location)));
            }
            Statement::Assert { condition, obligation, location } => {
                self.source(*location);
                let item = self.item(&[*condition]);
                let condition = self.render(&item, *condition, true);
                let comment = self.obligation_comment(*obligation);
                if self.options.body_only {
                    self.line(&format!("assert {condition};"));
                } else {
                    self.line(&format!("assert {obligation}: {condition};{} // {comment}", self.at(*location)));
                }
            }
            Statement::Loop(looop) => self.looop(*looop),
        }
    }

    /// `x = value;`, or `when condition: x = value;` if it keeps its value otherwise.
    fn assignment(&mut self, variable: Variable, value: Expression, location: Option<Location>) {
        let expressions = &self.program.expressions;
        let condition = match expressions.node(value) {
            Node::IfThenElse(condition, new, old) if *expressions.node(*old) == Node::Variable(variable) => {
                Some((*condition, *new))
            }
            _ => None,
        };
        let condition = condition.filter(|_| !self.names.is_defined(value));
        let assigned = condition.map_or(value, |(_, new)| new);
        let spelled_out = Some(assigned).filter(|_| !self.names.is_defined(assigned));
        let mut roots = vec![assigned];
        roots.extend(condition.map(|(condition, _)| condition));
        let item = self.item_spelling_out(spelled_out, &roots);
        let when = condition.map(|(condition, _)| format!("when {}: ", self.render(&item, condition, true)));
        let assigned = self.render(&item, assigned, true);
        let name = self.name(variable);
        self.line(&format!("{}{name} = {assigned};{}", when.unwrap_or_default(), self.at(location)));
        self.names.change(variable);
    }

    fn looop(&mut self, looop: Loop) {
        let program = self.program;
        let data = &program.loops[looop];
        self.source(data.location);
        let modified = program.changed_in(looop);
        for &variable in &modified {
            self.names.change(variable);
        }
        // Names that mention variables changed by the loop are defined in the body.
        self.names.usable = Usable::AllBut(self.names.mentioning(&modified));
        if self.options.body_only {
            let item = self.item(&[data.guard]);
            let guard = self.render(&item, data.guard, true);
            self.line(&format!("while ({guard}) {{"));
            return self.loop_body(data);
        }
        let mut roots = vec![data.guard];
        for carried in &data.carried {
            roots.extend(carried.initial.iter().chain(carried.next.iter()));
        }
        roots.extend(data.invariants.iter().map(|invariant| invariant.condition));
        let suggested = self.program.suggested.iter().filter(|suggestion| suggestion.loop_ == looop);
        let suggested: Vec<Expression> = suggested.map(|suggestion| suggestion.condition).collect();
        roots.extend(&suggested);
        let item = self.item(&roots);
        let guard = self.render(&item, data.guard, true);
        let (counter, active) = (self.name(data.counter), self.names(data.active));
        let barrier = if data.has_barrier { " barrier" } else { "" };
        let header = format!("while {looop} ({guard}) counter {counter} active {active}{barrier}");
        self.line(&format!("{header}{}", self.at(data.location)));
        self.indent += 1;
        for carried in &data.carried {
            let name = carried.name.as_deref().map(|name| quoted(name) + " ").unwrap_or_default();
            let variable = self.names(carried.variable);
            let initial = self.copies(&item, &carried.initial, true);
            let next = self.copies(&item, &carried.next, true);
            self.line(&format!("carried {name}{variable} = {initial} then {next};"));
        }
        for invariant in &data.invariants {
            let condition = self.render(&item, invariant.condition, true);
            let plain = invariant.family.split('-').all(|word| {
                word.starts_with(|c: char| c.is_ascii_alphabetic()) && word.chars().all(|c| c.is_ascii_alphanumeric())
            });
            let family = if plain { invariant.family.clone() } else { quoted(&invariant.family) };
            self.line(&format!("invariant [{family}] {condition};"));
        }
        for condition in suggested {
            let condition = self.render(&item, condition, true);
            self.line(&format!("suggested {condition};"));
        }
        self.indent -= 1;
        self.line("{");
        self.loop_body(data);
    }

    fn loop_body(&mut self, data: &'a LoopData) {
        self.names.usable = Usable::AllBut(FxHashSet::default());
        let scope = self.names.scope();
        self.statements(&data.body);
        self.names.leave_to(scope);
        self.line("}");
    }

    /// The reference to the table of locations, if that is printed.
    fn at(&self, location: Option<Location>) -> String {
        let location = location.filter(|_| !self.options.body_only);
        location.map(|location| format!(" @{}", location.index())).unwrap_or_default()
    }

    /// The source line that the next statement comes from, unless it was shown last.
    fn source(&mut self, location: Option<Location>) {
        let Some((file, line)) = location.and_then(|location| self.place(location)) else { return };
        if self.shown == Some((file, line)) {
            return;
        }
        self.shown = Some((file, line));
        let Some(name) = self.program.files.get(file) else { return };
        let text = self.options.source_line.and_then(|source_line| source_line(name, line));
        let text = text.map(|text| format!(": {}", text.trim().replace(['\n', '\r'], " "))).unwrap_or_default();
        let comment = if self.program.files.len() > 1 || text.is_empty() {
            format!("// {}:{line}{text}", name.replace(['\n', '\r'], " "))
        } else {
            format!("// {line}{text}")
        };
        self.line(&comment);
    }

    fn place(&self, location: Location) -> Option<(File, u32)> {
        let data = self.program.locations.get(location)?;
        (data.line > 0).then_some((data.file, data.line))
    }

    fn line_of(&self, location: Option<Location>) -> String {
        match location.and_then(|location| self.place(location)) {
            Some((_, line)) => format!(" in line {line}"),
            None => String::new(),
        }
    }

    fn obligation_comment(&self, obligation: Obligation) -> String {
        let Some(data) = self.program.obligations.get(obligation) else { return "no such obligation".into() };
        let access = |site: Site| match self.program.sites.get(site) {
            Some(data) => format!("{}{}", access_text(data.kind), self.line_of(data.location)),
            None => "no such site".into(),
        };
        match &data.kind {
            ObligationKind::Race { logged, checked } => {
                let array = self.program.sites.get(*checked).and_then(|site| self.program.arrays.get(site.array));
                let array = array.map(|array| array.name.replace(['\n', '\r'], " ")).unwrap_or_default();
                format!("no race on {array}: thread 1's {}, thread 2's {}", access(*logged), access(*checked))
            }
            ObligationKind::BarrierDivergence { .. } => "both threads are at the barrier, or neither".into(),
            ObligationKind::GroupOperationDivergence => "the group operation is the same for both threads".into(),
            ObligationKind::NamedBarrier(rule) => rule.statement().into(),
            ObligationKind::Signal(rule) => rule.statement().into(),
            ObligationKind::WarpDivergence { .. } => "the lanes named in a mask arrive, with the same mask".into(),
            ObligationKind::Claim { claim, .. } => claim.said().into(),
            ObligationKind::Digits { array } => {
                format!("digits of an index into {} below their radices", array.replace(['\n', '\r'], " "))
            }
            ObligationKind::OutOfBounds { array, .. } => {
                format!("inside {}", array.replace(['\n', '\r'], " "))
            }
            ObligationKind::InvariantEntry => "the invariant holds before the loop".into(),
            ObligationKind::InvariantStep => "the invariant holds after an iteration".into(),
        }
    }
}
