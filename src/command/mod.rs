//! The command line: `verify`, `inspect`, `run`, `suite`.
