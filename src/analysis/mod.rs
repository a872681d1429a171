//! Facts about kernels, computed and never stored in them.
