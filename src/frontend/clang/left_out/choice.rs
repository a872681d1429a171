//! The choice of the host code that is left out.
//!
//! # Why the device code stays the same
//!
//! Preprocessing happens before. So the parts that are left out are sequences of tokens, and no
//! macro and no condition of the preprocessor changes. Whether Clang's messages are true does not
//! matter, only whether a part may go:
//!
//! * A part is a statement in a function, a function's body, or a declaration. It is complete: its
//!   brackets match, and an empty statement takes its place.
//! * None of its tokens is an attribute of devices. `constexpr` functions count as device code, and
//!   so do `__host__ __device__` functions and device lambdas. No declaration of a function's name
//!   has such an attribute, which Clang would take from there. So all of it is for the host alone.
//! * Statements and bodies declare nothing that is visible outside of their function.
//! * A declaration goes only if the rest that devices may use does not mention the names that it
//!   declares; if it is a specialisation, no header may either. So no lookup for device code ends
//!   elsewhere. A member goes only if it is an ordinary function, which affects neither the layout
//!   of its class nor its special members.
//!
//! Instances of templates that only a left-out part makes are missing. Nothing is claimed of them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use lockstep_ir::source::LeftOutPart;

use super::merged::Places;
use super::scopes::{Declaration, Kind, Unit};

/// A part that is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its tokens.
    pub all: RangeInclusive<usize>,
    pub kind: LeftOutPart,
    /// The first token of the declaration that it belongs to.
    pub of: usize,
    /// The name of that declaration.
    pub name: String,
    /// Clang's first message about it.
    pub error: String,
    /// The names that it declares for others.
    names: BTreeSet<String>,
}

/// The way to a token: the declarations around it, from the outside.
type Chain<'a> = Vec<&'a Declaration>;

/// All that is known of a translation unit.
pub struct Choice<'a> {
    unit: &'a Unit<'a>,
    declarations: &'a [Declaration],
    places: &'a Places<'a>,
    parts: BTreeMap<usize, Part>,
    /// The first tokens of the parts that were left out since Clang saw the text.
    recent: BTreeSet<usize>,
    /// The names of functions that some declaration has for devices.
    of_devices: BTreeSet<&'a str>,
}

/// Words that only device code uses. The keyword before it may be missing, or misspelled.
const ONLY_IN_DEVICE_CODE: [&str; 5] = ["threadIdx", "blockIdx", "__syncthreads", "__syncwarp", "__shfl_sync"];

/// Words of attributes of devices.
const DEVICE: [&str; 12] = [
    "__device__",
    "__global__",
    "__shared__",
    "__constant__",
    "__managed__",
    "device",
    "global",
    "shared",
    "constant",
    "managed",
    "HIPManaged",
    "device_builtin",
];

/// Words that begin a local declaration on which instances of templates may depend.
const LOCAL: [&str; 9] = ["typedef", "using", "const", "constexpr", "enum", "struct", "class", "union", "static"];

impl<'a> Choice<'a> {
    pub fn new(unit: &'a Unit<'a>, declarations: &'a [Declaration], places: &'a Places<'a>) -> Self {
        let of_devices = functions_of_devices(unit);
        Self { unit, declarations, places, parts: BTreeMap::new(), recent: BTreeSet::new(), of_devices }
    }

    /// The parts that are left out, in the order of the text.
    pub fn parts(&self) -> impl Iterator<Item = &Part> {
        self.parts.values()
    }

    /// Clang is about to see the text without the parts.
    pub fn begin_round(&mut self) {
        self.recent.clear();
    }

    /// Leaves out a part around a token about which Clang has this message. The error says why it
    /// is kept.
    pub fn leave_out(&mut self, token: usize, message: &str, wholly: bool) -> Result<(), &'static str> {
        if self.part_at(token).is_some_and(|part| self.recent.contains(part.all.start())) {
            return Ok(());
        }
        let chain = self.chain(token);
        let Some(declaration) = chain.last().copied() else { return Err("it is no declaration") };
        if self.unit.tokens[token].is_system {
            return Err("it stands in a system header");
        }
        let in_body = declaration.kind == Kind::Function
            && declaration.braces.is_some_and(|(open, close)| open < token && token < close);
        let initialises = declaration.braces.is_some_and(|(open, _)| {
            self.unit.initialisers(*declaration.all.start(), open).is_some_and(|colon| (colon..open).contains(&token))
        });
        let part = if declaration.kind == Kind::Function && (in_body || initialises) {
            self.part_of_function(declaration, token, wholly || initialises)?
        } else {
            self.whole(&chain)?
        };
        self.add(Part { error: message.to_owned(), ..part });
        Ok(())
    }

    fn add(&mut self, part: Part) {
        let is_inside = |inner: &RangeInclusive<usize>, outer: &RangeInclusive<usize>| {
            outer.contains(inner.start()) && outer.contains(inner.end())
        };
        if self.parts.values().any(|known| is_inside(&part.all, &known.all)) {
            return;
        }
        // The first message tells more than those about its consequences.
        let first = self.parts.values().find(|known| is_inside(&known.all, &part.all)).map(|known| known.error.clone());
        self.parts.retain(|_, known| !is_inside(&known.all, &part.all));
        let error = first.unwrap_or(part.error);
        self.recent.insert(*part.all.start());
        self.parts.insert(*part.all.start(), Part { error, ..part });
    }

    fn is_left_out(&self, token: usize) -> bool {
        self.part_at(token).is_some()
    }

    fn part_at(&self, token: usize) -> Option<&Part> {
        self.parts.range(..=token).next_back().map(|(_, part)| part).filter(|part| part.all.contains(&token))
    }

    fn is_part(&self, all: &RangeInclusive<usize>) -> bool {
        self.parts.get(all.start()).is_some_and(|part| part.all.end() >= all.end())
    }

    /// The declarations around a token.
    fn chain(&self, token: usize) -> Chain<'a> {
        let mut chain = Vec::new();
        let mut declarations = self.declarations;
        while let Some(found) = declarations.iter().find(|declaration| declaration.all.contains(&token)) {
            chain.push(found);
            declarations = &found.inner;
        }
        chain
    }

    /// A part of a function's definition.
    fn part_of_function(&self, function: &Declaration, token: usize, wholly: bool) -> Result<Part, &'static str> {
        let (unit, first) = (self.unit, *function.all.start());
        let Some((open, close)) = function.braces else { return Err("it has no body") };
        if self.is_for_devices(first..=open) {
            return Err("it is device code");
        }
        if self.is_named_for_devices(first, open) {
            return Err("another declaration of its name is device code");
        }
        let deduces = unit.words(first..=open).any(|word| word == "auto");
        let part = |all: RangeInclusive<usize>, kind| Part {
            all,
            kind,
            of: first,
            name: self.name_of_function(first, open),
            error: String::new(),
            names: BTreeSet::new(),
        };
        if !wholly && !deduces && !has_device_words(unit, open..=close) {
            let statements = unit.statements((open, close), token);
            let statements = statements.iter().map(|statement| unit.with_partners(statement, (open, close)));
            if let Some(statement) = statements.filter(|all| !self.is_part(all)).find(|all| self.has_place(all))
                && !self.is_used_behind(&statement, close)
            {
                return Ok(part(statement, LeftOutPart::Statements));
            }
        }
        if has_device_words(unit, open..=close) {
            return Err("it has device code");
        }
        // A constructor's list of members goes with its body.
        let from = unit.initialisers(first, open).unwrap_or(open);
        let body = from..=close;
        // A declaration of a member outside of its class must be a definition.
        if !self.is_qualified(first, open) && !self.is_part(&body) && self.has_place(&body) {
            return Ok(part(body, LeftOutPart::Body));
        }
        let whole = part(function.all.clone(), LeftOutPart::Declaration);
        if !self.has_place(&whole.all) || self.is_part(&whole.all) {
            return Err("its place in the source is not known");
        }
        let is_declared_elsewhere = self.is_qualified(first, open);
        let names = if is_declared_elsewhere { BTreeSet::new() } else { self.names(function) };
        Ok(Part { names, ..whole })
    }

    /// Whether a local declaration in a statement is used behind it.
    fn is_used_behind(&self, statement: &RangeInclusive<usize>, close: usize) -> bool {
        let unit = self.unit;
        if !LOCAL.contains(&unit.word(*statement.start())) {
            return false;
        }
        let names = self.declared(statement.clone());
        unit.words(statement.end() + 1..=close).any(|word| names.iter().any(|name| name == word))
    }

    /// A whole declaration: a member function, or the outermost one that is no namespace.
    fn whole(&self, chain: &[&Declaration]) -> Result<Part, &'static str> {
        let outermost = chain.iter().position(|around| around.kind != Kind::Namespace).ok_or("it is a namespace")?;
        let innermost = chain.len() - 1;
        let candidates = if innermost > outermost && self.is_ordinary_member(chain[innermost - 1], chain[innermost]) {
            vec![chain[innermost], chain[outermost]]
        } else {
            vec![chain[outermost]]
        };
        let mut obstacle = "its place in the source is not known";
        for declaration in candidates {
            let end_of_head = declaration.braces.map_or(*declaration.all.end(), |(open, _)| open);
            let is_function = declaration.kind != Kind::Class;
            if self.is_for_devices(declaration.all.clone()) {
                obstacle = "it has device code";
            } else if is_function && self.is_named_for_devices(*declaration.all.start(), end_of_head) {
                obstacle = "another declaration of its name is device code";
            } else if !self.is_complete(&declaration.all) {
                obstacle = "its end is not known";
            } else if self.has_place(&declaration.all) && !self.is_part(&declaration.all) {
                let names = self.names(declaration);
                let name = self.name(declaration);
                let (all, of) = (declaration.all.clone(), *declaration.all.start());
                return Ok(Part { all, kind: LeftOutPart::Declaration, of, name, error: String::new(), names });
            }
        }
        Err(obstacle)
    }

    /// Whether a member is a function whose absence leaves its class as it is.
    ///
    /// Constructors, destructors, conversions and operators do not.
    fn is_ordinary_member(&self, class: &Declaration, member: &Declaration) -> bool {
        let unit = self.unit;
        let head = unit.behind_template(*member.all.start());
        let end = member.braces.map_or(*member.all.end(), |(open, _)| open);
        let Some(parameters) = unit.parameters(head, end) else { return false };
        let words = ["virtual", "operator", "friend", "override", "final", "using", "typedef"];
        let name = parameters.saturating_sub(1);
        let open = class.braces.map_or(*class.all.end(), |(open, _)| open);
        let is_of_class = self.declared(*class.all.start()..=open).iter().any(|class| class == unit.word(name));
        let is_function = unit.tokens[name].is_word && name > head && unit.word(name - 1) != "~" && !is_of_class;
        is_function && !unit.words(head..=end).any(|word| words.contains(&word))
    }

    /// Whether these tokens end a declaration, and none closes a bracket that another opens.
    fn is_complete(&self, all: &RangeInclusive<usize>) -> bool {
        let unit = self.unit;
        let is_inside = |at: usize| match unit.word(at) {
            "(" | "[" | "{" | ")" | "]" | "}" => unit.close(at) != at && all.contains(&unit.close(at)),
            _ => true,
        };
        matches!(unit.word(*all.end()), ";" | "}") && all.clone().all(is_inside)
    }

    fn has_place(&self, all: &RangeInclusive<usize>) -> bool {
        self.is_complete_part(all)
            && self.places.start(*all.start()).is_some()
            && self.places.start(all.end() + 1).is_some()
    }

    fn is_complete_part(&self, all: &RangeInclusive<usize>) -> bool {
        self.is_complete(all) && all.clone().all(|at| !self.unit.tokens[at].is_system)
    }

    /// Whether some of these tokens are attributes of devices, or make constants for them.
    fn is_for_devices(&self, all: RangeInclusive<usize>) -> bool {
        let unit = self.unit;
        let is_shared = |at: usize| match unit.word(at) {
            "constexpr" | "consteval" | "concept" => true,
            // Outside of functions, it is part of all code.
            "asm" | "__asm" | "__asm__" => true,
            "namespace" => unit.word(at.wrapping_sub(1)) != "using" && unit.word(at + 2) != "=",
            _ => false,
        };
        has_device_words(unit, all.clone()) || all.into_iter().any(is_shared)
    }

    /// Whether a function is for the host alone.
    fn is_for_host(&self, function: &Declaration) -> bool {
        let (unit, first, last) = (self.unit, *function.all.start(), *function.all.end());
        let head = unit.behind_template(first);
        let end_of_head = function.braces.map_or(last, |(open, _)| open);
        let is_function = unit.parameters(head, end_of_head).is_some()
            && !unit.words(head..=end_of_head).any(|word| matches!(word, "typedef" | "using" | "const"));
        let is_definition = function.kind == Kind::Function;
        (is_definition || is_function && !has_value(unit, head, last))
            && !self.is_for_devices(first..=end_of_head)
            && !self.is_named_for_devices(first, end_of_head)
            && !has_device_words(unit, first..=last)
    }

    /// Whether a function may be for devices because of another declaration.
    ///
    /// Clang takes attributes from earlier declarations, such as that in a class.
    fn is_named_for_devices(&self, first: usize, end_of_head: usize) -> bool {
        let unit = self.unit;
        let parameters = unit.parameters(unit.behind_template(first), end_of_head).unwrap_or(end_of_head);
        called(unit, parameters).is_some_and(|name| self.of_devices.contains(name))
    }

    fn is_qualified(&self, first: usize, open: usize) -> bool {
        let unit = self.unit;
        let Some(parameters) = unit.parameters(unit.behind_template(first), open) else { return false };
        let name = (first..parameters).rev().find(|&at| unit.tokens[at].is_word).unwrap_or(first);
        let before = if unit.word(name.wrapping_sub(1)) == "~" { name - 1 } else { name };
        before >= first + 2 && unit.word(before - 1) == ":" && unit.word(before - 2) == ":"
    }

    fn name_of_function(&self, first: usize, open: usize) -> String {
        let unit = self.unit;
        let parameters = unit.parameters(unit.behind_template(first), open).unwrap_or(open);
        let mut from = parameters.saturating_sub(1);
        if from > first && unit.word(from - 1) == "~" {
            from -= 1;
        }
        while from > first + 2 && unit.word(from - 1) == ":" && unit.tokens[from - 3].is_word {
            from -= 3;
        }
        (from..parameters).map(|at| unit.word(at)).collect()
    }

    /// A declaration's name, for the report.
    fn name(&self, declaration: &Declaration) -> String {
        let unit = self.unit;
        let (first, last) = (*declaration.all.start(), *declaration.all.end());
        let head = unit.behind_template(first);
        let end = declaration.braces.map_or(last, |(open, _)| open);
        if declaration.kind != Kind::Class && unit.parameters(head, end).is_some() {
            return self.name_of_function(first, end);
        }
        let names = self.declared(first..=last);
        names.into_iter().next().unwrap_or_else(|| unit.word(head).to_owned())
    }

    /// The names that a declaration makes known to the text around it; perhaps more.
    fn names(&self, declaration: &Declaration) -> BTreeSet<String> {
        let unit = self.unit;
        let (first, last) = (*declaration.all.start(), *declaration.all.end());
        let head = unit.behind_template(first);
        let end = declaration.braces.map_or(last, |(open, _)| open);
        let is_function = matches!(declaration.kind, Kind::Function | Kind::Other)
            && !unit.words(head..=end).any(|word| matches!(word, "typedef" | "using"))
            && unit.parameters(head, end).is_some();
        match unit.parameters(head, end).filter(|_| is_function) {
            // It is found without its name, but not called. Only its type could matter.
            Some(_) if unit.words(head..=end).any(|word| word == "operator") => {
                ["decltype", "requires"].map(str::to_owned).into()
            }
            Some(parameters) => called(unit, parameters).map(str::to_owned).into_iter().collect(),
            None => self.declared(declaration.all.clone()).into_iter().collect(),
        }
    }

    /// The names that a declaration other than a function's makes known, in their order; perhaps
    /// more.
    fn declared(&self, all: RangeInclusive<usize>) -> Vec<String> {
        const KEYS: [&str; 4] = ["struct", "class", "union", "enum"];
        let unit = self.unit;
        let (head, last) = (unit.behind_template(*all.start()), *all.end());
        let is_alias = matches!(unit.word(head), "using" | "namespace");
        let (mut names, mut angles) = (Vec::new(), 0_usize);
        let mut at = head;
        while at <= last {
            let word = unit.word(at);
            match word {
                "=" if is_alias && !names.is_empty() => break,
                // An initial value declares nothing.
                "=" => {
                    while at < last && !matches!(unit.word(at + 1), ";" | ",") {
                        at = unit.close(at + 1).max(at + 1);
                    }
                }
                "<" => angles += 1,
                ">" => angles = angles.saturating_sub(1),
                "[" => at = unit.close(at).max(at),
                "{" if unit.words(head..=at).any(|word| word == "enum") => {
                    names.extend(self.followed_by(at..=unit.close(at).max(at), &[",", "=", "}"]));
                    at = unit.close(at).max(at);
                }
                "{" => at = unit.close(at).max(at),
                _ if word.starts_with("__attribute") || matches!(word, "alignas" | "decltype") => {
                    at = unit.close(at + 1).max(at);
                }
                _ if KEYS.contains(&word) && angles == 0 => {
                    let name = self.behind_key(at + 1);
                    let close = unit.close(name).max(name);
                    if unit.word(name) != "{" {
                        names.push(unit.word(name).to_owned());
                    } else if unit.word(close + 1) == ";" {
                        // The members of a union without a name are known around it.
                        names.extend(unit.words(name..=close).map(str::to_owned));
                    }
                }
                _ if angles == 0 && unit.word(at + 1) == "<" => {
                    // A specialisation of a variable. Behind a type's arguments, a name follows.
                    let behind = unit.behind_arguments(at + 1);
                    names.extend((!unit.tokens.get(behind).is_some_and(|next| next.is_word)).then(|| word.to_owned()));
                }
                _ if angles == 0 => names.extend(self.followed_by(at..=at, &[";", ",", "=", "[", "(", ")"])),
                _ => {}
            }
            at += 1;
        }
        names
    }

    /// The name of a class whose key stands before this token, or its brace.
    fn behind_key(&self, mut at: usize) -> usize {
        let unit = self.unit;
        loop {
            let word = unit.word(at);
            if matches!(word, "class" | "struct") {
                at += 1;
            } else if word == "[" {
                at = unit.close(at).max(at) + 1;
            } else if word.starts_with("__attribute") || word.starts_with("__declspec") || word == "alignas" {
                at = unit.close(at + 1).max(at) + 1;
            } else if unit.word(at + 1) == ":" && unit.word(at + 2) == ":" {
                at += 3;
            } else {
                return at;
            }
        }
    }

    fn followed_by(&self, all: RangeInclusive<usize>, ends: &[&str]) -> Vec<String> {
        let unit = self.unit;
        let words = all.filter(|&at| unit.tokens[at].is_word && ends.contains(&unit.word(at + 1)));
        words.map(|at| unit.word(at).to_owned()).collect()
    }

    /// Checks that nothing that devices may use mentions a declaration that is left out.
    ///
    /// Functions of the host that mention one lose their bodies; `Ok(true)` if there are some.
    pub fn settle(&mut self) -> Result<bool, String> {
        let names: BTreeSet<String> = self.parts.values().flat_map(|part| part.names.iter().cloned()).collect();
        let types: BTreeSet<String> = self.types();
        self.check_specialisations()?;
        let mut bodies = Vec::new();
        self.check(self.declarations, &names, &types, &mut bodies)?;
        let is_more = !bodies.is_empty();
        for (name, function) in bodies {
            let token = function.braces.map_or(*function.all.end(), |(open, _)| open + 1);
            let message = format!("it mentions {name}, which is left out");
            self.leave_out(token, &message, true).map_err(|cause| format!("{message}: {cause}"))?;
        }
        Ok(is_more)
    }

    /// Checks that no header uses a template of which a specialisation is left out.
    ///
    /// Code of a library for devices may depend on it without naming the user's types.
    fn check_specialisations(&self) -> Result<(), String> {
        let is_special = |part: &&Part| {
            part.kind == LeftOutPart::Declaration && self.unit.word(*part.all.start()) == "template" && {
                let head = self.unit.behind_template(*part.all.start());
                !part.all.clone().any(|at| at >= head && self.unit.word(at) == "(") || self.is_class(part)
            }
        };
        let names = self.parts.values().filter(is_special).flat_map(|part| &part.names);
        let names: BTreeSet<&str> = names.map(String::as_str).collect();
        let mut words = self.unit.tokens.iter().filter(|token| token.is_system && token.is_word);
        let mentioned = words.find(|token| names.contains(token.text(self.unit.text)));
        refuse(mentioned.map(|token| token.text(self.unit.text).to_owned()))
    }

    fn is_class(&self, part: &Part) -> bool {
        self.chain(*part.all.start()).iter().any(|around| around.kind == Kind::Class && around.all == part.all)
    }

    /// The names among those of left-out declarations that are not just functions.
    fn types(&self) -> BTreeSet<String> {
        const TYPES: [&str; 7] = ["typedef", "using", "struct", "class", "union", "enum", "const"];
        let parts = self.parts.values().filter(|part| part.kind == LeftOutPart::Declaration);
        let has_type = |part: &&Part| {
            let head = self.unit.behind_template(*part.all.start());
            head != *part.all.start() || self.unit.words(head..=head + 2).any(|word| TYPES.contains(&word))
        };
        parts.filter(has_type).flat_map(|part| part.names.iter().cloned()).collect()
    }

    fn check(
        &self,
        declarations: &'a [Declaration],
        names: &BTreeSet<String>,
        types: &BTreeSet<String>,
        bodies: &mut Vec<(String, &'a Declaration)>,
    ) -> Result<(), String> {
        for declaration in declarations {
            let (first, last) = (*declaration.all.start(), *declaration.all.end());
            if self.unit.tokens[first].is_system || self.is_left_out(first) && self.is_part(&declaration.all) {
                continue;
            }
            let mentioned = |from: usize, to: usize, of: &BTreeSet<String>| {
                let remaining = (from..=to).filter(|&at| self.unit.tokens[at].is_word && !self.is_left_out(at));
                remaining.map(|at| self.unit.word(at)).find(|word| of.contains(*word)).map(str::to_owned)
            };
            let end_of_head = declaration.braces.map_or(last, |(open, _)| open);
            match declaration.kind {
                Kind::Namespace => self.check(&declaration.inner, names, types, bodies)?,
                Kind::Function if self.is_for_host(declaration) => {
                    if let Some(name) = mentioned(first, last, types) {
                        bodies.push((name, declaration));
                    }
                }
                Kind::Class => {
                    let close = declaration.braces.map_or(last, |(_, close)| close);
                    let of_head = mentioned(first, end_of_head, names).or_else(|| mentioned(close, last, names));
                    refuse(of_head)?;
                    self.check(&declaration.inner, names, types, bodies)?;
                }
                // The declaration of a function of the host.
                Kind::Other if self.is_for_host(declaration) => {}
                Kind::Function | Kind::Other => refuse(mentioned(first, last, names))?,
            }
        }
        Ok(())
    }
}

fn refuse(mentioned: Option<String>) -> Result<(), String> {
    match mentioned {
        None => Ok(()),
        Some(name) => {
            Err(format!("a declaration that does not compile may change code for devices, which mentions {name}"))
        }
    }
}

/// Whether there is an initial value.
fn has_value(unit: &Unit<'_>, first: usize, last: usize) -> bool {
    (first..=last).any(|at| matches!(unit.word(at), "=" | "{"))
}

/// The name of the function whose parameters begin here; all operators have one name.
fn called<'a>(unit: &Unit<'a>, parameters: usize) -> Option<&'a str> {
    let mut name = parameters.checked_sub(1)?;
    // The arguments of a specialisation stand behind its name.
    let mut open = 0_usize;
    while matches!(unit.word(name), ">") || open > 0 {
        match unit.word(name) {
            ">" => open += 1,
            "<" => open -= 1,
            ";" | "{" | "}" => return None,
            _ => {}
        }
        name = name.checked_sub(1)?;
    }
    if unit.tokens.get(name)?.is_word {
        return Some(unit.word(name));
    }
    let is_operator = (name.saturating_sub(3)..=name).any(|at| unit.word(at) == "operator");
    is_operator.then_some("operator")
}

/// The names before parentheses in every declaration with a word for devices; perhaps more.
fn functions_of_devices<'a>(unit: &Unit<'a>) -> BTreeSet<&'a str> {
    let ends = |&at: &usize| matches!(unit.word(at), ";" | "{" | "}");
    let mut names = BTreeSet::new();
    let mut behind = 0;
    for at in 0..unit.tokens.len() {
        // Each declaration of a constant function says that it is one.
        let is_shared = matches!(unit.word(at), "constexpr" | "consteval") && !unit.tokens[at].is_system;
        if !is_shared && !has_device_words(unit, at..=at) {
            continue;
        }
        let first = (behind..at).rev().find(ends).unwrap_or(behind);
        let last = (at..unit.tokens.len()).find(ends).unwrap_or(unit.tokens.len());
        let openings = (first.max(behind)..last).filter(|&open| unit.word(open) == "(");
        names.extend(openings.filter_map(|open| called(unit, open)));
        behind = at;
    }
    names.retain(|name| !name.starts_with("__attribute") && !name.starts_with("__declspec"));
    names
}

fn has_device_words(unit: &Unit<'_>, all: RangeInclusive<usize>) -> bool {
    let is_attribute = |at: usize| {
        let word = unit.word(at);
        word.starts_with("__attribute") || word.starts_with("__declspec") || word == "[" && unit.word(at + 1) == "["
    };
    all.clone().any(|at| {
        let word = unit.word(at);
        let is_written_out = word.starts_with("__") && DEVICE.contains(&word) || ONLY_IN_DEVICE_CODE.contains(&word);
        let has_device = |at: usize| {
            let open = if unit.word(at) == "[" { at } else { at + 1 };
            let inside = open..=unit.close(open).max(open);
            unit.words(inside).any(|word| DEVICE.contains(&word.trim_matches('_')))
        };
        is_written_out || is_attribute(at) && has_device(at)
    })
}
