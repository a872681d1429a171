//! The names of kernels, as users write them in several ways, and as reports give them.

use std::collections::BTreeMap;

use super::ImportedKernel;

/// Adds parameter types to the names of kernels that share a name, and records each kernel's names.
///
/// Overloaded kernels share a name. A user may call a kernel by its name with or without the
/// parameter types. The name may have all arguments of its template, none, or the first ones if
/// only one kernel has these.
pub fn tell_apart(kernels: &mut [ImportedKernel]) {
    // The number of kernels with a name, and of those that a name could mean.
    let (mut having, mut meant): (BTreeMap<String, usize>, BTreeMap<String, usize>) = Default::default();
    for kernel in kernels.iter() {
        let name = normalised(&kernel.name);
        for fewer in with_fewer_arguments(&name) {
            *meant.entry(fewer).or_default() += 1;
        }
        *having.entry(name).or_default() += 1;
    }
    for kernel in kernels {
        let name = normalised(&kernel.name);
        let (base, _) = base_and_arguments(&name);
        let mut names = vec![name.clone(), base.to_owned()];
        let is_of_one = |fewer: &String| meant.get(fewer) == Some(&1) && !having.contains_key(fewer);
        names.extend(with_fewer_arguments(&name).into_iter().filter(is_of_one));
        if let Some(types) = &kernel.parameter_types {
            names.push(normalised(&format!("{name}{types}")));
            if having.get(&name).is_some_and(|&number| number > 1) {
                kernel.name.push_str(types);
            }
        }
        kernel.names = names;
    }
}

/// A name without a leading `::` and without insignificant blanks.
pub fn normalised(name: &str) -> String {
    let name = name.trim();
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut result = String::new();
    let mut blank = false;
    for letter in name.strip_prefix("::").unwrap_or(name).chars() {
        if letter.is_whitespace() {
            blank = true;
            continue;
        }
        if blank && is_word(letter) && result.ends_with(is_word) {
            result.push(' ');
        }
        blank = false;
        result.push(letter);
    }
    result
}

/// Splits a text at the commas outside of brackets.
pub fn split_outside_brackets(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_u32, 0);
    for (position, letter) in text.char_indices() {
        match letter {
            '<' | '(' => depth += 1,
            '>' | ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&text[start..position]);
                start = position + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// A name without the arguments of its own template, and these arguments.
///
/// `ns<int>::k<2,float>` gives `ns<int>::k` and `2,float`.
pub(super) fn base_and_arguments(name: &str) -> (&str, Option<&str>) {
    let Some(inner) = name.strip_suffix('>') else { return (name, None) };
    let mut depth = 1_u32;
    for (position, letter) in inner.char_indices().rev() {
        match letter {
            '>' => depth += 1,
            '<' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (&name[..position], Some(&inner[position + 1..]));
        }
    }
    (name, None)
}

/// A name with some of the first arguments of its template, not all and not none.
fn with_fewer_arguments(name: &str) -> Vec<String> {
    let (base, arguments) = base_and_arguments(name);
    let arguments = arguments.map(split_outside_brackets).unwrap_or_default();
    (1..arguments.len()).map(|number| format!("{base}<{}>", arguments[..number].join(","))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_and_the_global_scope() {
        for (written, name) in [
            ("::k", "k"),
            (" n::sc< int >", "n::sc<int>"),
            ("nt<2, unsigned  int>", "nt<2,unsigned int>"),
            ("pl( const float * )", "pl(const float*)"),
        ] {
            assert_eq!(normalised(written), name, "{written}");
        }
    }

    #[test]
    fn arguments_of_templates() {
        assert_eq!(base_and_arguments("ns<int>::k<2,p<float>>"), ("ns<int>::k", Some("2,p<float>")));
        assert_eq!(base_and_arguments("ns<int>::k"), ("ns<int>::k", None));
        assert_eq!(with_fewer_arguments("k<2,p<a,b>,c>"), ["k<2>", "k<2,p<a,b>>"]);
        assert!(with_fewer_arguments("k<2>").is_empty() && with_fewer_arguments("k").is_empty());
        assert_eq!(split_outside_brackets("k<1,2>(a,b),3,*"), ["k<1,2>(a,b)", "3", "*"]);
    }
}
