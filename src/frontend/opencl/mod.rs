//! What OpenCL C's built-in functions mean.
