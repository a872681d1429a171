//! Declarations and statements, as far as braces tell them.
//!
//! The text is preprocessed. It need not be correct. Whoever relies on the result looks at the
//! tokens: a part that is taken for something else is refused, or no longer compiles.

use std::ops::RangeInclusive;

use super::tokens::Token;

/// The kind of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A namespace, or `extern "C"` with braces.
    Namespace,
    /// A class with a body.
    Class,
    /// A function with a body.
    Function,
    /// Anything else.
    Other,
}

/// A declaration, with the indices of its tokens.
#[derive(Clone, Debug)]
pub struct Declaration {
    pub kind: Kind,
    /// All tokens.
    pub all: RangeInclusive<usize>,
    /// The braces of a namespace, a class or a function's body.
    pub braces: Option<(usize, usize)>,
    /// The declarations in a namespace or a class.
    pub inner: Vec<Declaration>,
}

/// The tokens of a translation unit, with the partner of each bracket.
pub struct Unit<'a> {
    pub text: &'a str,
    pub tokens: &'a [Token],
    /// For an opening bracket the closing one, and the other way round; otherwise the token itself.
    partner: Vec<usize>,
}

/// The deepest nesting of namespaces and classes that is looked into.
const DEEPEST: usize = 64;

/// The words that begin a statement with a head in parentheses, or a block.
const CONTROL: [&str; 8] = ["if", "for", "while", "switch", "do", "else", "try", "catch"];

impl<'a> Unit<'a> {
    pub fn new(text: &'a str, tokens: &'a [Token]) -> Self {
        let mut partner: Vec<usize> = (0..tokens.len()).collect();
        let mut open: Vec<(usize, &str)> = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            let closed = match token.text(text) {
                bracket @ ("(" | "[" | "{") => {
                    open.push((at, bracket));
                    continue;
                }
                ")" => "(",
                "]" => "[",
                "}" => "{",
                _ => continue,
            };
            if let Some((from, _)) = open.pop_if(|(_, bracket)| *bracket == closed) {
                (partner[from], partner[at]) = (at, from);
            }
        }
        Self { text, tokens, partner }
    }

    /// The text of a token.
    pub fn word(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |token| token.text(self.text))
    }

    /// The words of these tokens.
    pub fn words(&self, tokens: RangeInclusive<usize>) -> impl Iterator<Item = &'a str> + '_ {
        tokens.filter(|&at| self.tokens.get(at).is_some_and(|token| token.is_word)).map(|at| self.word(at))
    }

    /// The closing bracket for an opening one.
    pub fn close(&self, at: usize) -> usize {
        self.partner.get(at).copied().unwrap_or(at)
    }

    /// The declarations of the whole text.
    pub fn declarations(&self) -> Vec<Declaration> {
        self.declarations_in(0, self.tokens.len(), DEEPEST)
    }

    fn declarations_in(&self, mut at: usize, end: usize, depth: usize) -> Vec<Declaration> {
        let mut found = Vec::new();
        while at < end {
            let is_access = matches!(self.word(at), "public" | "private" | "protected") && self.word(at + 1) == ":";
            if is_access {
                at += 2;
            } else if matches!(self.word(at), ";" | "}") {
                at += 1;
            } else {
                let declaration = self.declaration(at, end, depth);
                at = declaration.all.end() + 1;
                found.push(declaration);
            }
        }
        found
    }

    /// The declaration that starts here.
    fn declaration(&self, first: usize, end: usize, depth: usize) -> Declaration {
        let mut at = first;
        let mut class = None;
        while at < end {
            match self.word(at) {
                ";" => return self.ended(first, at, class, depth),
                "{" => {
                    let close = self.close(at).min(end - 1);
                    match self.kind_of_brace(first, at) {
                        Kind::Namespace => {
                            let inner = self.inner((at, close), depth);
                            return Declaration {
                                kind: Kind::Namespace,
                                all: first..=close,
                                braces: Some((at, close)),
                                inner,
                            };
                        }
                        Kind::Function if !self.is_member_initialiser(first, at, close) => {
                            let (kind, braces) = (Kind::Function, Some((at, close)));
                            return Declaration { kind, all: first..=close, braces, inner: Vec::new() };
                        }
                        Kind::Class if class.is_none() => class = Some((at, close)),
                        Kind::Class | Kind::Function | Kind::Other => {}
                    }
                    at = close.max(at) + 1;
                }
                // It belongs to a brace that a macro opens elsewhere.
                "}" => return self.ended(first, at, class, depth),
                _ => at = self.close(at).max(at) + 1,
            }
        }
        self.ended(first, end - 1, class, depth)
    }

    fn ended(&self, first: usize, last: usize, class: Option<(usize, usize)>, depth: usize) -> Declaration {
        let kind = if class.is_some() { Kind::Class } else { Kind::Other };
        let inner = class.map_or(Vec::new(), |braces| self.inner(braces, depth));
        Declaration { kind, all: first..=last, braces: class, inner }
    }

    fn inner(&self, (open, close): (usize, usize), depth: usize) -> Vec<Declaration> {
        if depth == 0 { Vec::new() } else { self.declarations_in(open + 1, close, depth - 1) }
    }

    /// The first token behind `template <…>`.
    pub fn behind_template(&self, mut first: usize) -> usize {
        while self.word(first) == "template" && self.word(first + 1) == "<" {
            let behind = self.behind_arguments(first + 1);
            if behind == first + 1 {
                break;
            }
            first = behind;
        }
        first
    }

    /// The first token behind the template arguments that begin here; the same token if there are
    /// none.
    pub fn behind_arguments(&self, first: usize) -> usize {
        let (mut at, mut open) = (first + 1, 1_usize);
        while open > 0 && at < self.tokens.len() {
            match self.word(at) {
                "<" => open += 1,
                ">" => open -= 1,
                ";" | "{" => return first,
                _ => at = self.close(at).max(at),
            }
            at += 1;
        }
        at
    }

    /// The kind of the declaration whose brace stands at `open`.
    fn kind_of_brace(&self, first: usize, open: usize) -> Kind {
        let head = self.behind_template(first);
        let names_operator = |at: usize| (at.saturating_sub(3)..at).any(|before| self.word(before) == "operator");
        if self.top_level(head, open).any(|at| self.word(at) == "=" && !names_operator(at)) {
            return Kind::Other;
        }
        let has = |word: &str| self.top_level(head, open).any(|at| self.word(at) == word);
        let has_class = has("class") || has("struct") || has("union");
        // Parentheses may also stand in front of a class, in something that is not known.
        let ends_like_function =
            matches!(self.word(open.wrapping_sub(1)), ")" | "const" | "noexcept" | "override" | "final");
        if self.parameters(head, open).is_some() && (ends_like_function || !has_class && !has("namespace")) {
            Kind::Function
        } else if has("namespace") || self.word(head) == "extern" && open == head + 2 {
            Kind::Namespace
        } else if has("enum") {
            Kind::Other
        } else if has_class {
            Kind::Class
        } else {
            Kind::Other
        }
    }

    /// The tokens from `first` to `end` that are in no brackets; opening brackets are among them.
    fn top_level(&self, first: usize, end: usize) -> impl Iterator<Item = usize> + '_ {
        let next = move |&at: &usize| Some(self.close(at).max(at) + 1);
        std::iter::successors(Some(first), next).take_while(move |&at| at < end)
    }

    /// The parenthesis that opens the parameters of a function, in a head.
    pub fn parameters(&self, head: usize, end: usize) -> Option<usize> {
        let found = self.top_level(head, end).find(|&at| {
            let before = if at > head { self.word(at - 1) } else { "" };
            let is_attribute = before.starts_with("__attribute")
                || before.starts_with("__declspec")
                || matches!(before, "alignas" | "decltype" | "explicit" | "noexcept" | "requires");
            self.word(at) == "(" && !is_attribute
        })?;
        // The first parentheses of `operator()` are its name.
        let is_call = self.word(found.wrapping_sub(1)) == "operator" && self.close(found) == found + 1;
        Some(if is_call && self.word(found + 2) == "(" { found + 2 } else { found })
    }

    /// The colon behind which a constructor initialises its members, in a function's head.
    pub fn initialisers(&self, first: usize, open: usize) -> Option<usize> {
        let parameters = self.parameters(self.behind_template(first), open)?;
        self.top_level(self.close(parameters) + 1, open)
            .find(|&at| self.word(at) == ":" && self.word(at + 1) != ":" && self.word(at.wrapping_sub(1)) != ":")
    }

    /// Whether a brace in a constructor's head initialises a member.
    fn is_member_initialiser(&self, first: usize, open: usize, close: usize) -> bool {
        self.initialisers(first, open).is_some() && matches!(self.word(close + 1), "," | "{")
    }

    /// The statements around a token in a function's body, the innermost first.
    pub fn statements(&self, body: (usize, usize), inside: usize) -> Vec<RangeInclusive<usize>> {
        let mut found = Vec::new();
        let (mut at, mut end) = (body.0 + 1, body.1);
        while at < end {
            let (last, block) = self.statement(at, end);
            if inside > last {
                at = last + 1;
                continue;
            }
            found.push(at..=last);
            let Some((open, close)) = block.filter(|(open, close)| (*open + 1..*close).contains(&inside)) else {
                break;
            };
            (at, end) = (open + 1, close);
        }
        found.reverse();
        found
    }

    /// The last token of the statement that starts here, and its block that comes first or contains
    /// further statements.
    fn statement(&self, first: usize, end: usize) -> (usize, Option<(usize, usize)>) {
        let mut at = first;
        while at < end {
            match self.word(at) {
                ";" => return (at, None),
                "{" => {
                    let close = self.close(at).min(end - 1);
                    let is_block = at == first || CONTROL.contains(&self.word(first)) || self.word(at - 1) == ":";
                    if is_block {
                        return (close.max(at), Some((at, close)));
                    }
                    at = close.max(at) + 1;
                }
                "}" => return (at, None),
                _ => at = self.close(at).max(at) + 1,
            }
        }
        (end - 1, None)
    }

    /// The parts of a statement that belong together: `if` with every `else`, `try` with every
    /// `catch`.
    pub fn with_partners(&self, statement: &RangeInclusive<usize>, body: (usize, usize)) -> RangeInclusive<usize> {
        let (mut first, mut last) = (*statement.start(), *statement.end());
        while matches!(self.word(first), "catch") && self.word(first - 1) == "}" {
            let open = self.close(first - 1);
            let keyword = (body.0 + 1..open).rev().find(|&at| matches!(self.word(at), "try" | "catch"));
            let Some(keyword) = keyword.filter(|_| open < first) else { break };
            first = keyword;
        }
        while matches!(self.word(last + 1), "else" | "catch") && last + 1 < body.1 {
            last = self.statement(last + 1, body.1).0;
        }
        if self.word(first) == "do" && self.word(last + 1) == "while" {
            last = self.statement(last + 1, body.1).0;
        }
        first..=last
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    /// The declarations, each as its kind and its text, those inside in braces.
    fn shown(unit: &Unit<'_>, declarations: &[Declaration]) -> Vec<String> {
        let show = |declaration: &Declaration| {
            let words: Vec<&str> = declaration.all.clone().map(|at| unit.word(at)).collect();
            let inner = shown(unit, &declaration.inner).join(", ");
            let inner = if inner.is_empty() { inner } else { format!(" {{{inner}}}") };
            format!(
                "{:?} {}…{}{inner}",
                declaration.kind,
                words[..words.len().min(2)].join(" "),
                words[words.len() - 1]
            )
        };
        declarations.iter().map(show).collect()
    }

    fn of(text: &str) -> Vec<String> {
        let all = tokens(text);
        let unit = Unit::new(text, &all);
        shown(&unit, &unit.declarations())
    }

    #[test]
    fn declarations_have_kinds() {
        for (text, expected) in [
            ("int a; int f(int x) { g(); } int b = h({1});", "Other int a…;, Function int f…}, Other int b…;"),
            (
                "namespace n { extern \"C\" { int a; } }",
                "Namespace namespace n…} {Namespace extern \"C\"…} {Other int a…;}}",
            ),
            (
                "struct S { int a; S() : a{1}, b(2) { f(); } private: int b; } s;",
                "Class struct S…; {Other int a…;, Function S (…}, Other int b…;}",
            ),
            (
                "template <class T, int N = (3 > 2)> struct S : B<T> { void f() const { } };",
                "Class template <…; {Function void f…}}",
            ),
            ("struct S f() { return S{}; } enum E : int { A, B };", "Function struct S…}, Other enum E…;"),
            (
                "bool operator==(S a, S b) { return a.x == b.x; } auto l = [] { f(); };",
                "Function bool operator…}, Other auto l…;",
            ),
            ("struct __attribute__((aligned(8))) S { int a; };", "Class struct __attribute__…; {Other int a…;}"),
            ("template <int N> requires (N > 1) struct S { int a; };", "Class template <…; {Other int a…;}"),
            ("int v{3}; int a[] = { f(1), 2 };", "Other int v…;, Other int a…;"),
        ] {
            assert_eq!(of(text).join(", "), expected, "{text}");
        }
    }

    #[test]
    fn unfinished_text_has_declarations_too() {
        for text in
            ["", "{", "}", "(", ")", ";", "{{{", "}}}", "(((", "template <", "operator", "struct", "a::", "~(", ": : {"]
        {
            of(text);
            let all = tokens(text);
            let unit = Unit::new(text, &all);
            for at in 0..all.len() {
                unit.statements((0, all.len()), at);
                unit.with_partners(&(at..=at), (0, all.len()));
                unit.initialisers(at, all.len());
            }
        }
    }

    #[test]
    fn statements_are_found_from_the_inside_out() {
        let text = "{ int a = b; if (c) { d(); } else { e(); } for (;;) f([] { g(); }); do { h(); } while (i); }";
        let all = tokens(text);
        let unit = Unit::new(text, &all);
        let body = (0, unit.close(0));
        let around = |word: &str| {
            let at = (0..all.len()).find(|&at| unit.word(at) == word).expect("a token");
            let show = |statement: &RangeInclusive<usize>| {
                let whole = unit.with_partners(statement, body);
                text[all[*whole.start()].bytes.start..all[*whole.end()].bytes.end].to_owned()
            };
            unit.statements(body, at).iter().map(show).collect::<Vec<_>>()
        };
        assert_eq!(around("b"), ["int a = b;"]);
        assert_eq!(around("d"), ["d();", "if (c) { d(); } else { e(); }"]);
        assert_eq!(around("e"), ["e();", "else { e(); }"]);
        assert_eq!(around("g"), ["for (;;) f([] { g(); });"]);
        assert_eq!(around("h"), ["h();", "do { h(); } while (i);"]);
    }
}
