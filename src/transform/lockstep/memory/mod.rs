//! The memory of the two threads.
//!
//! [`access`] lowers memory operations. [`touch`] computes the cells that they access. [`arrays`]
//! declares the arrays, [`contents`] models their contents, and [`pointer_cells`] the pointers in
//! private memory. [`cached`] decides which reads may see stale contents.

pub mod access;
pub mod arrays;
pub mod cached;
pub mod contents;
pub mod pointer_cells;
pub mod touch;
