//! The launches in host code of OpenCL.
//!
//! A host creates a kernel by its name, sets its arguments one by one, and enqueues it. All three
//! are calls with the kernel's **handle**:
//!
//! ```text
//! k = clCreateKernel(program, "name", &status);
//! clSetKernelArg(k, 0, sizeof(cl_mem), &buffer);
//! clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &local, 0, NULL, NULL);
//! ```
//!
//! Functions that call the API are inlined ([`inlining`]). Then a marker with the values behind the
//! pointers goes in front of each call that sets an argument or launches ([`markers`]), constants
//! are propagated and variables become values, as for CUDA's launches ([`super::launches`]).
//!
//! * The kernel of a launch is the one whose name its handle was created with ([`handles`]). A
//!   handle that is not followed may be any kernel's, so every kernel may have unknown launches.
//! * An argument has the value that was set last before the launch, on every path to it
//!   ([`arguments`]). If there are several, or one is not followed, the argument is open.
//! * Values that are not constant have relations and ranges, as for CUDA's launches. An argument's
//!   value is the one at the call that set it. This call dominates the launch, and the value
//!   dominates the call, so none of the three can be passed again between the call and the launch:
//!   the value has not been computed anew since.
//!
//! The API's functions are assumed to succeed, and to do what their documentation says. A call that
//! fails leaves the old value of an argument, and launches nothing.

mod arguments;
mod handles;
mod inlining;
mod markers;

use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::prelude::LLVMModuleRef;
use lockstep_ir::host::HostProgram;
use lockstep_options::launch::nd_range::{Memory, NdRange};
use lockstep_options::launch::places::ArgumentPlace;
use lockstep_options::launch::{Alias, Extent, Passed, SourceLaunch};

use super::host_program;
use super::host_ranges::HostRanges;
use super::launches::{PIPELINE, Place, allocated, hide_what_main_reaches, integer, place};
use super::passes::{functions, run_pipeline};
use super::raw::{LBlock, LValue};
use arguments::{Argument, Arguments};
pub use handles::text;
use handles::{Handle, Handles};
use markers::Launch;

/// The passes before the markers: they bring calls and the addresses of variables together.
const BEFORE: &std::ffi::CStr = c"inferattrs,always-inline,globalopt,ipsccp,\
    function(sroa,early-cse,instcombine<no-verify-fixpoint>),cgscc(inline),\
    function(sroa,early-cse,instcombine<no-verify-fixpoint>),globaldce";

/// The last passes: they make choices between values of branches.
const CHOICES: &std::ffi::CStr = c"function(simplifycfg<no-hoist-common-insts;no-sink-common-insts>,early-cse,gvn,\
    instcombine<no-verify-fixpoint>)";

/// The host code's uses of kernels, which are named as in the source.
#[derive(Debug, Default)]
pub struct OpenClHost {
    /// The readable launches, in the order of the source.
    pub launches: Vec<(String, SourceLaunch)>,
    /// The places at which a handle is used that is not followed further, with the kernel's name,
    /// in the order of the source. Without a name it may be any kernel's.
    pub escapes: Vec<(Option<String>, Place)>,
    /// The places of launches of a kind that no verdict covers.
    pub not_covered: Vec<(String, Place, NotCovered)>,
    /// The whole of it, if it has a `main`.
    pub program: Option<HostProgram>,
}

/// A kind of launch that no verdict covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotCovered {
    /// The first global id is not constant.
    Offset,
    /// The last group is smaller than the others.
    Remainder,
}

/// Finds the launches in the bitcode of a host file.
pub fn launches(bitcode: &[u8]) -> Result<OpenClHost, String> {
    let owner = super::parse(bitcode)?;
    let module = owner.module;
    let main = functions(module).into_iter().find(|function| function.name() == "main" && !function.is_declaration());
    if let Some(main) = main {
        hide_what_main_reaches(module);
        if !main.is_used() {
            // Variables of the file that only `main` uses are like its own.
            super::launches::add_attribute(module, main, "norecurse", 0);
        }
    }
    markers::describe_api(module);
    inlining::inline_callers(module);
    run_pipeline(module, BEFORE)?;
    markers::insert(module);
    run_pipeline(module, PIPELINE)?;
    run_pipeline(module, CHOICES)?;
    Ok(OpenClHost { program: host_program::program(bitcode)?, ..read(module) })
}

fn read(module: LLVMModuleRef) -> OpenClHost {
    let handles = Handles::of(module);
    let host = HostRanges::default();
    let mut found = OpenClHost { escapes: handles.escapes(), ..OpenClHost::default() };
    for function in functions(module) {
        let instructions: Vec<LValue> = function.blocks().into_iter().flat_map(LBlock::instructions).collect();
        let arguments = Arguments::of(function, &handles);
        for launch in instructions.into_iter().filter_map(Launch::of) {
            found.add(&launch, &handles.of_value(launch.handle), &arguments, &host);
        }
    }
    found.launches.sort_by_key(|(_, launch)| (launch.file.clone(), launch.line));
    found.escapes.sort_by_key(|(_, place)| place.clone());
    found.escapes.dedup();
    found
}

impl OpenClHost {
    /// Adds a launch for each kernel that its handle may be.
    fn add(&mut self, launch: &Launch, handle: &Handle, arguments: &Arguments, host: &HostRanges) {
        let place = place(launch.marker).unwrap_or_default();
        let read = source_launch(launch, &place, arguments, host);
        for name in &handle.names {
            match &read {
                Ok(read) => self.launches.push((name.clone(), read.clone())),
                Err(kind) => self.not_covered.push((name.clone(), place.clone(), *kind)),
            }
        }
        if handle.is_unknown {
            self.escapes.push((None, place));
        }
    }
}

/// The launch of a marker, or the reason why no verdict covers it.
fn source_launch(
    launch: &Launch,
    (file, line): &Place,
    arguments: &Arguments,
    host: &HostRanges,
) -> Result<SourceLaunch, NotCovered> {
    let global_offset = launch.offset().ok_or(NotCovered::Offset)?;
    let (num_groups, local_size, global_size) = launch.sizes().ok_or(NotCovered::Remainder)?;
    let set = arguments.at(launch);
    let values: Vec<LValue> = set.iter().map(|argument| argument.number().unwrap_or_else(|| unknown(launch))).collect();
    let sizes = &launch.groups_and_threads;
    let facts = host.facts(launch.marker, sizes, &values, &[]);
    let places: Vec<ArgumentPlace> = (0..values.len()).map(|parameter| ArgumentPlace { parameter, at: 0 }).collect();
    let buffers: Vec<Option<LValue>> =
        set.iter().map(|argument| argument.buffer().and_then(markers::buffer_bytes)).collect();
    let allocated = allocated(host, (launch.marker, sizes, &values), &buffers, &places);
    Ok(SourceLaunch {
        local_size,
        num_groups,
        shared_bytes: None,
        arguments: values.iter().map(|value| integer(*value)).collect(),
        places,
        relations: facts.relations,
        ranges: facts.ranges,
        host: facts.host,
        by_default: host.by_default(launch.marker, sizes, &values, &[]),
        allocated,
        // The implementation may choose the size, and then it may be any.
        groups_elsewhere: false,
        is_reached: true,
        computed_elsewhere: values.iter().map(|value| !host.is_free(*value, launch.marker)).collect(),
        aliases: aliases(&set),
        apart: Vec::new(),
        nd_range: Some(NdRange {
            dimensions: launch.dimensions,
            global_size,
            global_offset,
            memory: memory(&set, LValue::small_constant),
            memory_by_default: memory(&set, |bytes| host.number_by_default(launch.marker, bytes)),
        }),
        file: file.clone(),
        line: *line,
    })
}

/// A value of which nothing is known.
fn unknown(launch: &Launch) -> LValue {
    // SAFETY: the type belongs to the marker's context.
    LValue(unsafe { c::LLVMGetUndef(c::LLVMTypeOf(launch.groups_and_threads[0].0)) })
}

/// The memory behind each argument, whose size is read by a function.
fn memory(arguments: &[Argument], read: impl Fn(LValue) -> Option<u64>) -> Vec<Memory> {
    let of = |argument: &Argument| match argument {
        Argument::Local(bytes) => read(*bytes).map_or(Memory::Unknown, Memory::Local),
        Argument::Value(_) => {
            let bytes = argument.buffer().and_then(markers::buffer_bytes).and_then(&read);
            bytes.map_or(Memory::Unknown, Memory::Buffer)
        }
        Argument::Open => Memory::Unknown,
    };
    arguments.iter().map(of).collect()
}

/// Pairs of arguments for which one buffer is set.
fn aliases(arguments: &[Argument]) -> Vec<Alias> {
    let mut found = Vec::new();
    let passed = |index: usize| Passed::Parameter { index, at: 0 };
    for (second, argument) in arguments.iter().enumerate() {
        let Some(buffer) = argument.buffer() else { continue };
        let is_same = |&first: &usize| arguments[first].buffer() == Some(buffer);
        let same = (0..second).filter(is_same);
        found.extend(same.map(|first| Alias { passed: [passed(first), passed(second)], distance: 0 }));
    }
    found.sort();
    found
}

/// Three sizes of a launch.
type Extents = [Extent; 3];
