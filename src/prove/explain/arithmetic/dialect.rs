//! The names of the source language for ids and sizes.

use lockstep_ir::kernel::Language;

/// A number that the launch provides to a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// The thread's id in its group.
    LocalId,
    /// The group's id.
    GroupId,
    /// The number of threads in a group.
    LocalSize,
    /// The number of groups.
    GroupCount,
    /// The number of threads in the launch.
    GlobalSize,
}

impl Query {
    /// The expression for this number in a dimension: OpenCL's function, or CUDA's variable.
    pub fn name(self, language: Language, dimension: usize) -> String {
        let has_variables = matches!(language, Language::Cuda | Language::Hip);
        let component = ["x", "y", "z"].get(dimension).filter(|_| has_variables);
        match (self, component) {
            (Self::LocalId, Some(component)) => format!("threadIdx.{component}"),
            (Self::GroupId, Some(component)) => format!("blockIdx.{component}"),
            (Self::LocalSize, Some(component)) => format!("blockDim.{component}"),
            (Self::GroupCount, Some(component)) => format!("gridDim.{component}"),
            (Self::GlobalSize, Some(component)) => format!("(gridDim.{component}*blockDim.{component})"),
            (Self::LocalId, None) => format!("get_local_id({dimension})"),
            (Self::GroupId, None) => format!("get_group_id({dimension})"),
            (Self::LocalSize, None) => format!("get_local_size({dimension})"),
            (Self::GroupCount, None) => format!("get_num_groups({dimension})"),
            (Self::GlobalSize, None) => format!("get_global_size({dimension})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuda_has_variables() {
        assert_eq!(Query::GroupId.name(Language::Cuda, 0), "blockIdx.x");
        assert_eq!(Query::LocalId.name(Language::Hip, 1), "threadIdx.y");
        assert_eq!(Query::LocalId.name(Language::OpenCl, 1), "get_local_id(1)");
        assert_eq!(Query::GlobalSize.name(Language::Cuda, 2), "(gridDim.z*blockDim.z)");
    }
}
