//! Programs of several files in CUDA or HIP.
//!
//! The host's code of a file calls functions of other files, and is called by them. The files of
//! one program are linked as a build links them ([`link`]), and launches and runs are then those of
//! the whole. No file says which others a build links with it, so the symbols decide.
//!
//! A file is **connected** if it needs a symbol that leads to a launch of the first file's kernels:
//! the stub of a kernel, or a function, of the first file or of a connected one, from which such a
//! symbol can be reached. A file that looks kernels up through the driver ([`llvm::driver`]), and
//! has the name of one in quotes, is connected, too. A program is the first file, the connected
//! files without a `main`, a connected file with one, and the files that define what these need.
//!
//! * If several files define a needed symbol, the nearest in the tree of folders counts. If these
//!   are several, none does, and the symbol stays unknown.
//! * A file that needs a symbol for which another file is nearer is part of another program.
//! * Each connected file with a `main` makes a program of its own.
//!
//! A file is compiled if its text, or that of headers that it includes, has the name of such a
//! symbol. So each file that may launch the kernels is part of a program, or does not need such a
//! symbol, or is **left out**: it cannot be read, or defines what another part of the program
//! defines. The kernels are then verified for launches of any size, too. So they are if a file has
//! the name of a kernel in quotes and its program calls no lookup that is seen. A file that is
//! connected by a name which a macro puts together is overlooked, and so are those beyond the
//! nearest.
//!
//! The files that define what a program needs are found by their texts as well. One that is
//! overlooked leaves its functions unknown, as those of a library are.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use lockstep_ir::kernel::Language;
use lockstep_system::bounded;
use rustc_hash::{FxHashMap, FxHashSet};

use super::hosts::{Host, distance};
use super::llvm::driver::LOOKUPS;
use super::llvm::{self, Renamed, Symbols};
use super::{FrontendOptions, clang, first_line, language_of};

/// The most other files that are looked at, the nearest first.
const MOST_LOOKED_AT: usize = 256;

/// The most other files that are compiled for one file.
const MOST_READ: usize = 24;

/// The most headers of a file whose texts are looked at.
const MOST_HEADERS: usize = 32;

/// The most programs that a file is part of.
const MOST_PROGRAMS: usize = 4;

/// The longest name in quotes, in bytes.
const LONGEST_NAME: usize = 256;

/// The longest list of parameters, in bytes.
const LONGEST_PARAMETERS: usize = 1024;

/// The linked host code of a program.
pub struct Linked {
    /// LLVM bitcode.
    pub bitcode: Vec<u8>,
    /// The other files that are part of it, with those of their stubs and variables of devices that
    /// have other names in it.
    pub others: Vec<(Arc<Host>, Renamed)>,
}

/// The programs that a file is part of.
pub struct Programs {
    /// There is one at least, which may be the file alone.
    pub linked: Vec<Linked>,
    /// The files that may launch the first file's kernels, and are in none of the programs.
    pub left_out: BTreeSet<PathBuf>,
}

/// The host's code of a file.
struct Part {
    bitcode: Vec<u8>,
    symbols: Symbols,
}

/// Another file.
struct Other<'a> {
    host: &'a Arc<Host>,
    texts: Texts,
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
        self.symbols().is_some_and(|symbols| symbols.defines(name))
    }

    /// Whether its text seems to define a function or variable of this name.
    fn may_define(&self, identifier: &str) -> bool {
        self.texts.own.defined.contains(identifier.as_bytes())
    }
}

/// Links the host's code of a file with that of other files, once for each program.
pub fn link(
    first: Vec<u8>,
    (path, language): (&Path, Language),
    options: &FrontendOptions,
    diagnostics: &mut String,
) -> Programs {
    let alone = |bitcode, left_out| Programs { linked: vec![Linked { bitcode, others: Vec::new() }], left_out };
    if options.hosts.is_empty() {
        return alone(first, BTreeSet::new());
    }
    // A module that cannot be read has no launches either, and that is told.
    let Ok(symbols) = llvm::symbols(&first) else { return alone(first, BTreeSet::new()) };
    let mut search = Search::new((path, language), options, diagnostics);
    search.first = Part { bitcode: first, symbols };
    search.connect();
    let programs = search.programs();
    let linked: Result<Vec<Linked>, String> = programs.iter().map(|program| search.linked(program)).collect();
    let mut left_out = search.left_out(&programs);
    match linked {
        Ok(linked) => Programs { linked, left_out },
        Err(cause) => {
            let path = path.display();
            let _ = writeln!(search.notes, "note: {path}: read without the other files of its program: {cause}");
            left_out.extend(programs.iter().flatten().map(|index| search.others[*index].host.path.clone()));
            alone(search.first.bitcode, left_out)
        }
    }
}

/// The search for the files of programs.
struct Search<'a> {
    first: Part,
    others: Vec<Other<'a>>,
    /// The language of files in C++.
    language: Language,
    /// The connected files.
    connected: Vec<usize>,
    /// Those that are connected because they have a kernel's name in quotes.
    by_name: BTreeSet<usize>,
    /// The symbols that lead to a launch.
    launching: BTreeSet<String>,
    /// Connected files, and others that define what a program needs, which are in no program.
    dropped: BTreeSet<usize>,
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
        let mut known = FxHashMap::default();
        let other = |(distance, host): (usize, &'a Arc<Host>)| Other {
            host,
            texts: Texts::of(host, &mut known),
            distance,
            part: None,
            is_unread: false,
        };
        Self {
            first: Part { bitcode: Vec::new(), symbols: Symbols::default() },
            others: new.map(other).collect(),
            language,
            connected: Vec::new(),
            by_name: BTreeSet::new(),
            launching: BTreeSet::new(),
            dropped: BTreeSet::new(),
            read: 0,
            notes,
        }
    }

    /// Finds the connected files.
    fn connect(&mut self) {
        let stubs = self.first.symbols.defined.iter().chain(&self.first.symbols.shared);
        self.launching = stubs.filter(|name| name.contains(llvm::STUB)).cloned().collect();
        self.follow_calls();
        let is_used = |word: &&str| self.others.iter().any(|other| other.texts.has_word(word));
        let quoted = if LOOKUPS.iter().any(is_used) { kernels(&self.first.symbols) } else { Vec::new() };
        let mut is_decided = vec![false; self.others.len()];
        loop {
            let names: BTreeSet<Option<String>> = self.launching.iter().map(|name| identifier(name)).collect();
            let has_name = |texts: &Texts| {
                let has = |name: &Option<String>| name.as_ref().is_none_or(|name| texts.has_word(name));
                names.iter().any(has) || quoted.iter().any(|name| texts.quotes(name))
            };
            let is_new = |index: &usize| !is_decided[*index] && has_name(&self.others[*index].texts);
            let Some(index) = (0..self.others.len()).find(is_new) else { return };
            is_decided[index] = true;
            if !self.compile(index) {
                continue;
            }
            let has_in_quotes = quoted.iter().any(|name| self.others[index].texts.quotes(name));
            if !self.uses(index) && !has_in_quotes {
                continue;
            }
            self.by_name.extend(has_in_quotes.then_some(index));
            self.connected.push(index);
            if self.follow_calls() {
                // Files that did not need the earlier symbols may need the new ones.
                for (index, decided) in is_decided.iter_mut().enumerate() {
                    *decided &= self.connected.contains(&index) || self.others[index].is_unread;
                }
            }
        }
    }

    /// Finds the symbols of the first file and of connected files that lead to a launch; whether
    /// there are new ones.
    fn follow_calls(&mut self) -> bool {
        let before = self.launching.len();
        loop {
            let count = self.launching.len();
            let found: Vec<String> =
                self.parts(&self.connected).flat_map(|symbols| symbols.launching(&self.launching)).collect();
            self.launching.extend(found);
            if self.launching.len() == count {
                return count > before;
            }
        }
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
                compile(other.host, self.language, &other.texts)
            };
            match part {
                Ok(part) => other.part = Some(part),
                Err(cause) => {
                    other.is_unread = true;
                    let path = other.host.path.display();
                    let _ = writeln!(self.notes, "note: {path}: its host code is not looked at: {cause}");
                }
            }
        }
        self.others[index].part.is_some()
    }

    /// Whether a file needs a symbol that leads to a launch, for which no other file is nearer.
    fn uses(&mut self, user: usize) -> bool {
        let Some(symbols) = self.others[user].symbols() else { return false };
        let used: Vec<String> = symbols.needed.intersection(&self.launching).cloned().collect();
        used.into_iter().any(|name| {
            let of_connected = self.connected.iter().find(|index| self.others[**index].defines(&name));
            let own = of_connected.map_or(self.others[user].distance, |index| self.between(*index, user));
            !self.is_nearer_elsewhere(user, &name, own)
        })
    }

    /// The distance between two files.
    fn between(&self, a: usize, b: usize) -> usize {
        distance(&self.others[a].host.path, &self.others[b].host.path)
    }

    /// Whether a file that is not connected is nearer to a user, and defines a symbol.
    ///
    /// Such a file takes a user away, so its text alone is no reason.
    fn is_nearer_elsewhere(&mut self, user: usize, name: &str, own: usize) -> bool {
        let identifier = identifier(name).unwrap_or_default();
        (0..self.others.len()).any(|rival| {
            rival != user
                && !self.connected.contains(&rival)
                && self.between(rival, user) < own
                && self.others[rival].may_define(&identifier)
                && self.compile(rival)
                && self.others[rival].defines(name)
        })
    }

    /// The other files of each program.
    fn programs(&mut self) -> Vec<Vec<usize>> {
        let has_main = |search: &Self, index: usize| search.others[index].defines("main");
        let (mains, others): (Vec<usize>, Vec<usize>) =
            self.connected.clone().into_iter().partition(|index| has_main(self, *index));
        let mut base = Vec::new();
        for index in others {
            self.add(&mut base, index);
        }
        let mut programs = Vec::new();
        if self.first.symbols.defined.contains("main") || mains.is_empty() {
            // Another file with a `main` cannot be linked with the first one.
            programs.push(base.clone());
        } else {
            for (count, main) in mains.iter().enumerate() {
                let mut program = base.clone();
                if count >= MOST_PROGRAMS {
                    self.dropped.insert(*main);
                } else if self.add(&mut program, *main) {
                    programs.push(program);
                }
            }
        }
        if programs.is_empty() {
            programs.push(base);
        }
        for program in &mut programs {
            self.complete(program);
        }
        programs
    }

    /// Adds a file to a program, unless it defines what another part of it defines.
    fn add(&mut self, program: &mut Vec<usize>, index: usize) -> bool {
        let defined = self.defined(program);
        let is_rival = self.others[index].symbols().is_none_or(|symbols| !symbols.defined.is_disjoint(&defined));
        if is_rival {
            self.dropped.insert(index);
        } else {
            program.push(index);
        }
        !is_rival
    }

    fn parts<'s>(&'s self, program: &'s [usize]) -> impl Iterator<Item = &'s Symbols> {
        program.iter().filter_map(|index| self.others[*index].symbols()).chain([&self.first.symbols])
    }

    /// The symbols that no other file of a program may define.
    fn defined(&self, program: &[usize]) -> BTreeSet<String> {
        self.parts(program).flat_map(|symbols| symbols.defined.iter().cloned()).collect()
    }

    /// Adds the files that define what a program needs.
    fn complete(&mut self, program: &mut Vec<usize>) {
        let mut asked = BTreeSet::new();
        loop {
            let is_new = |name: &&String| !asked.contains(*name) && !is_of_toolkit(name);
            let new = self.parts(program).flat_map(|symbols| &symbols.needed).find(is_new).cloned();
            let Some(name) = new else { return };
            let is_there = self.parts(program).any(|symbols| symbols.defines(&name));
            if is_there {
                self.drop_rivals(&name, program);
            } else if let Some(found) = self.provider(&name)
                && !program.contains(&found)
                && !self.others[found].defines("main")
            {
                self.add(program, found);
            }
            asked.insert(name);
        }
    }

    /// Leaves files out that define a symbol which a program has from another file, and that are
    /// not farther away: a build may take them.
    fn drop_rivals(&mut self, name: &str, program: &[usize]) {
        let own = program.iter().filter(|index| self.others[**index].defines(name));
        let own = own.map(|index| self.others[*index].distance).min();
        let Some((own, identifier)) = own.zip(identifier(name)) else { return };
        let may = |index: &usize| {
            let other = &self.others[*index];
            !program.contains(index) && other.distance <= own && other.may_define(&identifier)
        };
        for index in (0..self.others.len()).filter(may).collect::<Vec<_>>() {
            if self.compile(index) && self.others[index].defines(name) && !self.others[index].defines("main") {
                self.dropped.insert(index);
            }
        }
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

    /// The files that may launch the kernels and are in none of the programs.
    ///
    /// A file that could not be read counts if it has the name of a symbol that leads to a launch,
    /// unless it seems to be a program with a function of its own of that name.
    fn left_out(&self, programs: &[Vec<usize>]) -> BTreeSet<PathBuf> {
        let has_main = self.first.symbols.defined.contains("main");
        let names: Vec<String> = self.launching.iter().filter_map(|name| identifier(name)).collect();
        let needs = |other: &Other<'_>, name: &String| {
            let is_own = other.texts.own.defined_outside.contains(name.as_bytes()) && other.may_define("main");
            other.texts.has_word(name) && !is_own
        };
        // A program that has names of kernels, and calls no lookup, may call one through a pointer.
        let looks_up = |program: &Vec<usize>| {
            self.parts(program).any(|symbols| LOOKUPS.iter().any(|one| symbols.needed.contains(*one)))
        };
        let hides_lookup = |index: &usize| {
            let mut own = programs.iter().filter(|program| program.contains(index));
            self.by_name.contains(index) && own.any(|program| !looks_up(program))
        };
        let is_left_out = |(index, other): &(usize, &Other<'_>)| {
            let is_other_program = has_main && (other.defines("main") || other.may_define("main"));
            let is_dropped =
                self.dropped.contains(index) || other.is_unread && names.iter().any(|name| needs(other, name));
            let is_in_one = programs.iter().any(|program| program.contains(index));
            is_dropped && !is_other_program && !is_in_one || hides_lookup(index)
        };
        let all = self.others.iter().enumerate().filter(is_left_out);
        all.map(|(_, other)| other.host.path.clone()).collect()
    }

    /// Links a program.
    fn linked(&self, program: &[usize]) -> Result<Linked, String> {
        if program.is_empty() {
            return Ok(Linked { bitcode: self.first.bitcode.clone(), others: Vec::new() });
        }
        let others = program.iter().filter_map(|index| {
            let other = &self.others[*index];
            Some((other.host, other.part.as_ref()?))
        });
        let others: Vec<(&Arc<Host>, &Part)> = others.collect();
        let renamed: Vec<Renamed> = renamed(&self.first.symbols, others.iter().map(|(_, part)| &part.symbols));
        let codes: Vec<(&[u8], &Renamed)> =
            others.iter().zip(&renamed).map(|((_, part), renamed)| (part.bitcode.as_slice(), renamed)).collect();
        Ok(Linked {
            bitcode: llvm::link(&self.first.bitcode, &codes)?,
            others: others
                .iter()
                .zip(&renamed)
                .map(|((host, _), renamed)| ((*host).clone(), renamed.clone()))
                .collect(),
        })
    }
}

impl Symbols {
    fn defines(&self, name: &str) -> bool {
        self.defined.contains(name) || self.shared.contains(name)
    }

    /// The functions and variables that others can use and from which a launch can be reached: of a
    /// kernel of this file, or of one behind a symbol that leads to a launch.
    fn launching(&self, known: &BTreeSet<String>) -> BTreeSet<String> {
        let launches = |reached: &BTreeSet<String>| {
            reached
                .iter()
                .any(|name| name.contains(llvm::STUB) || known.contains(name) || llvm::driver::is_of_driver(name))
        };
        let functions = self.reached.iter().filter(|(name, reached)| *name != "main" && launches(reached));
        functions.map(|(name, _)| name.clone()).collect()
    }
}

/// Other names for stubs, and for variables of devices, that an earlier file has, too: each file
/// has its own.
fn renamed<'s>(first: &'s Symbols, others: impl Iterator<Item = &'s Symbols>) -> Vec<Renamed> {
    let mut seen: BTreeSet<&String> = first.own.iter().collect();
    let of_file = |(number, symbols): (usize, &'s Symbols)| {
        let again: Vec<&String> = symbols.own.iter().filter(|name| !seen.insert(name)).collect();
        again.into_iter().map(|name| (name.clone(), format!("{name}.of.{number}"))).collect()
    };
    (1..).zip(others).map(of_file).collect()
}

fn compile(host: &Host, of_program: Language, texts: &Texts) -> Result<Part, String> {
    let with_openmp = texts.own.has_openmp;
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

/// The names of a file's kernels, in the source and in the module.
fn kernels(symbols: &Symbols) -> Vec<String> {
    let all = symbols.own.iter().chain(&symbols.defined).chain(&symbols.shared);
    let stubs = all.filter(|name| name.contains(llvm::STUB));
    stubs.flat_map(|stub| identifier(stub).into_iter().chain(llvm::kernel_symbol(stub))).collect()
}

/// Whether a symbol is a function of the toolkit, which no file of a program defines.
fn is_of_toolkit(symbol: &str) -> bool {
    let identifier = identifier(symbol).unwrap_or_default();
    let rest = ["cuda", "hip", "cu"].iter().find_map(|first| identifier.strip_prefix(first));
    rest.is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_uppercase()))
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

/// The texts of a file and of the headers that it includes.
struct Texts {
    own: Rc<Text>,
    headers: Vec<Rc<Text>>,
}

/// The contents of a file, as far as its text tells.
#[derive(Default)]
struct Text {
    words: FxHashSet<Vec<u8>>,
    /// The texts between quotes.
    quoted: FxHashSet<Vec<u8>>,
    /// The names of functions and variables that the file seems to define.
    defined: FxHashSet<Vec<u8>>,
    /// Those whose line is not indented.
    defined_outside: FxHashSet<Vec<u8>>,
    /// The names of the headers that it includes.
    included: Vec<String>,
    /// Whether the file has directives of OpenMP.
    has_openmp: bool,
}

impl Texts {
    /// Reads a file and its headers, of which some are known.
    fn of(host: &Host, known: &mut FxHashMap<PathBuf, Rc<Text>>) -> Self {
        let own = Rc::new(Text::read(&host.path));
        let folders = folders(host);
        let (mut pending, mut seen) = (vec![(host.path.clone(), own.clone())], BTreeSet::new());
        let mut headers = Vec::new();
        while let Some((path, text)) = pending.pop() {
            for name in &text.included {
                let beside = path.parent().unwrap_or(Path::new("")).join(name);
                let places = [beside].into_iter().chain(folders.iter().map(|folder| folder.join(name)));
                let may_be_read = |place: &PathBuf| place.is_file() && host.options.may_read(place);
                if let Some(place) = places.into_iter().find(may_be_read)
                    && seen.len() < MOST_HEADERS
                    && seen.insert(place.clone())
                {
                    let header = known.entry(place.clone()).or_insert_with(|| Rc::new(Text::read(&place))).clone();
                    headers.push(header.clone());
                    pending.push((place, header));
                }
            }
        }
        Self { own, headers }
    }

    fn has_word(&self, word: &str) -> bool {
        [&self.own].into_iter().chain(&self.headers).any(|text| text.words.contains(word.as_bytes()))
    }

    fn quotes(&self, name: &str) -> bool {
        [&self.own].into_iter().chain(&self.headers).any(|text| text.quoted.contains(name.as_bytes()))
    }
}

impl Text {
    fn read(path: &Path) -> Self {
        let text = bounded::read(path).unwrap_or_default();
        let has_openmp = clang::mentions(&text, b"pragma omp");
        let text = without_comments(&text);
        let quoted = text.split(|byte| *byte == b'"').filter(|part| part.len() <= LONGEST_NAME);
        let mut read = Self {
            words: words(&text).map(<[u8]>::to_vec).collect(),
            quoted: quoted.map(<[u8]>::to_vec).collect(),
            included: included(&text),
            has_openmp,
            ..Self::default()
        };
        read.define(&text);
        read
    }

    /// Finds the names that a text without comments seems to define.
    ///
    /// Behind a function's name are its parameters, and then no sign that makes it a call or a
    /// declaration. A variable is defined outside of functions if its line is not indented.
    fn define(&mut self, text: &[u8]) {
        let (mut line, mut end) = (0, 0);
        for word in words(text) {
            // The words stand one behind another, with other signs between them.
            let skipped = text[end..].iter().position(|byte| is_part_of_word(*byte)).unwrap_or(0);
            line = text[end..end + skipped].iter().rposition(|byte| *byte == b'\n').map_or(line, |at| end + at + 1);
            let start = end + skipped;
            end = start + word.len();
            let rest = text[start + word.len()..].trim_ascii_start();
            let is_indented = text[line..].starts_with(b" ") || text[line..].starts_with(b"\t");
            let is_defined = match rest.first() {
                Some(b'(') => behind_parameters(rest).is_some_and(may_begin_body),
                Some(b'=' | b';' | b',' | b'[' | b'{') => !is_indented && !text[line..].starts_with(b"extern "),
                _ => false,
            };
            if is_defined {
                self.defined.insert(word.to_vec());
            }
            if is_defined && !is_indented {
                self.defined_outside.insert(word.to_vec());
            }
        }
    }
}

/// The folders in which Clang looks for headers.
fn folders(host: &Host) -> Vec<PathBuf> {
    let mut folders = host.options.includes.clone();
    let mut is_next = false;
    for argument in &host.options.clang_arguments {
        if is_next {
            folders.push(PathBuf::from(argument));
        }
        is_next = ["-I", "-iquote", "-isystem"].contains(&argument.as_str());
        folders.extend(argument.strip_prefix("-I").filter(|folder| !folder.is_empty()).map(PathBuf::from));
    }
    folders
}

/// The names of the headers that a text includes.
fn included(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    let name = |line: &str| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start();
        let end = if rest.starts_with('<') { '>' } else { '"' };
        Some(rest.get(1..)?.split_once(end)?.0.to_owned())
    };
    text.lines().filter_map(name).collect()
}

/// A text with spaces in place of its comments. Quotes are kept.
fn without_comments(text: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(&byte) = rest.first() {
        let comment = if rest.starts_with(b"//") {
            rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())
        } else if rest.starts_with(b"/*") {
            let end = rest.windows(2).skip(2).position(|two| two == b"*/");
            end.map_or(rest.len(), |end| end + 4)
        } else {
            0
        };
        if comment > 0 {
            kept.push(b' ');
            rest = &rest[comment..];
            continue;
        }
        // A quotation may have the beginning of a comment in it.
        let length = if byte == b'"' { quotation(rest) } else { 1 };
        kept.extend_from_slice(&rest[..length]);
        rest = &rest[length..];
    }
    kept
}

/// The length of a quotation, which ends with its line at the latest.
fn quotation(text: &[u8]) -> usize {
    let mut at = 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            b'\n' => return at,
            _ => at += 1,
        }
    }
    text.len()
}

/// The words of a text, in order.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| !is_part_of_word(*byte)).filter(|word| !word.is_empty())
}

const fn is_part_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The text behind the parameters with which a text begins.
fn behind_parameters(text: &[u8]) -> Option<&[u8]> {
    let mut depth = 0_u32;
    let looked_at = &text[..text.len().min(LONGEST_PARAMETERS)];
    let close = looked_at.iter().position(|byte| {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        depth == 0
    })?;
    Some(text[close + 1..].trim_ascii_start())
}

/// Whether the text behind parameters may be the body of a function, or what stands before it.
fn may_begin_body(text: &[u8]) -> bool {
    let is_word = text.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
    is_word || text.starts_with(b"{") || text.starts_with(b"->") || text.starts_with(b":") && !text.starts_with(b"::")
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
            let defined = defined_in(text).defined;
            assert_eq!(defined.contains(name.as_bytes()), expected, "{name}");
        }
    }

    fn defined_in(text: &[u8]) -> Text {
        let mut read = Text::default();
        read.define(&without_comments(text));
        read
    }

    #[test]
    fn signs_behind_parameters_tell_definitions() {
        for (text, expected) in [
            ("void f(int *a) // two groups\n{", true),
            ("S::f(int x) : x(x) {", true),
            ("auto f() -> int {", true),
            ("void f() const noexcept {", true),
            ("void f() try {", true),
            ("int f(a) int a; {", true),
            ("void f(int);", false),
            ("g(f(1), 2);", false),
            ("x = f(1) + 2;", false),
            ("f(1)->g();", true),
            ("/* f() { */ g();", false),
            ("f(", false),
            ("f", false),
        ] {
            assert_eq!(defined_in(text.as_bytes()).defined.contains(&b"f"[..]), expected, "{text}");
        }
    }

    #[test]
    fn comments_are_left_out_and_quotations_kept() {
        assert_eq!(without_comments(b"a /* b */ c // d\n\"e // f\" g /*"), b"a   c  \n\"e // f\" g  ");
        assert_eq!(without_comments(b"\"a\\\"//\" b"), b"\"a\\\"//\" b");
    }

    #[test]
    fn headers_are_those_of_the_preprocessor() {
        assert_eq!(included(b" # include \"a.h\"\n#include <b/c.h>\n#include NAME\nx\"d.h\""), ["a.h", "b/c.h"]);
    }

    #[test]
    fn many_open_parentheses_take_little_time() {
        assert!(defined_in(&b"w(".repeat(20_000)).defined.is_empty());
    }
}
