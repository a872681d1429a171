//! Z3. The only folder that names the `z3` crate.

mod version;

pub use version::version;
