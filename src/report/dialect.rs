//! The words of the kernel's language for what the launch tells a thread.

use lockstep_ir::kernel::Language;

/// OpenCL's functions, and CUDA's variables of the same meaning.
const WORDS: [(&str, &str); 4] = [
    ("get_local_id", "threadIdx"),
    ("get_group_id", "blockIdx"),
    ("get_local_size", "blockDim"),
    ("get_num_groups", "gridDim"),
];

/// A text with the words of a language in place of OpenCL's.
pub fn in_words_of(language: Language, text: &str) -> String {
    if !matches!(language, Language::Cuda | Language::Hip) {
        return text.to_owned();
    }
    let mut text = text.to_owned();
    for (function, variable) in WORDS {
        for (dimension, component) in ["x", "y", "z"].into_iter().enumerate() {
            text = text.replace(&format!("{function}({dimension})"), &format!("{variable}.{component}"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuda_has_variables() {
        let text = "index get_group_id(0)*get_local_size(0) + get_local_id(1) = 7";
        assert_eq!(in_words_of(Language::Cuda, text), "index blockIdx.x*blockDim.x + threadIdx.y = 7");
        assert_eq!(in_words_of(Language::OpenCl, text), text);
    }
}
