//! Shows verdicts: as text, as JSON.
