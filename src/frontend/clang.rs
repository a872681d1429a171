//! Runs Clang.
