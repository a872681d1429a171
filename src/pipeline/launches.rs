//! The launches that a kernel is verified for.

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{Kernel, Parameter, ParameterKind, Type};

use crate::frontend::ImportedKernel;
use crate::launch::LaunchRequest;
use crate::launch::places::integers_of;
use crate::launch::recorded::RecordedArgument;
use crate::pipeline::input_fault::{Culprit, InputFault};
use crate::pipeline::settings::Settings;
use crate::verdict::Finding;

/// A launch that a kernel is verified for.
#[derive(Clone, Debug)]
pub struct AskedLaunch {
    /// The sizes of the launch.
    pub request: LaunchRequest,
    /// The places where the source has this launch; empty if the sizes come from elsewhere.
    pub places: Vec<(String, u32)>,
    /// The places where the kernel's address escapes in the source, if this launch stands for the
    /// resulting launches.
    pub escapes: Vec<(String, u32)>,
    /// The places where the launch is recorded; empty if it is not a recorded one.
    pub recorded_at: Vec<(String, u32)>,
    /// The arguments, if they were recorded.
    pub arguments: Option<Vec<RecordedArgument>>,
}

impl AskedLaunch {
    pub(super) fn new(request: LaunchRequest, places: Vec<(String, u32)>) -> Self {
        Self { request, places, escapes: Vec::new(), recorded_at: Vec::new(), arguments: None }
    }

    /// An error in the request for this launch.
    pub(super) fn fault(&self, message: String) -> InputFault {
        match self.recorded_at.first() {
            Some((file, line)) => {
                InputFault { culprit: Culprit::Recording, message: format!("{file}:{line}: {message}") }
            }
            None => InputFault::command_line(message),
        }
    }
}

/// The values of a kernel's parameters in the launch of a finding. A parameter that the kernel does
/// not read has none there.
pub fn arguments_of(finding: &Finding, kernel: &Kernel) -> Vec<Option<Bits>> {
    let value = |parameter: &Parameter| {
        let ParameterKind::Scalar(Type::Bits(width)) = parameter.kind else { return None };
        // A negative number stands behind the unsigned one.
        let shown: u64 = finding.parameters.get(&parameter.name)?.split(' ').next()?.parse().ok()?;
        Some(Bits::new(width, shown))
    };
    kernel.parameters.iter().map(value).collect()
}

/// The most launches of the source that are verified one by one. A kernel with more is verified for
/// one launch that stands for all of them.
pub const MOST_SOURCE_LAUNCHES: usize = 8;

impl Settings {
    /// The launches that a kernel is verified for: the one that the command line describes, or
    /// those in the source. If the source may have others, one launch of any size stands for them.
    pub fn launches(&self, kernel: &ImportedKernel) -> Vec<AskedLaunch> {
        let mut launches: Vec<AskedLaunch> = Vec::new();
        let known = kernel.kernel.as_ref().ok().map(|kernel| &**kernel);
        let of_source = if self.frontend.source_launches { &kernel.launches[..] } else { &[] };
        for launch in of_source {
            let request = launch.request(known, &self.launch);
            let place = (launch.file.clone(), launch.line);
            match launches.iter_mut().find(|known| known.request.is_like(&request)) {
                Some(known) if known.places.contains(&place) => {}
                Some(known) => known.places.push(place),
                None => launches.push(AskedLaunch::new(request, vec![place])),
            }
        }
        if launches.len() > MOST_SOURCE_LAUNCHES {
            let requests: Vec<LaunchRequest> = launches.iter().map(|launch| launch.request.clone()).collect();
            let places = launches.into_iter().flat_map(|launch| launch.places).collect();
            launches =
                LaunchRequest::joined(&requests).map(|request| AskedLaunch::new(request, places)).into_iter().collect();
        }
        let mut request = self.launch.clone();
        if kernel.passes_unknown {
            request.computed_elsewhere = known.map(integers_of).unwrap_or_default();
        }
        let any = AskedLaunch { escapes: kernel.escapes.clone(), ..AskedLaunch::new(request, Vec::new()) };
        if launches.is_empty() || !kernel.escapes.is_empty() {
            launches.push(any);
        }
        launches
    }

    /// Whether this kernel was asked for.
    pub fn wants(&self, kernel: &ImportedKernel) -> bool {
        self.kernels.is_empty() || self.kernels.iter().any(|name| kernel.is_called(name))
    }
}
