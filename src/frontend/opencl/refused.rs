//! Built-in functions that are refused by name, because nothing models them.

use crate::builtins::Unsupported;
use crate::builtins::call::{Answer, Call};

/// Refuses a function that has no model.
pub fn expand(call: &mut Call) -> Answer {
    match kind(call.name) {
        Some(kind) => Err(refusal(kind, call.name)),
        None => Ok(None),
    }
}

/// Refuses a function without a model for which Clang has a name of its own: `__read_pipe_2`.
pub fn unmangled(name: &str) -> Result<(), Unsupported> {
    let Some(base) = name.strip_prefix("__") else {
        return Ok(());
    };
    match kind(base) {
        Some(kind) => Err(refusal(kind, name)),
        None => Ok(()),
    }
}

fn refusal(kind: &str, name: &str) -> Unsupported {
    Unsupported(format!("{kind} {name}"))
}

fn kind(name: &str) -> Option<&'static str> {
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    if name.contains("_pipe") || name == "is_valid_reserve_id" {
        return Some("pipe function");
    }
    if name.contains("sub_group") {
        return Some("sub-group function");
    }
    if starts(&["work_group_"]) && name != "work_group_barrier" {
        return Some("work-group collective function");
    }
    if starts(&["enqueue_", "get_kernel_", "create_user_event", "set_user_event_status", "ndrange_"]) {
        return Some("device-side enqueue function");
    }
    match name {
        "retain_event" | "release_event" | "is_valid_event" | "capture_event_profiling_info" | "get_default_queue" => {
            Some("device-side enqueue function")
        }
        "async_work_group_copy_2D2D" | "async_work_group_copy_3D3D" => Some("extended asynchronous copy"),
        "cluster_barrier" | "intel_work_group_barrier_arrive" | "intel_work_group_barrier_wait" => {
            Some("split or cluster barrier")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::builtins::testing::Bench;

    #[test]
    fn refusals_name_the_function() {
        for (mangled, message) in [
            ("_Z13sub_group_alli", "sub-group function sub_group_all"),
            ("_Z16get_sub_group_idv", "sub-group function get_sub_group_id"),
            ("_Z18get_num_sub_groupsv", "sub-group function get_num_sub_groups"),
            ("_Z17sub_group_barrierj", "sub-group function sub_group_barrier"),
            ("_Z21work_group_reduce_addi", "work-group collective function work_group_reduce_add"),
            ("__read_pipe_2", "pipe function __read_pipe_2"),
            ("__enqueue_kernel_basic", "device-side enqueue function __enqueue_kernel_basic"),
        ] {
            let refusal = Bench::opencl().try_call(mangled, &[], &[]).expect_err(mangled);
            assert_eq!(refusal.to_string(), message);
        }
    }
}
