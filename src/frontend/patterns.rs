//! Patterns of kernel names, as `lockstep.toml` has them.

use glob::Pattern;

use super::names::{base_and_arguments, normalised};

/// The longest pattern.
pub const LONGEST: usize = 256;

/// Patterns of kernel names, one of which must match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelPatterns(Vec<Pattern>);

impl KernelPatterns {
    /// Reads one pattern: a name in which `*` is any text, `?` any letter and `[ab]` one of these.
    ///
    /// # Errors
    ///
    /// It is no pattern, or has the types of parameters, which are not known early enough.
    pub fn parse_one(text: &str) -> Result<Pattern, String> {
        if text.contains('(') {
            return Err(format!("`{text}`: a pattern has no types of parameters; one matches all overloads"));
        }
        if text.len() > LONGEST {
            return Err(format!("a pattern has at most {LONGEST} bytes"));
        }
        Pattern::new(&normalised(text)).map_err(|error| format!("`{text}` is no pattern: {}", error.msg))
    }

    /// These patterns.
    pub fn new(patterns: Vec<Pattern>) -> Self {
        Self(patterns)
    }

    /// Whether a pattern matches a kernel of this name: the name without the types of parameters,
    /// the same without template arguments, or that without its scopes.
    pub fn matches(&self, name: &str) -> bool {
        let name = without_types(&normalised(name)).to_owned();
        let (base, _) = base_and_arguments(&name);
        let last = base.rsplit("::").next().unwrap_or(base);
        self.0.iter().any(|pattern| [name.as_str(), base, last].iter().any(|name| pattern.matches(name)))
    }
}

/// A name without the types of parameters at its end.
fn without_types(name: &str) -> &str {
    let mut depth = 0_u32;
    for (at, letter) in name.char_indices().rev() {
        match letter {
            ')' => depth += 1,
            '(' => depth = depth.saturating_sub(1),
            _ => {}
        }
        match (depth, letter) {
            (0, '(') => return &name[..at],
            (0, _) => return name,
            _ => {}
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_may_leave_out_scopes_and_template_arguments() {
        let matches = |pattern: &str, name: &str| {
            KernelPatterns::new(vec![KernelPatterns::parse_one(pattern).expect("a pattern")]).matches(name)
        };
        for pattern in ["scale", "sc*", "s?ale", "ns::scale", "ns::*", "scale<float>", "ns::scale<float>"] {
            let name = if pattern == "scale<float>" { "scale<float>" } else { "ns::scale<float>" };
            assert!(matches(pattern, name), "{pattern}");
        }
        for pattern in ["scal", "ns", "cale", "scale<int>"] {
            assert!(!matches(pattern, "ns::scale<float>"), "{pattern}");
        }
        assert!(matches("k", "k(int *, void (*)(int))") && matches("k", "(anonymous namespace)::k"));
        assert!(KernelPatterns::parse_one("k(int *)").is_err());
        assert!(KernelPatterns::parse_one("[").is_err());
    }
}
