//! Prints kernels in the text format that [`super::parse`] reads back.
