//! The memory use of the process.

use std::fs;

/// The most memory that this process has held at once, in bytes; 0 if the system does not report
/// it.
pub fn peak_rss_bytes() -> u64 {
    fs::read_to_string("/proc/self/status").map_or(0, |status| peak(&status).unwrap_or(0))
}

fn peak(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_line_of_linux() {
        assert_eq!(super::peak("Name:\tx\nVmHWM:\t  12345 kB\nVmRSS:\t 1 kB\n"), Some(12345 * 1024));
        assert_eq!(super::peak("Name:\tx\n"), None);
    }
}
