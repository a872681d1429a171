//! Kernels that show the findings, for manual pages: each with its mended version.
//!
//! The first line of a file gives the command that shows the finding. A line `// mended` stands
//! between the two versions. A test runs all of them.

/// A kernel with a finding, and the kernel without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// The name of its file.
    pub file: &'static str,
    /// The words behind the name of the file on the command line.
    pub flags: &'static str,
    /// The text with the finding.
    pub wrong: &'static str,
    /// The text without it.
    pub mended: &'static str,
}

macro_rules! examples {
    ($($file:literal),+ $(,)?) => {
        [$(($file, include_str!(concat!("examples/", $file)))),+]
    };
}

/// The files. Their names are the codes.
const FILES: [(&str, &str); 24] = examples![
    "LS0101.cl",
    "LS0102.cl",
    "LS0103.cl",
    "LS0104.cl",
    "LS0105.cu",
    "LS0106.cl",
    "LS0107.cl",
    "LS0110.cu",
    "LS0111.cu",
    "LS0112.cu",
    "LS0113.cl",
    "LS0114.cl",
    "LS0115.cl",
    "LS0116.cu",
    "LS0117.cu",
    "LS0118.cu",
    "LS0119.cu",
    "LS0120.cu",
    "LS0121.cl",
    "LS0122.cu",
    "LS0123.cu",
    "LS0124.cu",
    "LS0125.cu",
    "LS0203.cl",
];

/// The example of the kind with this code, if it has one.
pub fn example(code: &str) -> Option<Example> {
    let (file, text) = FILES.iter().find(|(file, _)| file.split('.').next() == Some(code))?;
    let (command, rest) = text.split_once('\n')?;
    let (wrong, mended) = rest.split_once("\n// mended\n")?;
    let flags = command.split_once(file)?.1.trim();
    Some(Example { file, flags, wrong: wrong.trim_end(), mended: mended.trim_end() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_its_parts() {
        for (file, _) in FILES {
            let code = file.split('.').next().unwrap_or_default();
            let example = example(code).unwrap_or_else(|| panic!("{file} lacks a part"));
            assert!(example.wrong.contains("//") && example.wrong != example.mended, "{file}");
        }
    }
}
