//! Places as SARIF describes them: URIs and parts of lines.

use std::env;
use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};

use lockstep_verdict::KernelReport;

use super::schema::{ArtifactLocation, PhysicalLocation, Region, Text};
use crate::name_of;
use crate::{Sources, underlined};

/// The base of relative URIs.
pub const ROOT: &str = "%SRCROOT%";
/// The unit of columns: characters, whatever their size.
pub const COLUMN_KIND: &str = "unicodeCodePoints";

/// The sources and the folder that their URIs are relative to.
#[derive(Debug, Default)]
pub struct Places {
    sources: Sources,
    root: Option<PathBuf>,
}

impl Places {
    /// The places below the current folder, in the sources of these reports.
    pub fn of(reports: &[KernelReport]) -> Self {
        let root = env::current_dir().ok().map(|folder| folder.canonicalize().unwrap_or(folder));
        Self { sources: Sources::of(reports), root }
    }

    /// A place in a file; line and column are 0 if unknown. A place without a line is put on the
    /// first line, because services reject results without one.
    pub fn physical(&mut self, file: &str, line: u32, column: u32) -> PhysicalLocation {
        let region = self.region(file, line, column).unwrap_or(Region {
            start_line: line.max(1),
            start_column: None,
            end_line: None,
            end_column: None,
            snippet: None,
        });
        PhysicalLocation { artifact_location: self.artifact(file), region }
    }

    /// The underlined region, if the source can be read. Otherwise the column is left out, because
    /// the compiler's column counts bytes.
    fn region(&mut self, file: &str, line: u32, column: u32) -> Option<Region> {
        let text = self.sources.text(file)?;
        let span = underlined::span(text, line, column)?;
        let begin = text[..span.start].rfind('\n').map_or(0, |end| end + 1);
        let characters = |end: usize| text[begin..end].chars().count() + 1;
        Some(Region {
            start_line: line,
            start_column: Some(characters(span.start)),
            end_line: Some(line),
            end_column: Some(characters(span.end)),
            snippet: Some(Text { text: text[span].to_owned() }).filter(|snippet| !snippet.text.is_empty()),
        })
    }

    /// A file: relative to the current folder if it lies below. Links are followed, as code
    /// scanning requires.
    pub fn artifact(&self, file: &str) -> ArtifactLocation {
        let name = name_of(file);
        if name != file {
            return ArtifactLocation { uri: name.to_owned(), uri_base_id: None };
        }
        let path = self.absolute(file);
        let below = self.root.as_ref().and_then(|root| path.strip_prefix(root).ok());
        match below {
            Some(path) => ArtifactLocation { uri: encoded(path), uri_base_id: Some(ROOT) },
            None => ArtifactLocation { uri: format!("file://{}", encoded(&path)), uri_base_id: None },
        }
    }

    fn absolute(&self, file: &str) -> PathBuf {
        let root = self.root.as_deref().unwrap_or(Path::new("/"));
        let path = root.join(file);
        path.canonicalize().unwrap_or_else(|_| without_detours(&path))
    }
}

/// A path that cannot be looked up, without `.` and `..`.
fn without_detours(path: &Path) -> PathBuf {
    let mut straight = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                straight.pop();
            }
            Component::CurDir => {}
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => straight.push(part),
        }
    }
    straight
}

/// The path as part of a URI. Everything but plain letters, digits and separators is
/// percent-encoded.
fn encoded(path: &Path) -> String {
    let mut uri = String::new();
    for &byte in path.as_os_str().as_encoded_bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uri(root: &str, file: &str) -> (String, bool) {
        let places = Places { root: Some(root.into()), ..Places::default() };
        let artifact = places.artifact(file);
        (artifact.uri, artifact.uri_base_id.is_some())
    }

    #[test]
    fn files_below_the_folder_are_relative() {
        assert_eq!(uri("/nowhere/w", "src/../a b.cl"), ("a%20b.cl".into(), true));
        assert_eq!(uri("/nowhere/w", "/nowhere/w/x/c:d.cl"), ("x/c%3Ad.cl".into(), true));
        assert_eq!(uri("/nowhere/w", "../\u{e9}.cl"), ("file:///nowhere/%C3%A9.cl".into(), false));
        assert_eq!(uri("/nowhere/w", "/nowhere/wide/a.cl"), ("file:///nowhere/wide/a.cl".into(), false));
    }

    #[test]
    fn columns_count_characters() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let file = folder.path().join("a.cl");
        std::fs::write(&file, "\n/* \u{1d49c} */ a[i] = 1;\n").expect("a file can be written");
        let name = file.display().to_string();
        let mut places = Places { sources: Sources::named([&name]), root: None };
        let region = places.physical(&name, 2, 12).region;
        assert_eq!((region.start_line, region.start_column, region.end_column), (2, Some(9), Some(13)));
        assert_eq!(region.snippet.expect("a snippet").text, "a[i]");
        let unknown = Places::of(&[]).physical("nowhere.cl", 0, 7).region;
        assert_eq!((unknown.start_line, unknown.start_column), (1, None));
    }
}
