//! The names that functions and variables have in the source.

/// The name of a kernel or variable: `ns::k` for `_ZN2ns1kEPf`, `partial` for `_ZZ3sumPfE7partial`.
///
/// Names of other forms, such as those of templates, stay as they are.
pub fn shown(mangled: &str) -> String {
    let found = match mangled.strip_prefix("_ZZ") {
        Some(rest) => local(rest),
        None => mangled.strip_prefix("_Z").and_then(|rest| match rest.strip_prefix('N') {
            Some(nested) => qualified(nested),
            None => component(rest.trim_start_matches('L')).filter(|(_, rest)| !rest.starts_with('I')).map(first),
        }),
    };
    found.unwrap_or_else(|| mangled.to_owned())
}

fn first((name, _): (&str, &str)) -> String {
    name.to_owned()
}

/// A name with its length before it, and the rest.
fn component(text: &str) -> Option<(&str, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let length: usize = text.get(..digits)?.parse().ok()?;
    let end = digits.checked_add(length).filter(|_| length > 0)?;
    Some((text.get(digits..end)?, text.get(end..)?))
}

/// The components up to `E`, without marks of versions (`B2v1`).
fn qualified(mut text: &str) -> Option<String> {
    let mut names = Vec::new();
    while !text.starts_with('E') {
        let name;
        (name, text) = match text.strip_prefix('B') {
            Some(mark) => (None, component(mark)?.1),
            None => component(text.trim_start_matches('L')).map(|(name, rest)| (Some(name), rest))?,
        };
        names.extend(name);
    }
    (!names.is_empty()).then(|| names.join("::"))
}

/// The variable of a function, whose name stands behind an `E` and may have a number behind it.
fn local(text: &str) -> Option<String> {
    let is_end = |rest: &str| rest.is_empty() || rest.starts_with('_');
    let mut behind = text.match_indices('E').map(|(at, _)| &text[at + 1..]);
    behind.find_map(|rest| component(rest).filter(|(_, rest)| is_end(rest)).map(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_source() {
        for (mangled, name) in [
            ("saxpy", "saxpy"),
            ("_Z14reduce_stridedPKiPi", "reduce_strided"),
            ("_ZL5table", "table"),
            ("_ZN2ns1kEPf", "ns::k"),
            ("_ZN3mod1kB2v1E5ArrayI", "mod::k"),
            ("_Z1kIiEvPT_", "_Z1kIiEvPT_"),
            ("_ZZ9block_sumE7partial", "partial"),
            ("_ZZ1kPfE4tile_0", "tile"),
            ("_Z99x", "_Z99x"),
            ("_ZN2ns", "_ZN2ns"),
            ("_ZZ1k", "_ZZ1k"),
        ] {
            assert_eq!(shown(mangled), name, "{mangled}");
        }
    }
}
