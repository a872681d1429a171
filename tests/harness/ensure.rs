//! Failures of tests that are data.

/// The description of a failure in words.
pub type Failure = Box<dyn std::error::Error>;

/// Fails with a message unless the condition holds.
pub fn ensure(condition: bool, message: impl FnOnce() -> String) -> Result<(), Failure> {
    if condition { Ok(()) } else { Err(message().into()) }
}
