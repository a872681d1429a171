//! Programs of several files in CUDA or HIP.
//!
//! The host's code of a file calls functions of other files, and is called by them. The files of
//! one program are linked as a build links them ([`link`]), and launches and runs are then those of
//! the whole. No file says which others a build links with it, so the symbols decide. A file is
//! part of the program if it defines a symbol that one of the program needs, or needs one that one
//! of the program defines.
//!
//! * If several files define a needed symbol, the nearest in the tree of folders counts. If these
//!   are several, none does, and the symbol stays unknown.
//! * A file that needs a symbol for which another file is nearer is part of another program.
//! * A file that looks kernels up through the driver ([`llvm::driver`]), and has the name of one of
//!   the first file's in quotes, is part of the program, too.
//! * A file with a `main` makes a program of its own. A file without one that several such files
//!   need is part of each of these programs.
//!
//! The text of a file decides whether it is compiled at all: it must have the name of a function
//! that the program defines, or define one that the program needs. A file that this overlooks, or
//! that cannot be read, is not linked. Its code is then unknown, as that of a library is.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lockstep_ir::kernel::Language;
use lockstep_system::bounded;
use rustc_hash::FxHashSet;

use super::hosts::{Host, distance};
use super::llvm::driver::LOOKUPS;
use super::llvm::{self, Renamed, Symbols};
use super::{FrontendOptions, clang, first_line, language_of};

/// The most other files that are looked at, the nearest first.
const MOST_LOOKED_AT: usize = 256;

/// The most other files that are compiled for one file.
const MOST_READ: usize = 24;

/// The most headers of a file whose texts are looked at.
const MOST_HEADERS: usize = 16;

/// The most programs that a file is part of.
const MOST_PROGRAMS: usize = 4;

/// The linked host code of a program.
pub struct Linked {
    /// LLVM bitcode.
    pub bitcode: Vec<u8>,
    /// The other files that are part of it, with those of their variables of devices that have
    /// other names in it.
    pub others: Vec<(Arc<Host>, Renamed)>,
    /// The files that could not be read and may launch kernels of the first file: one with this
    /// name, or any.
    pub unread: Vec<(PathBuf, Option<String>)>,
}

/// The host's code of a file.
struct Part {
    bitcode: Vec<u8>,
    symbols: Symbols,
}

/// Another file.
struct Other<'a> {
    host: &'a Arc<Host>,
    text: Vec<u8>,
    words: FxHashSet<Vec<u8>>,
    headers: OnceCell<Vec<Vec<u8>>>,
    distance: usize,
    /// The compiled file.
    part: Option<Part>,
    /// Whether it was to be compiled, and could not be.
    is_unread: bool,
}

impl Other<'_> {
    fn symbols(&self) -> Option<&Symbols> {
        self.part.as_ref().map(|part| &part.symbols)
    }

    fn defines(&self, name: &str) -> bool {
        self.symbols().is_some_and(|symbols| symbols.defined.contains(name))
    }

    /// Whether its text has a name in quotes.
    fn quotes(&self, name: &str) -> bool {
        let quoted = format!("\"{name}\"");
        let is_in = |text: &[u8]| clang::mentions(text, quoted.as_bytes());
        self.words.contains(name.as_bytes()) && is_in(&self.text) || self.headers().iter().any(|text| is_in(text))
    }

    /// The texts of the headers beside the file that it includes.
    fn headers(&self) -> &[Vec<u8>] {
        self.headers.get_or_init(|| {
            let folder = self.host.path.parent().unwrap_or(Path::new(""));
            let text = String::from_utf8_lossy(&self.text);
            let included =
                text.lines().filter_map(|line| line.trim_start().strip_prefix("#include")?.trim().strip_prefix('"'));
            let paths = included.filter_map(|rest| Some(folder.join(rest.split_once('"')?.0)));
            let may_be_read = |path: &PathBuf| self.host.options.may_read(path);
            paths.filter(may_be_read).take(MOST_HEADERS).filter_map(|path| bounded::read(&path).ok()).collect()
        })
    }

    /// Whether its text seems to define a function or variable of this name.
    fn may_define(&self, identifier: &str) -> bool {
        self.words.contains(identifier.as_bytes()) && defines(&self.text, identifier)
    }
}

/// Links the host's code of a file with that of other files, once for each program.
///
/// There is one program at least, which may be the file alone.
pub fn link(
    first: Vec<u8>,
    (path, language): (&Path, Language),
    options: &FrontendOptions,
    diagnostics: &mut String,
) -> Vec<Linked> {
    let alone = |bitcode| vec![Linked { bitcode, others: Vec::new(), unread: Vec::new() }];
    let Ok(symbols) = llvm::symbols(&first) else { return alone(first) };
    let first = Part { bitcode: first, symbols };
    let mut search = Search::new((path, language), options, diagnostics);
    let mut base = Vec::new();
    let mut mains = Vec::new();
    let has_main = first.symbols.defined.contains("main");
    search.kernels = kernels(&first.symbols);
    search.grow(&first, &mut base, (!has_main).then_some(&mut mains));
    let mut programs: Vec<Vec<usize>> = Vec::new();
    for main in mains.into_iter().take(MOST_PROGRAMS) {
        let mut program = base.clone();
        program.push(main);
        search.grow(&first, &mut program, None);
        programs.push(program);
    }
    if programs.is_empty() {
        programs.push(base);
    }
    let mut linked = Vec::new();
    for program in programs {
        match search.linked(&first, &program) {
            Ok(one) => linked.push(one),
            Err(cause) => {
                let _ = writeln!(
                    diagnostics,
                    "note: {}: read without the other files of its program: {cause}",
                    path.display()
                );
                return alone(first.bitcode);
            }
        }
    }
    linked
}

/// The search for the files of a program.
struct Search<'a> {
    others: Vec<Other<'a>>,
    /// The language of files in C++.
    language: Language,
    /// The names of the first file's kernels.
    kernels: Vec<String>,
    read: usize,
    notes: &'a mut String,
}

impl<'a> Search<'a> {
    fn new((path, language): (&Path, Language), options: &'a FrontendOptions, notes: &'a mut String) -> Self {
        let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let own = real(path);
        let mut seen = BTreeSet::from([own]);
        let mut near: Vec<(usize, &Arc<Host>)> =
            options.hosts.iter().map(|host| (distance(&host.path, path), host)).collect();
        near.sort_by_key(|(distance, _)| *distance);
        if near.len() > MOST_LOOKED_AT {
            let (path, all) = (path.display(), near.len());
            let _ = writeln!(
                notes,
                "note: {path}: only the nearest {MOST_LOOKED_AT} of {all} other files are looked at for its launches"
            );
            near.truncate(MOST_LOOKED_AT);
        }
        let new = near.into_iter().filter(|(_, host)| seen.insert(real(&host.path)));
        let others = new.map(|(distance, host)| {
            let text = bounded::read(&host.path).unwrap_or_default();
            Other { host, words: words(&text), headers: OnceCell::new(), text, distance, part: None, is_unread: false }
        });
        Self { others: others.collect(), language, kernels: Vec::new(), read: 0, notes }
    }

    /// Adds files to a program until nothing more belongs to it.
    ///
    /// Files with a `main` go to a list, or are left out if there is none.
    fn grow(&mut self, first: &Part, program: &mut Vec<usize>, mut mains: Option<&mut Vec<usize>>) {
        let seeks_users = mains.is_some();
        loop {
            let (defined, needed) = self.symbols(first, program);
            let in_text = |names: &BTreeSet<String>| names.iter().filter_map(|name| identifier(name)).collect();
            let (users, providers): (BTreeSet<String>, BTreeSet<String>) = (in_text(&defined), in_text(&needed));
            let count = program.len() + mains.as_ref().map_or(0, |mains| mains.len());
            for index in 0..self.others.len() {
                let is_known = program.contains(&index) || mains.as_ref().is_some_and(|mains| mains.contains(&index));
                let other = &self.others[index];
                let may_use = users.iter().any(|name| other.words.contains(name.as_bytes()));
                let may_use = seeks_users && (may_use || self.kernels.iter().any(|name| other.quotes(name)));
                let may_provide = providers.iter().any(|name| other.may_define(name));
                if is_known || !may_use && !may_provide || !self.compile(index) {
                    continue;
                }
                let uses = seeks_users && (self.uses(index, program, &defined) || self.looks_up(index));
                let is_needed = needed.iter().any(|name| self.provider(name) == Some(index));
                let Some(symbols) = self.others[index].symbols().filter(|_| uses || is_needed) else { continue };
                let has_main = symbols.defined.contains("main");
                // It is another version of a file that is there.
                let is_rival = symbols.defined.iter().any(|name| name != "main" && defined.contains(name));
                match &mut mains {
                    _ if is_rival => {}
                    Some(mains) if has_main => mains.push(index),
                    _ if has_main => {}
                    _ => {
                        program.push(index);
                        break;
                    }
                }
            }
            if program.len() + mains.as_ref().map_or(0, |mains| mains.len()) == count {
                return;
            }
        }
    }

    /// The symbols that a program defines, and those that it needs from elsewhere.
    fn symbols(&self, first: &Part, program: &[usize]) -> (BTreeSet<String>, BTreeSet<String>) {
        let all = program.iter().filter_map(|index| self.others[*index].symbols()).chain([&first.symbols]);
        let (mut defined, mut needed) = (BTreeSet::new(), BTreeSet::new());
        for symbols in all {
            defined.extend(symbols.defined.iter().filter(|name| *name != "main").cloned());
            needed.extend(symbols.needed.iter().cloned());
        }
        needed.retain(|name| !defined.contains(name));
        (defined, needed)
    }

    /// Compiles another file, unless it has been; whether it can be read.
    fn compile(&mut self, index: usize) -> bool {
        let other = &mut self.others[index];
        if other.part.is_none() && !other.is_unread {
            let is_one_too_many = self.read >= MOST_READ;
            self.read += 1;
            let part = if is_one_too_many {
                Err(format!("{MOST_READ} other files of its program are looked at"))
            } else {
                compile(other.host, self.language, &other.text)
            };
            match part {
                Ok(part) => other.part = Some(part),
                Err(cause) => {
                    other.is_unread = true;
                    let _ = writeln!(
                        self.notes,
                        "note: {}: its host code is not looked at: {cause}",
                        other.host.path.display()
                    );
                }
            }
        }
        self.others[index].part.is_some()
    }

    /// Whether a file needs a symbol of a program for which no other file is nearer.
    fn uses(&self, user: usize, program: &[usize], defined: &BTreeSet<String>) -> bool {
        let Some(symbols) = self.others[user].symbols() else { return false };
        let from = |index: usize| distance(&self.others[index].host.path, &self.others[user].host.path);
        symbols.needed.intersection(defined).any(|name| {
            let of_program = program.iter().find(|index| self.others[**index].defines(name));
            let own = of_program.map_or(self.others[user].distance, |index| from(*index));
            let identifier = identifier(name).unwrap_or_default();
            let others = (0..self.others.len()).filter(|index| *index != user && !program.contains(index));
            let rivals = others.filter(|index| self.others[*index].may_define(&identifier));
            rivals.into_iter().all(|rival| from(rival) >= own)
        })
    }

    /// Whether a file looks up a kernel of the first file, and no nearer file has one of this name.
    fn looks_up(&self, user: usize) -> bool {
        let Some(symbols) = self.others[user].symbols() else { return false };
        let from = |index: &usize| distance(&self.others[*index].host.path, &self.others[user].host.path);
        LOOKUPS.iter().any(|lookup| symbols.needed.contains(*lookup))
            && self.kernels.iter().filter(|name| self.others[user].quotes(name)).any(|name| {
                let mut rivals = (0..self.others.len()).filter(|index| self.others[*index].may_define(name));
                rivals.all(|rival| from(&rival) >= self.others[user].distance)
            })
    }

    /// The nearest file that defines a symbol, if there is one.
    fn provider(&mut self, name: &str) -> Option<usize> {
        let identifier = identifier(name)?;
        let may: Vec<usize> =
            (0..self.others.len()).filter(|index| self.others[*index].may_define(&identifier)).collect();
        let mut found: Option<usize> = None;
        for index in may {
            if found.is_some_and(|found| self.others[found].distance < self.others[index].distance) {
                break;
            }
            if self.compile(index) && self.others[index].defines(name) {
                if found.is_some() {
                    return None;
                }
                found = Some(index);
            }
        }
        found
    }

    /// The files that could not be read and that need something of the program, by their text.
    ///
    /// They may launch its kernels, or call its functions with other numbers.
    fn unread(&self, first: &Part, program: &[usize]) -> Vec<(PathBuf, Option<String>)> {
        let has_main = first.symbols.defined.contains("main");
        let (defined, _) = self.symbols(first, program);
        let functions: BTreeSet<String> = defined.iter().filter_map(|name| identifier(name)).collect();
        let mut found = Vec::new();
        for (index, other) in self.others.iter().enumerate().filter(|(_, other)| other.is_unread) {
            if has_main && defines(&other.text, "main") {
                continue;
            }
            let from = |index: &usize| distance(&self.others[*index].host.path, &other.host.path);
            let needs = |name: &str| {
                let mut rivals = (0..self.others.len()).filter(|rival| self.others[*rival].may_define(name));
                other.words.contains(name.as_bytes())
                    && rivals.all(|rival| program.contains(&rival) || rival != index && from(&rival) >= other.distance)
            };
            let path = || other.host.path.clone();
            if functions.iter().any(|name| !self.kernels.contains(name) && needs(name)) {
                found.push((path(), None));
            } else {
                found.extend(self.kernels.iter().filter(|name| needs(name)).map(|name| (path(), Some(name.clone()))));
            }
        }
        found
    }

    /// Links a program.
    fn linked(&self, first: &Part, program: &[usize]) -> Result<Linked, String> {
        if program.is_empty() {
            let (bitcode, unread) = (first.bitcode.clone(), self.unread(first, program));
            return Ok(Linked { bitcode, others: Vec::new(), unread });
        }
        let others = program.iter().filter_map(|index| {
            let other = &self.others[*index];
            Some((other.host, other.part.as_ref()?))
        });
        let others: Vec<(&Arc<Host>, &Part)> = others.collect();
        let mut seen = BTreeSet::new();
        let mut stubs = others.iter().map(|(_, part)| &part.symbols).chain([&first.symbols]);
        if !stubs.all(|symbols| symbols.own_stubs.iter().all(|name| seen.insert(name))) {
            return Err("two of its kernels have one name".to_owned());
        }
        let renamed: Vec<Renamed> = renamed(&first.symbols, others.iter().map(|(_, part)| &part.symbols));
        let codes: Vec<(&[u8], &Renamed)> =
            others.iter().zip(&renamed).map(|((_, part), renamed)| (part.bitcode.as_slice(), renamed)).collect();
        Ok(Linked {
            bitcode: llvm::link(&first.bitcode, &codes)?,
            others: others
                .iter()
                .zip(&renamed)
                .map(|((host, _), renamed)| ((*host).clone(), renamed.clone()))
                .collect(),
            unread: self.unread(first, program),
        })
    }
}

/// Other names for variables of devices that an earlier file has, too: each file has its own.
fn renamed<'s>(first: &'s Symbols, others: impl Iterator<Item = &'s Symbols>) -> Vec<Renamed> {
    let mut seen: BTreeSet<&String> = first.own_shadows.iter().collect();
    let of_file = |(number, symbols): (usize, &'s Symbols)| {
        let again: Vec<&String> = symbols.own_shadows.iter().filter(|name| !seen.insert(name)).collect();
        again.into_iter().map(|name| (name.clone(), format!("{name}.of.{number}"))).collect()
    };
    (1..).zip(others).map(of_file).collect()
}

fn compile(host: &Host, of_program: Language, text: &[u8]) -> Result<Part, String> {
    let with_openmp = clang::mentions(text, b"pragma omp");
    let language = language_of(&host.path, &host.options);
    let compiled = match language {
        Some(language @ (Language::Cuda | Language::Hip)) => {
            clang::compile_host(&host.path, language, with_openmp, &host.options)
        }
        _ => clang::compile_plain_host(&host.path, of_program, with_openmp, &host.options),
    };
    let bitcode = compiled.map_err(|error| first_line(&error))?.bitcode;
    let symbols = llvm::symbols(&bitcode)?;
    Ok(Part { bitcode, symbols })
}

/// The names of a file's kernels.
fn kernels(symbols: &Symbols) -> Vec<String> {
    let all = symbols.own_stubs.iter().chain(&symbols.defined).filter(|name| name.contains(llvm::STUB));
    all.filter_map(|stub| identifier(stub)).collect()
}

/// The name of a symbol's function or variable in the source, without scopes; that of the kernel
/// for a stub. `None` if the symbol has another form.
fn identifier(symbol: &str) -> Option<String> {
    let name = match symbol.strip_prefix("_Z") {
        None => symbol,
        Some(encoding) => last_name(encoding)?,
    };
    Some(name.strip_prefix(llvm::STUB).unwrap_or(name).to_owned())
}

/// The last of the names with which the encoding of a C++ symbol begins: `N2ns1kEPi` is `k`.
fn last_name(encoding: &str) -> Option<&str> {
    let mut rest = encoding.trim_start_matches(['N', 'K', 'L']);
    let is_nested = encoding.starts_with('N');
    let mut last = None;
    while rest.starts_with(|first: char| first.is_ascii_digit()) {
        let digits = rest.len() - rest.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
        let length: usize = rest[..digits].parse().ok()?;
        last = Some(rest.get(digits..digits.checked_add(length)?)?);
        rest = &rest[digits + length..];
        if !is_nested {
            break;
        }
    }
    last
}

fn is_part_of_word(byte: Option<&u8>) -> bool {
    byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

/// The places behind a word in a text.
fn behind<'a>(text: &'a [u8], word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_it = move |at: &usize| {
        text[*at..].starts_with(word.as_bytes())
            && !is_part_of_word(text.get(at + word.len()))
            && !is_part_of_word(at.checked_sub(1).and_then(|before| text.get(before)))
    };
    let last = text.len().saturating_sub(word.len());
    let starts = if word.is_empty() { 0..0 } else { 0..last + 1 };
    starts.filter(is_it).map(|at| at + word.len())
}

/// The words of a text.
fn words(text: &[u8]) -> FxHashSet<Vec<u8>> {
    let words = text.split(|byte| !is_part_of_word(Some(byte)));
    words.filter(|word| !word.is_empty()).map(<[u8]>::to_vec).collect()
}

/// Whether a text seems to define a function of this name, or a variable outside of functions.
///
/// Behind a function's name are its parameters and its body. A variable is outside of functions if
/// its line is not indented.
fn defines(text: &[u8], name: &str) -> bool {
    behind(text, name).any(|end| {
        let rest = text[end..].trim_ascii_start();
        match rest.first() {
            Some(b'(') => {
                let mut depth = 0_u32;
                let close = rest.iter().position(|byte| {
                    match byte {
                        b'(' => depth += 1,
                        b')' => depth -= 1,
                        _ => {}
                    }
                    depth == 0
                });
                let after = close.map_or(&[][..], |close| rest[close + 1..].trim_ascii_start());
                after.first() == Some(&b'{') || after.starts_with(b"const") || after.starts_with(b"noexcept")
            }
            Some(b'=' | b';' | b',' | b'[' | b'{') => {
                let line = text[..end].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
                !text[line..].starts_with(b" ")
                    && !text[line..].starts_with(b"\t")
                    && !text[line..].starts_with(b"extern ")
            }
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_have_names_in_the_source() {
        for (symbol, name) in [
            ("launch", Some("launch")),
            ("_Z6launchPii", Some("launch")),
            ("_ZN2ns5Class6launchEPi", Some("launch")),
            ("_ZNK5Class4sizeEv", Some("size")),
            ("_Z16__device_stub__kPf", Some("k")),
            ("__device_stub__plain", Some("plain")),
            ("_ZSt4cout", None),
            ("_Z99x", None),
        ] {
            assert_eq!(identifier(symbol).as_deref(), name, "{symbol}");
        }
    }

    #[test]
    fn definitions_are_found_in_text() {
        let text = b"int count = 3;\nextern float *other;\nvoid launch (int *a, int (*f)(int))\n{\n  call(a);\n  if (f(1)) {}\n}";
        for (name, expected) in [
            ("launch", true),
            ("count", true),
            ("other", false),
            ("call", false),
            ("f", false),
            ("laun", false),
            ("", false),
        ] {
            assert_eq!(defines(text, name), expected, "{name}");
        }
    }

    #[test]
    fn a_file_that_ends_early_defines_nothing() {
        assert!(!defines(b"void launch(", "launch"));
        assert!(!defines(b"launch", "launch"));
        assert!(!defines(b"", "launch"));
    }
}
