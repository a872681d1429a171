//! What the two text formats share: a lexer with line numbers and its error.
