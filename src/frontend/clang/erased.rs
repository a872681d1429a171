//! Uses of Clang's functions whose meaning is lost in the code that Clang makes of them.
//!
//! Our header defines each of them as a macro that stands for a function of ours
//! (`scoped_atomics.h`). A source can take the macro away (`#undef`, `#define`, `#pragma
//! pop_macro`), and the code would not show it. So none of their names may remain in the
//! preprocessed source, however it came there: by pasting, through other macros, from a header.
//!
//! Preprocessing every source once more would cost as much as Clang itself. It is done only if one
//! of the files that Clang opened contains such a name. This check is enough: macros are in force
//! before the first line of the source, and a directive that takes one away spells its name in one
//! piece. For directives that name a macro are not expanded, and `pop_macro` brings back only what
//! was there before. Backslashes at the ends of lines, and trigraphs for them, can break the piece;
//! they are undone first. If an option makes Clang read something before our header (`-imacros`),
//! the check is always done.

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The prefixes of all names of Clang's functions that the header replaces.
const STEMS: [&str; 4] = ["__scoped_atomic_", "__hip_atomic_", "__opencl_atomic_", ATOMICS_OF_PTX];

/// The prefixes of the header's own macros, by which a source could bring the originals back.
const OURS: [&str; 2] = ["__lockstep_", "__LOCKSTEP_"];

/// The section in which models of library functions have their memory.
const OUR_SECTION: &str = "lockstep_library";

/// The prefix of the functions that Clang's own headers use before Lockstep's header is read.
///
/// Their use in those headers is known: the import gives such an atomic the ordering that CUDA
/// specifies (`memory/atomics.rs`).
const ATOMICS_OF_PTX: &str = "__nvvm_atom_";

/// The prefix of the names of Clang's own CUDA headers, by which the import recognises them, too.
const HEADERS_OF_CLANG: &str = "__clang_cuda_";

/// The builtins of Clang, and how each is treated.
const TABLE: &str = include_str!("builtins.txt");

/// A remaining name, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    pub name: String,
    pub file: PathBuf,
    pub line: usize,
}

/// Whether one of these files may use such a name unseen. An unreadable file may.
pub fn may_be_used<'a>(files: impl IntoIterator<Item = &'a PathBuf>) -> bool {
    files.into_iter().any(|file| {
        let is_of_clang = is_of_clang(file);
        let mut stems = STEMS.iter().chain(&OURS).filter(|&&stem| !(is_of_clang && stem == ATOMICS_OF_PTX));
        std::fs::read(file).map_or(true, |text| {
            let text = spliced(&text);
            let text = String::from_utf8_lossy(&text);
            stems.any(|stem| text.contains(stem))
        })
    })
}

/// The first of these files that names an internal of Lockstep's.
///
/// Internals are a model's function, its memory, and the functions behind our macros. With such a
/// name a source could make a model promise anything.
pub fn naming_ours<'a>(files: impl IntoIterator<Item = &'a PathBuf>) -> Option<&'a PathBuf> {
    files.into_iter().find(|file| {
        std::fs::read(file).is_ok_and(|text| {
            let text = spliced(&text);
            let text = String::from_utf8_lossy(&text);
            OURS.iter().chain([&OUR_SECTION]).any(|name| text.contains(name))
        })
    })
}

/// Whether an option may make Clang read something before our header.
pub fn may_precede_headers(option: &str) -> bool {
    const EARLY: [&str; 7] = ["-imacros", "--imacros", "-X", "-Wp", "-include-pch", "-fmodule", "--config"];
    option.starts_with('@') || EARLY.iter().any(|early| option.starts_with(early))
}

/// The first such name that remains in a preprocessed source, even in a string.
pub fn find(preprocessed: &str) -> Option<Left> {
    let names = names();
    // A string of several lines may look like anything.
    let has_raw_strings = preprocessed.contains("R\"");
    let mut file = PathBuf::new();
    let mut number = 0;
    for line in preprocessed.lines() {
        number += 1;
        if let Some((next, name)) = marker(line) {
            (number, file) = (next - 1, name);
        }
        let is_of_clang = !has_raw_strings && is_of_clang(&file);
        let mut words = line.split(|character: char| !is_of_word(character));
        let left = words.find(|word| names.contains(word) && !(is_of_clang && word.starts_with(ATOMICS_OF_PTX)));
        if let Some(name) = left {
            return Some(Left { name: name.to_owned(), file, line: number });
        }
    }
    None
}

/// The names that our header defines as macros.
fn names() -> HashSet<&'static str> {
    sections(TABLE).filter(|(treatment, _)| *treatment == "redirected").flat_map(|(_, names)| names).collect()
}

/// The table's sections: each one's treatment and the names that it lists.
///
/// A section begins with `[treatment]`; lines with `#` are comments.
fn sections(table: &str) -> impl Iterator<Item = (&str, Vec<&str>)> {
    let text = table.split("\n[").skip(1);
    text.filter_map(|section| {
        let (treatment, rest) = section.split_once(']')?;
        let names = rest.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace);
        Some((treatment, names.collect()))
    })
}

fn is_of_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '$') || !character.is_ascii()
}

/// The line and the file that a marker (`# 12 "a.h" 2`) gives to the next line.
fn marker(line: &str) -> Option<(usize, PathBuf)> {
    let (number, rest) = line.strip_prefix("# ")?.split_once(' ')?;
    let name = rest.strip_prefix('"')?.rsplit_once('"')?.0;
    Some((number.parse().ok().filter(|&number| number > 0)?, PathBuf::from(name.replace("\\\\", "\\"))))
}

fn is_of_clang(file: &Path) -> bool {
    file.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(HEADERS_OF_CLANG))
}

/// A text with its continued lines joined: those that end in a backslash, or in the trigraph for
/// one.
fn spliced(text: &[u8]) -> Cow<'_, [u8]> {
    let is_broken = |at: usize| ends_line(&text[at..]).is_some();
    if !(0..text.len()).any(|at| matches!(text[at], b'\\' | b'?') && is_broken(at)) {
        return Cow::Borrowed(text);
    }
    let mut joined = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        if let Some(length) = ends_line(&text[at..]) {
            at += length;
        } else {
            joined.push(text[at]);
            at += 1;
        }
    }
    Cow::Owned(joined)
}

/// The length of a backslash and the line end after it. Clang allows blanks between the two.
fn ends_line(text: &[u8]) -> Option<usize> {
    let backslash = if text.starts_with(b"\\") {
        1
    } else if text.starts_with(b"??/") {
        3
    } else {
        return None;
    };
    let blanks =
        text[backslash..].iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\x0b' | b'\x0c' | 0)).count();
    let end = &text[backslash + blanks..];
    let newline = if end.starts_with(b"\r\n") || end.starts_with(b"\n\r") {
        2
    } else if end.starts_with(b"\n") || end.starts_with(b"\r") {
        1
    } else {
        return None;
    };
    Some(backslash + blanks + newline)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_through_broken_lines() {
        let folder = tempfile::tempdir().expect("a folder");
        let used = |text: &str| {
            let file = folder.path().join("a.h");
            std::fs::write(&file, text).expect("written");
            may_be_used(&[file])
        };
        assert!(!used("int scoped_atomic;\n#define A \\\n 1\n"));
        assert!(used("#undef __scoped_atomic_load_n\n"));
        assert!(used("#undef __LOCKSTEP_SCOPED\n"));
        assert!(used("#undef __scoped_at\\\nomic_load_n\n"));
        assert!(used("#undef __scoped_at\\  \r\nomic_load_n\n"));
        assert!(used("#undef __sco\\\n\\\nped_at??/\nomic_load_n\n"));
        assert!(may_be_used(&[folder.path().join("missing.h")]));
    }

    #[test]
    fn names_of_ours_are_seen() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.h");
        for (text, expected) in [
            ("int lockstep, lockstep_;\n", false),
            ("void f() { __lockstep_library_barrier(); }\n", true),
            ("void f() { __lock\\\nstep_library_barrier(); }\n", true),
            ("__LOCKSTEP_HIDDEN int x;\n", true),
            ("__attribute__((section(\"lockstep_library\"))) int x;\n", true),
        ] {
            std::fs::write(&file, text).expect("written");
            assert_eq!(naming_ours([&file]).is_some(), expected, "{text}");
        }
    }

    #[test]
    fn builtins_in_clangs_own_headers_are_known() {
        let text = "# 1 \"/x/__clang_cuda_device_functions.h\" 1 3\nint a = __nvvm_atom_add_gen_i(p, v);\n";
        assert_eq!(find(text), None);
        assert_eq!(find(&text.replace("__nvvm_atom_add_gen_i", "__hip_atomic_load")).map(|left| left.line), Some(1));
        assert!(find(&text.replace("__clang", "clang")).is_some());
        assert!(find(&format!("{text}char *s = R\"(\n)\";")).is_some());
    }

    #[test]
    fn only_whole_names_are_left() {
        let text = "# 7 \"a.cl\"\nint my__scoped_atomic_load, __scoped_atomic_load_now;\n";
        assert_eq!(find(text), None);
        let left = find(&format!("{text}x = (__scoped_atomic_load)(p);")).expect("a name");
        assert_eq!(
            (left.name.as_str(), left.file.as_path(), left.line),
            ("__scoped_atomic_load", Path::new("a.cl"), 8)
        );
    }

    #[test]
    fn each_name_that_is_redirected_is_a_macro_of_the_header_and_begins_as_is_looked_for() {
        let headers = [include_str!("scoped_atomics.h"), include_str!("../opencl/atomics.h")].concat();
        let names = names();
        assert!(names.len() > 80);
        for name in names.into_iter().collect::<std::collections::BTreeSet<_>>() {
            assert!(headers.contains(&format!("#define {name} ")), "{name}");
            assert!(STEMS.iter().any(|stem| name.starts_with(stem)), "{name}");
        }
    }
}
