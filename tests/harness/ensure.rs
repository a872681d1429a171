//! Failures of tests that are data.

/// What went wrong, in words.
pub type Failure = Box<dyn std::error::Error>;

/// Fails with a message unless the condition holds.
pub fn ensure(condition: bool, message: impl FnOnce() -> String) -> Result<(), Failure> {
    if condition { Ok(()) } else { Err(message().into()) }
}
