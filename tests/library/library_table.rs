//! Checks that the tables of `docs/library-models.md` are complete.
//!
//! They name each class and function that the headers model and a kernel may name, and a test names
//! each of those.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The headers that model a library, in `src/frontend/cuda/headers/`. `tests/math.rs` covers
/// functions on numbers.
const MODELS: [&str; 16] = [
    "atomics.h",
    "cooperative_groups.h",
    "cooperative_groups_memcpy_async.h",
    "cooperative_groups_reduce.h",
    "cooperative_groups_scan.h",
    "cub.h",
    "cuda_atomic.h",
    "cuda_functional.h",
    "cuda_pipeline.h",
    "cuda_std.h",
    "cuda_std_complex.h",
    "cuda_synchronisation.h",
    "curand_kernel.h",
    "mma.h",
    "synchronisation.h",
    "thrust.h",
];

/// Names of ours that look like the library's, each with its header.
const OURS: [(&str, &str); 6] = [
    ("cooperative_groups.h", "get_type"),
    ("cooperative_groups.h", "mask"),
    ("cuda_atomic.h", "address"),
    ("cuda_atomic.h", "at"),
    ("cuda_synchronisation.h", "__empty_completion"),
    // An annotation takes this name.
    ("synchronisation.h", "__all"),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The words of a text, with `*` as a letter of words.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_word(c) && c != '*').filter(|word| !word.is_empty())
}

// --- The headers ---------------------------------------------------------------------------------

/// A macro that makes declarations: its parameters and its replacement text.
struct Macro {
    parameters: Vec<String>,
    body: String,
}

/// The text up to the matching closing bracket, and the text after it.
fn bracketed(text: &str) -> (&str, &str) {
    let mut depth = 1;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (&text[..at], &text[at + 1..]);
        }
    }
    panic!("no closing bracket in: {}", text.lines().next().unwrap_or_default());
}

/// The parts between commas outside of brackets.
fn arguments(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for c in text.chars() {
        match c {
            '(' | '{' => depth += 1,
            ')' | '}' => depth -= 1,
            _ => {}
        }
        if c == ',' && depth == 0 {
            parts.push(String::new());
        } else {
            parts.last_mut().expect("one at least").push(c);
        }
    }
    parts.iter().map(|part| part.trim().to_owned()).collect()
}

/// The text without comments and preprocessor lines; the macros of declarations are returned.
fn without_directives(text: &str) -> (String, BTreeMap<String, Macro>) {
    let mut code = String::new();
    for (index, part) in text.split("/*").enumerate() {
        code += if index == 0 { part } else { part.split_once("*/").expect("the comment ends").1 };
    }
    let (mut rest, mut macros) = (String::new(), BTreeMap::new());
    let code = code.replace("\\\n", "\u{1}");
    for line in code.lines() {
        let line = line.replace('\u{1}', "\n");
        let Some(directive) = line.trim_start().strip_prefix('#') else {
            rest += &line;
            rest.push('\n');
            continue;
        };
        let Some((name, behind)) = directive.strip_prefix("define ").and_then(|text| text.split_once('(')) else {
            continue;
        };
        if name.chars().all(is_word) {
            let (parameters, body) = bracketed(behind);
            let body = if name.starts_with("__LOCKSTEP") { body } else { "" };
            macros.insert(name.to_owned(), Macro { parameters: arguments(parameters), body: body.to_owned() });
        }
    }
    (rest, macros)
}

/// The text with the macros expanded, including those in their replacement texts.
fn expanded(text: &str, macros: &BTreeMap<String, Macro>, depth: usize) -> String {
    let Some((at, name)) = macros.keys().filter_map(|name| Some((invocation(text, name)?, name))).min() else {
        return text.to_owned();
    };
    assert!(depth < 50, "{name} stands for itself");
    let (given, behind) = bracketed(&text[at + name.len() + 1..]);
    let (mut body, given) = (macros[name].body.clone(), arguments(given));
    for (parameter, argument) in macros[name].parameters.iter().zip(&given) {
        body = with_word(&body, parameter, argument);
    }
    let body = expanded(&body.replace("##", ""), macros, depth + 1);
    format!("{}{body}{}", &text[..at], expanded(behind, macros, depth))
}

/// The place where a macro is invoked.
fn invocation(text: &str, name: &str) -> Option<usize> {
    let starts = |at: usize| !text[..at].ends_with(is_word);
    text.match_indices(name).map(|(at, _)| at).find(|&at| starts(at) && text[at + name.len()..].starts_with('('))
}

/// The text with each occurrence of this word replaced.
fn with_word(text: &str, word: &str, other: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(word) {
        let whole = !rest[..at].ends_with(is_word) && !rest[at + word.len()..].starts_with(is_word);
        result += &rest[..at];
        result += if whole { other } else { word };
        rest = &rest[at + word.len()..];
    }
    result + rest
}

/// The contents of a pair of braces.
enum Scope {
    Namespace { ours: bool },
    Class { named: bool, visible: bool },
    Other,
}

/// The classes and functions that a header declares for kernels.
///
/// Refused members are left out: their class says so.
fn declared(text: &str) -> BTreeSet<String> {
    let (code, macros) = without_directives(text);
    let code = expanded(&code, &macros, 0);
    let mut names: BTreeSet<String> = macros.into_keys().filter(|name| is_public(name)).collect();
    let (mut scopes, mut head, mut depth) = (Vec::new(), String::new(), 0);
    for (at, c) in code.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth > 0 || !matches!(c, '{' | '}' | ';') {
            head.push(c);
            continue;
        }
        let text = std::mem::take(&mut head);
        let refused = code[at + 1..].trim_start().trim_start_matches("return ").starts_with("__lockstep_refused");
        let scope = if c == '}' { Scope::Other } else { declare(&text, refused, &mut scopes, &mut names) };
        match c {
            '{' => scopes.push(scope),
            '}' => drop(scopes.pop()),
            _ => {}
        }
    }
    assert!(scopes.is_empty(), "braces do not match");
    names
}

fn is_public(name: &str) -> bool {
    !name.starts_with("__lockstep") && !name.starts_with("__LOCKSTEP") && !name.starts_with("__nvvm")
}

/// The scope that a declaration begins, from the text before its brace or semicolon.
fn declare(text: &str, refused: bool, scopes: &mut [Scope], names: &mut BTreeSet<String>) -> Scope {
    let mut text = text.trim();
    for (label, shows) in [("public:", true), ("private:", false)] {
        while let Some(at) = text.find(label) {
            if let Some(Scope::Class { visible, .. }) = scopes.last_mut() {
                *visible = shows;
            }
            text = text[at + label.len()..].trim();
        }
    }
    let (in_class, shown) = match scopes.last() {
        None => (false, true),
        Some(Scope::Namespace { ours }) => (false, !ours),
        // The operations on atomics are members of a class of ours.
        Some(Scope::Class { named, visible }) => (true, *named && *visible),
        Some(Scope::Other) => return Scope::Other,
    };
    let declaration = without_template(text);
    let mut first = declaration.split_whitespace();
    match first.next() {
        Some("namespace") => {
            let ours = first.next().is_some_and(|name| name == "details" || !is_public(name));
            Scope::Namespace { ours }
        }
        Some(kind @ ("struct" | "class")) => {
            let name = first.find(|word| !word.starts_with("alignas")).unwrap_or_default();
            let name = name.split(|c: char| !is_word(c)).next().unwrap_or_default();
            if shown && !in_class && is_public(name) {
                names.insert(name.to_owned());
            }
            Scope::Class { named: is_public(name) && !in_class, visible: kind == "struct" }
        }
        _ => {
            if shown && !(in_class && refused) && is_for_devices(text) && !declaration.starts_with("static ") {
                names.extend(functions(declaration).into_iter().filter(|name| is_public(name)));
            }
            Scope::Other
        }
    }
}

/// A declaration without its template part.
fn without_template(text: &str) -> &str {
    let Some(mut rest) = text.strip_prefix("template") else { return text };
    let mut depth = 0;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            '(' => rest = bracketed(rest).1,
            _ => {}
        }
        if depth == 0 && c == '>' {
            break;
        }
    }
    without_template(rest.trim_start())
}

fn is_for_devices(text: &str) -> bool {
    const MARKS: [&str; 8] = [
        "__LOCKSTEP_INLINE",
        "__LOCKSTEP_BOTH",
        "__LOCKSTEP_MEMBER",
        "__LOCKSTEP_OF_BOTH",
        "__LOCKSTEP_STATIC",
        "__LOCKSTEP_DEVICE",
        "__LOCKSTEP_ANYWHERE",
        "__device__",
    ];
    words(text).any(|word| MARKS.contains(&word))
}

/// The names of functions in a declaration of some: the words before each outermost bracket.
fn functions(declaration: &str) -> Vec<String> {
    if words(declaration).any(|word| word == "operator") {
        return Vec::new();
    }
    let mut names = Vec::new();
    let mut rest = declaration;
    while let Some(at) = rest.find('(') {
        let name: String = rest[..at].trim_end().chars().rev().take_while(|&c| is_word(c)).collect();
        let name: String = name.chars().rev().collect();
        if !["", "__attribute__", "decltype", "enable_if", "alignas"].contains(&name.as_str()) {
            names.push(name);
        }
        rest = bracketed(&rest[at + 1..]).1;
        // The members that a constructor initialises follow a colon.
        if rest.trim_start().starts_with(':') {
            break;
        }
    }
    names
}

/// The names of each header.
fn modelled() -> Vec<(&'static str, BTreeSet<String>)> {
    let folder = root().join("src/frontend/cuda/headers");
    let names = |header: &'static str| {
        let mut names = declared(&read(&folder.join(header)));
        names.retain(|name| !OURS.contains(&(header, name.as_str())));
        (header, names)
    };
    MODELS.into_iter().map(names).collect()
}

// --- The page ------------------------------------------------------------------------------------

/// A name in a table: the functions it may stand for, with `*` for any letters.
///
/// `_b` after `f_a` is `f_b` or `f_a_b`.
type Entry = Vec<String>;

fn entries(page: &str) -> Vec<Entry> {
    let rows = page.lines().filter_map(|line| line.strip_prefix("| ")).filter_map(|row| row.split(" | ").next());
    let mut entries = Vec::new();
    for cell in rows {
        let mut before = String::new();
        for code in cell.split('`').skip(1).step_by(2) {
            let code = code.split(['(', '<']).next().unwrap_or_default();
            let Some(name) = words(code.rsplit("::").next().unwrap_or_default()).next() else { continue };
            if name.starts_with('_') && !name.starts_with("__") {
                let stems = before.match_indices('_').map(|(at, _)| &before[..at]).chain([before.as_str()]);
                let named = stems.filter(|stem| !stem.is_empty() && !stem.ends_with('_'));
                entries.push(named.map(|stem| format!("{stem}{name}")).collect());
            } else {
                name.clone_into(&mut before);
                entries.push(vec![name.to_owned()]);
            }
        }
    }
    entries
}

/// Whether an entry stands for a name.
fn stands_for(entry: &[String], name: &str) -> bool {
    entry.iter().any(|pattern| match pattern.split_once('*') {
        Some((start, end)) => name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end),
        None => pattern == name,
    })
}

// --- The tests -----------------------------------------------------------------------------------

/// The words of every kernel below `tests/`, except those of comments.
fn tested() -> BTreeSet<String> {
    let (mut folders, mut found): (Vec<PathBuf>, _) = (vec![root().join("tests")], BTreeSet::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the folder can be read") {
            let path = entry.expect("the folder can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "cu" || extension == "hip") {
                let text = read(&path);
                let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
                found.extend(code.flat_map(words).map(str::to_owned));
            }
        }
    }
    found
}

#[test]
fn each_modelled_function_is_on_the_page() {
    let entries = entries(&read(&root().join("docs/library-models.md")));
    let mut missing = Vec::new();
    for (header, names) in modelled() {
        let unnamed = names.iter().filter(|name| !entries.iter().any(|entry| stands_for(entry, name)));
        missing.extend(unnamed.map(|name| format!("{header}: {name}")));
    }
    assert!(missing.is_empty(), "no table of docs/library-models.md has a row for:\n{}", missing.join("\n"));
}

#[test]
fn each_function_on_the_page_is_tested() {
    let tested = tested();
    let modelled = modelled();
    let mut missing = BTreeSet::new();
    for entry in entries(&read(&root().join("docs/library-models.md"))) {
        if entry.iter().any(|pattern| pattern.contains('*')) {
            let meant = modelled.iter().flat_map(|(_, names)| names).filter(|name| stands_for(&entry, name));
            missing.extend(meant.filter(|name| !tested.contains(*name)).cloned());
        } else if !entry.iter().any(|name| tested.contains(name)) {
            missing.insert(entry.join(" or "));
        }
    }
    let missing: Vec<String> = missing.into_iter().collect();
    assert!(missing.is_empty(), "no kernel below tests/ names, of docs/library-models.md:\n{}", missing.join("\n"));
}

#[test]
fn the_headers_are_read() {
    let header = "
        #define __LOCKSTEP_PAIR(NAME, ...) \\
            struct NAME##_of { __LOCKSTEP_MEMBER int get(int x) const { return x; } __VA_ARGS__ }; \\
            __LOCKSTEP_INLINE void NAME(int) {}
        #define of_all(x) x
        namespace vendor {
        /* void comment(); */
        __LOCKSTEP_PAIR(pair, int operator+(int);)
        struct later;
        template <class T = decltype(f())> class open {
            __LOCKSTEP_MEMBER void hidden();
        public:
            __LOCKSTEP_MEMBER open(int x) : x(x) {}
            __LOCKSTEP_MEMBER void shown() { inside(); }
            __LOCKSTEP_MEMBER void not_here() { __lockstep_refused_open(); }
            void of_the_host();
        private:
            __LOCKSTEP_MEMBER void hidden_too();
        };
        struct __lockstep_own { __LOCKSTEP_MEMBER void unseen(); };
        template <class... A> void host(A &&...);
        __LOCKSTEP_DEVICE int first(int), second(int);
        } // namespace vendor
    "
    .replace("// namespace vendor", "");
    let names: Vec<String> = declared(&header).into_iter().collect();
    assert_eq!(names, ["first", "get", "later", "of_all", "open", "pair", "pair_of", "second", "shown"]);
    for (header, names) in modelled() {
        assert!(!names.is_empty() || header == "cuda_std_complex.h", "{header}");
    }
}

#[test]
fn the_page_is_read() {
    let entries = entries("| function | says |\n| `f_a`, `_b`, `x::g*_c(h)` | `not_this` |\ntext `nor_this`\n");
    assert_eq!(entries, [vec!["f_a"], vec!["f_b", "f_a_b"], vec!["g*_c"]]);
    assert!(stands_for(&entries[1], "f_b") && stands_for(&entries[2], "g_much_c") && !stands_for(&entries[2], "g_"));
}
