//! Reads `lockstep.toml`.
//!
//! [`Configuration::parse`] takes the text and gives tables of [`Entry`]s whose values have the
//! form of their keys. Every error is reported, with its line and column. Each value is also tried
//! as the option of the command line that it stands for, so both have the same limits.

use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::Parser as _;
use clap::error::{ContextKind, ContextValue};
use glob::Pattern;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::keys::{ARRAYS, KEYS, Key, Kind, Scope, checks};
use crate::command::arguments::Arguments;
use crate::frontend::assume::Assumption;
use crate::frontend::patterns::{self, KernelPatterns};
use crate::pipeline::given::parse_number;

/// A configuration.
#[derive(Debug)]
pub struct Configuration {
    /// The path of the file, as it is shown.
    pub path: PathBuf,
    /// Its folder, without links.
    pub folder: PathBuf,
    /// Its tables, in the order in which they count.
    pub sections: Vec<Section>,
}

/// A table of settings.
#[derive(Debug, Default)]
pub struct Section {
    /// The files that it is about; all if not given.
    pub files: Option<Vec<Pattern>>,
    /// The kernels that it is about; all if not given.
    pub kernels: Option<KernelPatterns>,
    /// The settings, in the order of [`KEYS`].
    pub entries: Vec<Entry>,
}

/// A key with its value.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key.
    pub key: &'static Key,
    /// The values, as the command line would have them.
    pub values: Vec<Given>,
}

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// The parameter that it is for; empty if the key has no names of parameters.
    pub name: String,
    /// The value as a word. A flag is `true` or `false`.
    pub word: String,
    /// Its line.
    pub line: u32,
}

/// An error in a configuration.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
    /// The sentence.
    pub message: String,
}

/// The tables of a file.
const TABLES: [&str; 3] = ["$schema", "defaults", "override"];

/// The patterns of a table.
const PATTERNS: [&str; 2] = ["files", "kernels"];

impl Configuration {
    /// Reads the text of the file at this path, in this folder.
    pub fn parse(text: &str, path: PathBuf, folder: PathBuf) -> Result<Self, Vec<Problem>> {
        let mut reader = Reader { text, problems: Vec::new() };
        let sections = match DeTable::parse(text) {
            Ok(document) => reader.document(document.get_ref()),
            Err(error) => {
                reader.problem(&error.span().unwrap_or(0..0), error.message().to_owned());
                Vec::new()
            }
        };
        reader.problems.sort();
        if reader.problems.is_empty() { Ok(Self { path, folder, sections }) } else { Err(reader.problems) }
    }
}

struct Reader<'a> {
    text: &'a str,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    /// The line and the column of a byte.
    fn position(&self, at: usize) -> (u32, u32) {
        let before = &self.text[..self.text.floor_char_boundary(at)];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        (number(line), number(column))
    }

    fn problem(&mut self, span: &Range<usize>, message: String) {
        let (line, column) = self.position(span.start);
        self.problems.push(Problem { line, column, message });
    }

    fn document(&mut self, document: &DeTable<'_>) -> Vec<Section> {
        let mut sections = Vec::new();
        for (name, value) in document {
            match (&**name.get_ref(), value.get_ref()) {
                ("$schema", DeValue::String(_)) => {}
                ("defaults", DeValue::Table(table)) => sections.insert(0, self.section(table, true)),
                ("override", DeValue::Array(tables)) => {
                    let tables: Vec<Section> = tables.iter().filter_map(|table| self.override_(table)).collect();
                    sections.extend(tables);
                }
                ("defaults", _) => self.problem(&value.span(), "`defaults` is a table: [defaults]".to_owned()),
                ("override", _) => {
                    self.problem(&value.span(), "`override` is a list of tables: [[override]]".to_owned());
                }
                ("$schema", _) => self.problem(&value.span(), "`$schema` is a string".to_owned()),
                (other, _) if Key::named(other).is_some() => {
                    let message = format!("`{other}` belongs into a table: [defaults] or [[override]]");
                    self.problem(&name.span(), message);
                }
                (other, _) => self.unknown(&name.span(), other, &TABLES),
            }
        }
        sections
    }

    fn override_(&mut self, table: &Spanned<DeValue<'_>>) -> Option<Section> {
        if let DeValue::Table(entries) = table.get_ref() {
            let section = self.section(entries, false);
            if section.files.is_none() && section.kernels.is_none() {
                let message = "a table of `override` has `files`, `kernels` or both; [defaults] is for everything";
                self.problem(&table.span(), message.to_owned());
            }
            return Some(section);
        }
        self.problem(&table.span(), "`override` is a list of tables: [[override]]".to_owned());
        None
    }

    fn unknown(&mut self, span: &Range<usize>, name: &str, known: &[&str]) {
        let near = known.iter().map(|known| (strsim::damerau_levenshtein(name, known), *known)).min();
        let hint = match near {
            Some((distance, known)) if distance <= 1 + name.len() / 4 => format!("; did you mean `{known}`?"),
            _ => format!("; there are: {}", known.join(", ")),
        };
        self.problem(span, format!("unknown key `{name}`{hint}"));
    }

    fn section(&mut self, table: &DeTable<'_>, is_default: bool) -> Section {
        let names_kernels = !is_default && table.keys().any(|name| **name.get_ref() == *"kernels");
        let mut section = Section::default();
        for (name, value) in table {
            let (span, name) = (name.span(), &**name.get_ref());
            match (name, Key::named(name)) {
                ("files" | "kernels", _) if is_default => {
                    self.problem(&span, format!("`{name}` belongs into [[override]]; [defaults] is for everything"));
                }
                ("files", _) => section.files = Some(self.files(value)),
                ("kernels", _) => section.kernels = Some(self.kernels(value)),
                (_, Some(key)) => {
                    self.check_scope(&span, key, names_kernels);
                    let values = self.values(key, value);
                    section.entries.push(Entry { key, values });
                }
                (other, None) => {
                    let patterns = if is_default { &[][..] } else { &PATTERNS };
                    let known: Vec<&str> = patterns.iter().copied().chain(KEYS.iter().map(|key| key.name)).collect();
                    self.unknown(&span, other, &known);
                }
            }
        }
        section
    }

    fn check_scope(&mut self, span: &Range<usize>, key: &Key, names_kernels: bool) {
        let name = key.name;
        match key.scope {
            Scope::Files if names_kernels => {
                let message = format!("`{name}` is about whole files: it cannot stand beside `kernels`");
                self.problem(span, message);
            }
            Scope::NamedKernels if !names_kernels => {
                self.problem(span, format!("`{name}` needs `kernels` in its table, which names the kernels"));
            }
            Scope::Files | Scope::Kernels | Scope::NamedKernels => {}
        }
    }

    fn files(&mut self, value: &Spanned<DeValue<'_>>) -> Vec<Pattern> {
        let mut all = Vec::new();
        for (span, text) in self.texts("files", value) {
            let pattern = if text.len() > patterns::LONGEST {
                Err(format!("a pattern has at most {} bytes", patterns::LONGEST))
            } else {
                Pattern::new(&text).map_err(|error| format!("`{text}` is no pattern: {}", error.msg))
            };
            match pattern {
                Ok(pattern) => all.push(pattern),
                Err(message) => self.problem(&span, message),
            }
        }
        all
    }

    fn kernels(&mut self, value: &Spanned<DeValue<'_>>) -> KernelPatterns {
        let mut all = Vec::new();
        for (span, text) in self.texts("kernels", value) {
            match KernelPatterns::parse_one(&text) {
                Ok(pattern) => all.push(pattern),
                Err(message) => self.problem(&span, message),
            }
        }
        KernelPatterns::new(all)
    }

    /// A list of strings, or a single one.
    fn texts(&mut self, name: &str, value: &Spanned<DeValue<'_>>) -> Vec<(Range<usize>, String)> {
        let single = std::slice::from_ref(value);
        let all = value.get_ref().as_array().map_or(single, |array| &array[..]);
        if all.is_empty() {
            self.problem(&value.span(), format!("`{name}` is empty"));
        }
        let mut texts = Vec::new();
        for one in all {
            match one.get_ref().as_str() {
                Some(text) if text.is_empty() || text.contains(char::is_control) => {
                    self.problem(&one.span(), format!("`{name}` has an empty string or a control character"));
                }
                Some(text) => texts.push((one.span(), text.to_owned())),
                None => self.problem(&one.span(), format!("`{name}` is a list of strings")),
            }
        }
        texts
    }

    fn values(&mut self, key: &'static Key, value: &Spanned<DeValue<'_>>) -> Vec<Given> {
        let read = match key.kind {
            Kind::Texts | Kind::Folders | Kind::Conditions | Kind::Checks => self.texts(key.name, value),
            Kind::Values => return self.named_values(key, value),
            Kind::Size => self.single(key, value, size(value.get_ref()), "64, \"16x16\" or [16, 16]"),
            Kind::Flag => {
                let flag = value.get_ref().as_bool().map(|flag| flag.to_string());
                self.single(key, value, flag, "true or false")
            }
            Kind::Integer(least, most) => {
                let number = integer(value.get_ref()).filter(|number| (least..=most).contains(number));
                let form = format!("an integer from {least} to {most}");
                self.single(key, value, number.map(|number| number.to_string()), &form)
            }
            Kind::Seconds => self.single(key, value, seconds(value.get_ref()), "a number of seconds"),
            Kind::Text => {
                let text = value.get_ref().as_str().filter(|text| !text.contains(char::is_control));
                self.single(key, value, text.map(str::to_owned), "a string")
            }
            Kind::Choice(choices) => {
                let text = value.get_ref().as_str().filter(|text| choices.contains(text));
                self.single(key, value, text.map(str::to_owned), &choices.join(", "))
            }
        };
        let mut given = Vec::new();
        for (span, word) in read {
            match tried(key, &word) {
                Ok(()) => given.push(Given { name: String::new(), word, line: self.position(span.start).0 }),
                Err(message) => self.problem(&span, format!("`{}`: {message}", key.name)),
            }
        }
        given
    }

    fn single(
        &mut self,
        key: &Key,
        value: &Spanned<DeValue<'_>>,
        read: Option<String>,
        form: &str,
    ) -> Vec<(Range<usize>, String)> {
        if read.is_none() {
            self.problem(&value.span(), format!("`{}` is not of this form: {form}", key.name));
        }
        read.map(|word| (value.span(), word)).into_iter().collect()
    }

    fn named_values(&mut self, key: &Key, value: &Spanned<DeValue<'_>>) -> Vec<Given> {
        let Some(table) = value.get_ref().as_table() else {
            self.problem(&value.span(), format!("`{}` is a table of parameters: {{ n = 64 }}", key.name));
            return Vec::new();
        };
        let mut given = Vec::new();
        for (name, value) in table {
            let word = match value.get_ref() {
                DeValue::Integer(number) => decimal(number.as_str(), number.radix()),
                DeValue::String(text) => parse_number(text).ok().map(|number| number.to_string()),
                _ => None,
            };
            let fits = |word: &String| key.name != ARRAYS || tried(key, &format!("k,{word}")).is_ok();
            if let Some(word) = word.filter(fits) {
                let (line, _) = self.position(name.span().start);
                given.push(Given { name: name.get_ref().to_string(), word, line });
            } else {
                let form = if key.name == ARRAYS { "a size in bytes" } else { "an integer" };
                let message = format!("`{}`: `{}` is {form}, or one in a string", key.name, name.get_ref());
                self.problem(&value.span(), message);
            }
        }
        given
    }
}

/// A number of any size, in decimal digits.
fn decimal(digits: &str, radix: u32) -> Option<String> {
    let digits = digits.replace('_', "");
    let number = num_bigint::BigInt::parse_bytes(digits.trim_start_matches('+').as_bytes(), radix)?;
    Some(number.to_string())
}

fn integer(value: &DeValue<'_>) -> Option<u64> {
    let number = value.as_integer()?;
    decimal(number.as_str(), number.radix())?.parse().ok()
}

fn seconds(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::Integer(_) => integer(value).map(|number| number.to_string()),
        DeValue::Float(number) => Some(number.as_str().replace('_', "")),
        _ => None,
    }
}

/// A size as the command line has it.
fn size(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.clone().into_owned()),
        DeValue::Integer(_) => integer(value).map(|number| number.to_string()),
        DeValue::Array(extents) => {
            let extent = |extent: &Spanned<DeValue<'_>>| match extent.get_ref() {
                DeValue::String(text) if *text == "*" => Some("*".to_owned()),
                other => integer(other).map(|number| number.to_string()),
            };
            let extents: Option<Vec<String>> = extents.iter().map(extent).collect();
            extents.filter(|extents| !extents.is_empty()).map(|extents| extents.join(","))
        }
        _ => None,
    }
}

/// Whether the command line takes the value; the error is its sentence.
fn tried(key: &Key, word: &str) -> Result<(), String> {
    match key.kind {
        Kind::Flag | Kind::Folders | Kind::Texts => return Ok(()),
        Kind::Conditions => return Assumption::parse(word).map(|_| ()),
        Kind::Checks if !checks().contains(&word) => {
            return Err(format!("`{word}` is no check; there are: {}", checks().join(", ")));
        }
        _ => {}
    }
    let words = ["lockstep", "verify", &format!("{}={word}", key.option), "--", "x"].map(OsString::from);
    Arguments::try_parse_from(words).map(|_| ()).map_err(|error| sentence(&error))
}

/// The sentence of an error of the command line.
pub fn sentence(error: &clap::Error) -> String {
    if let Some(cause) = std::error::Error::source(error) {
        return cause.to_string();
    }
    if let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue)
        && let Some(ContextValue::Strings(valid)) = error.get(ContextKind::ValidValue)
    {
        return format!("`{value}` is none of: {}", valid.join(", "));
    }
    let text = error.to_string();
    text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
}

/// The words of a problem, with its place.
pub fn located(path: &Path, problem: &Problem) -> String {
    format!("{}:{}:{}: {}", path.display(), problem.line, problem.column, problem.message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(text: &str) -> Vec<String> {
        let read = Configuration::parse(text, "lockstep.toml".into(), "/".into());
        read.err().unwrap_or_default().iter().map(|problem| located(Path::new("f"), problem)).collect()
    }

    #[test]
    fn values_take_several_forms() {
        let text = "[defaults]\nlocal-size = [16, \"*\"]\ntimeout = 0.5\ndefines = \"N=4\"\nstrict = true\n\
            [[override]]\nkernels = \"a*\"\narguments = { n = 0x10, m = \"0xffffffffffffffff\" }\n";
        let read = Configuration::parse(text, "lockstep.toml".into(), "/".into()).expect("it is right");
        let values = |section: usize, name: &str| {
            let entry = read.sections[section].entries.iter().find(|entry| entry.key.name == name).expect("the key");
            entry.values.iter().map(|given| (given.word.clone(), given.line)).collect::<Vec<_>>()
        };
        assert_eq!(values(0, "local-size"), [("16,*".to_owned(), 2)]);
        assert_eq!(values(0, "timeout"), [("0.5".to_owned(), 3)]);
        assert_eq!(values(0, "defines"), [("N=4".to_owned(), 4)]);
        assert_eq!(values(1, "arguments"), [("18446744073709551615".to_owned(), 8), ("16".to_owned(), 8)]);
    }

    #[test]
    fn every_mistake_has_its_place() {
        assert_eq!(
            problems("[defaults]\nlcal-size = 64\n"),
            ["f:2:1: unknown key `lcal-size`; did you mean `local-size`?"]
        );
        assert_eq!(problems("[default]\n"), ["f:1:2: unknown key `default`; did you mean `defaults`?"]);
        let all = problems("timeout = 3\n[defaults]\nlocal-size = 0\ncheck = [\"bound\"]\ntimeout = true\n");
        assert_eq!(all[0], "f:1:1: `timeout` belongs into a table: [defaults] or [[override]]");
        assert!(all[1].starts_with("f:3:14: `local-size`: ") && all[1].contains("size of 0"), "{all:?}");
        assert!(all[2].starts_with("f:4:10: `check`: `bound` is no check; there are: bounds"), "{all:?}");
        assert_eq!(all[3], "f:5:11: `timeout` is not of this form: a number of seconds");
        assert!(problems("[defaults\n")[0].starts_with("f:1:"));
    }

    #[test]
    fn deep_nesting_is_a_mistake_like_others() {
        let deep = format!("[defaults]\ndefines = {}", "[".repeat(60_000));
        assert_eq!(problems(&deep).len(), 1);
        let names = format!("[[override]]\nfiles = [\"{}\"]\n", "*a".repeat(200));
        assert_eq!(problems(&names).len(), 1);
    }

    proptest::proptest! {
        /// Whatever the text, its problems are found in it.
        #[test]
        fn any_text_is_read(text in "(\\[defaults\\]\n|\\[\\[override\\]\\]\n)?([a-z-]{1,12} = [\"\\[{]?\\PC{0,12}[\"\\]}]?\n){0,4}") {
            let lines = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
            if let Err(problems) = Configuration::parse(&text, "f".into(), "/".into()) {
                proptest::prop_assert!(problems.iter().all(|problem| problem.line <= lines + 1), "{problems:?}");
            }
        }
    }

    #[test]
    fn keys_stand_where_they_have_a_meaning() {
        let beside = problems("[[override]]\nkernels = [\"k\"]\ndefines = [\"N\"]\n");
        assert_eq!(beside, ["f:3:1: `defines` is about whole files: it cannot stand beside `kernels`"]);
        let alone = problems("[[override]]\nfiles = [\"*.cl\"]\narguments = { n = 1 }\n");
        assert_eq!(alone, ["f:3:1: `arguments` needs `kernels` in its table, which names the kernels"]);
        assert_eq!(problems("[[override]]\nstrict = true\n").len(), 1);
        assert_eq!(problems("[defaults]\nkernels = [\"k\"]\n").len(), 1);
    }
}
