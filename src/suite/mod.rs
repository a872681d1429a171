//! Runs folders of kernels with expected verdicts.
