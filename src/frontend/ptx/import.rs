//! Imports the kernels of a PTX file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use lockstep_ir::assumption::{Assumed, Assumptions};
use lockstep_ir::kernel::transform::recognise_quotients;
use lockstep_ir::kernel::{Array, Kernel, Language, LaunchBounds, Parameter, ParameterKind, Type, VerifiedKernel};

use super::flatten::flatten;
use super::graph::graph;
use super::lower::{Input, RefusedStep};
use super::module::{self, Function, Module};
use super::places::{Places, Sources};
use super::{names, rounds, slots};
use crate::assume::{Assumption, Integer, assume};
use crate::llvm::unused;
use crate::{FrontendOptions, ImportedKernel, Refusal, finished, verified};

/// Imports the kernels of a file, and gives the sources that may be shown. The error gives the
/// fault and its line.
pub fn import(
    path: &Path,
    bytes: &[u8],
    options: &FrontendOptions,
) -> Result<(Vec<ImportedKernel>, Vec<std::path::PathBuf>), String> {
    let text = std::str::from_utf8(bytes).map_err(|error| format!("it is not UTF-8: {error}"))?;
    let module = module::read(text)?;
    let sources = Sources::new(&module, path, options);
    let is_kernel = |function: &&Function| function.is_entry && function.body.is_some();
    let functions: Vec<&Function> = module.functions.iter().filter(is_kernel).collect();
    let mut meant: BTreeMap<String, usize> = BTreeMap::new();
    for function in &functions {
        *meant.entry(names::shown(&function.name)).or_default() += 1;
    }
    // Overloaded kernels keep the names that tell them apart.
    let name = |function: &Function| {
        let name = names::shown(&function.name);
        if meant.get(&name) == Some(&1) { name } else { function.name.clone() }
    };
    let kernels = functions.iter().map(|function| imported(&module, function, name(function), path, &sources, options));
    let kernels = kernels.collect();
    let opened = sources.opened().filter_map(|file| std::fs::canonicalize(file).ok()).collect();
    Ok((kernels, opened))
}

fn imported(
    module: &Module,
    function: &Function,
    name: String,
    path: &Path,
    sources: &Sources,
    options: &FrontendOptions,
) -> ImportedKernel {
    let mut assumptions = Assumptions::default();
    let (kernel, place) = lowered(module, function, &name, sources, &mut assumptions);
    let integers = kernel.as_ref().map(|kernel| integers(kernel)).unwrap_or_default();
    let mut assumed = Vec::new();
    let kernel = kernel.map(|kernel| with_given(kernel, &options.assume, &integers, &mut assumed, &mut assumptions));
    let kernel = kernel.and_then(|kernel| kernel);
    assumed.resize(options.assume.len(), Ok(false));
    let (file, line) = match (&kernel, place) {
        (Ok(kernel), _) => {
            let place = kernel.place(kernel.location);
            (place.file, place.line)
        }
        (Err(_), Some(place)) => place,
        (Err(_), None) => (path.display().to_string(), function.line),
    };
    ImportedKernel {
        names: vec![crate::names::normalised(&name)],
        name,
        parameter_types: None,
        symbol: function.name.clone(),
        file,
        line,
        sources: Vec::new(),
        assumptions,
        launches: Vec::new(),
        escapes: Vec::new(),
        passes_unknown: false,
        set_by_host: BTreeSet::new(),
        is_never_launched: false,
        pointees: Vec::new(),
        initial: Vec::new(),
        program: None,
        assumed,
        integers,
        kernel,
    }
}

/// The parameters that are integers. PTX does not tell their signs; compilers declare C's `int` as
/// `.u32`, so all are signed.
fn integers(kernel: &Kernel) -> BTreeMap<String, Integer> {
    let integer = |parameter: &Parameter| match parameter.kind {
        ParameterKind::Scalar(Type::Bits(bits)) if bits <= 64 => {
            Some((parameter.name.clone(), Integer { bits, signed: true }))
        }
        _ => None,
    };
    kernel.passed().iter().filter_map(integer).collect()
}

/// The kernel with assumptions about its launches as preconditions. Tells of each
/// whether it applies.
fn with_given(
    kernel: VerifiedKernel,
    given: &[Assumption],
    integers: &BTreeMap<String, Integer>,
    assumed: &mut Vec<Result<bool, String>>,
    assumptions: &mut Assumptions,
) -> Result<VerifiedKernel, Refusal> {
    if given.is_empty() {
        return Ok(kernel);
    }
    let mut kernel = kernel.into_inner();
    // Each is put before the code so far: the last one first.
    for assumption in given.iter().rev() {
        if !assumption.is_about(&kernel, &|_| false) {
            assumed.push(Ok(false));
            continue;
        }
        let added = assume(assumption, &mut kernel, integers);
        if added.is_ok() {
            let (condition, by) = (assumption.text.clone(), assumption.origin.clone());
            assumptions.add(Assumed::Given { condition, by }.everywhere());
        }
        assumed.push(added.map(|()| true));
    }
    assumed.reverse();
    verified(kernel)
}

/// The kernel, and the place of its declaration.
fn lowered(
    module: &Module,
    function: &Function,
    name: &str,
    sources: &Sources,
    assumptions: &mut Assumptions,
) -> (Result<VerifiedKernel, Refusal>, Option<(String, u32)>) {
    let mut flat = flatten(module, function);
    let parts = slots::replace(&mut flat, function.parameters.len());
    let graph = graph(&flat);
    let mut empty = Kernel::new(name, Language::Ptx, module.address_bits);
    empty.launch = LaunchBounds { required_group_size: function.required, max_group_threads: function.most_threads };
    let input = Input { function, flat: &flat, graph: &graph, parts: &parts, empty: &empty };
    let declared = place_of(&input, 0, sources);
    match rounds::lower(&input, sources) {
        Ok((round, inferred)) => {
            *assumptions = round.assumptions;
            for array in inferred {
                note_address(&round.kernel, array, assumptions);
            }
            // Compilers make divisions by constants multiplications.
            let mut kernel = recognise_quotients(round.kernel);
            unused::remove(&mut kernel);
            (finished(kernel), Some(declared))
        }
        Err(RefusedStep { construct, place }) => {
            let (file, line) = place_of(&input, place, sources);
            (Err(Refusal { construct, file, line }), Some(declared))
        }
    }
}

/// The file and line of a place, in the kernel's own body if it was inlined.
fn place_of(input: &Input<'_>, place: usize, sources: &Sources) -> (String, u32) {
    let mut kernel = input.empty.clone();
    let location = Places::new(sources, &input.flat.places).location(&mut kernel, place);
    let place = kernel.place(location);
    (place.file, place.line)
}

/// A number that is used as an address points to memory of its own, which is an assumption.
fn note_address(kernel: &Kernel, array: Array, assumptions: &mut Assumptions) {
    let place = kernel.place(kernel.location);
    assumptions.add(Assumed::IntegerIsAddress { name: kernel.arrays[array].name.clone() }.at([place]));
}
