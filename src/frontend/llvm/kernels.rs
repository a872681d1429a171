//! Imports a kernel function as a kernel: parameters, blocks, terminators.

use std::collections::{BTreeMap, HashMap, HashSet};

use lockstep_ir::assumption::{Assumed, Assumptions};
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::VerifiedKernel;
use lockstep_ir::kernel::{
    self, Access, Array, ArrayData, ArrayOrigin, AssumeKind, Block, ConvertOp, Kernel, Language, LaunchBounds, Needs,
    Operation, Parameter, ParameterKind, Space, Terminator, Type,
};
use lockstep_ir::source::Location;
use lockstep_options::launch::Passed;

use super::Source;
use super::debug::DebugInfo;
use super::fields::{self, Field, Fields, Tables};
use super::numbers::{self, NumberField, Numbers};
use super::raw::{LBlock, LType, LValue, Layout, Opcode, TypeKind};
use super::types::{self, Spaces, Target, Unreadable};
use super::{addresses, annotated, other_thread, unused};
use crate::assume::{Assumption, Integer};
use crate::builder::{Builder, Lanes};
use crate::{Annotations, ImportedKernel, Refusal, finished};

/// The state of the import of one kernel.
pub struct Importer<'a> {
    /// The kernel so far.
    pub kernel: Kernel,
    /// The function that it comes from.
    pub function: LValue,
    /// Sizes of types.
    pub layout: Layout,
    /// Properties of the target on which types depend, too.
    pub target: Target,
    /// Where instructions are appended.
    pub block: Block,
    /// The source location of the current instruction.
    pub location: Option<Location>,
    /// The lanes of LLVM's parameters and instructions.
    pub values: HashMap<LValue, Lanes>,
    /// The instructions whose result is undefined afresh for each use.
    pub undefined: HashSet<LValue>,
    /// The arrays of global variables.
    pub globals: HashMap<LValue, Array>,
    /// The arrays of functions whose addresses are taken.
    pub functions: HashMap<LValue, Array>,
    /// The array of the memory whose size a launch determines (`extern __shared__`).
    pub dynamic_shared: Option<Array>,
    /// The pointers in structs that are passed by value.
    fields: Fields,
    /// The numbers in structs that are passed by value.
    numbers: Vec<Numbers>,
    /// The pointers in variables that the host may set.
    pub pointers_of_variables: Fields,
    /// The addresses in tables.
    pub tables: Tables,
    /// The arrays that stand for functions that parameters point to.
    unknown_functions: Vec<Array>,
    /// Source locations and names.
    pub debug: DebugInfo<'a>,
    /// Whether the flags of arithmetic are the source's ([`Source::unoptimised`]); otherwise they
    /// are ignored.
    pub trusts_flags: bool,
    /// The assumptions about every launch.
    pub assume: &'a [Assumption],
    /// Whether each of these applies to this kernel.
    pub assumed: Vec<Result<bool, String>>,
    /// The annotations that count.
    pub annotations: Annotations,
    /// The assumptions of the import.
    pub assumptions: Assumptions,
    /// The assumptions about some places: the sentence without them, and the lines.
    blocks: HashMap<LBlock, Block>,
}

/// Imports one kernel.
pub fn import(function: LValue, layout: Layout, target: Target, source: Source<'_>) -> ImportedKernel {
    let mut importer = Importer::new(function, layout, target, source);
    let result = importer.import().map_err(|construct| importer.refusal(construct));
    let name = importer.kernel.name.clone();
    let (file, line) = importer.place(importer.kernel.location);
    let assumptions = std::mem::take(&mut importer.assumptions);
    let symbol = function.name();
    let parameter_types = importer.debug.parameter_types().filter(|_| symbol.starts_with("_Z"));
    let assumed = std::mem::take(&mut importer.assumed);
    let (pointees, initial) = (importer.pointees(), importer.initial());
    let mut integers = importer.integers();
    let kernel = result.and_then(|()| importer.finish(&mut integers));
    let file = if file.is_empty() { source.path.display().to_string() } else { file };
    ImportedKernel {
        name,
        names: Vec::new(),
        parameter_types,
        symbol,
        file,
        line,
        sources: Vec::new(),
        assumptions,
        launches: Vec::new(),
        escapes: Vec::new(),
        passes_unknown: false,
        set_by_host: std::collections::BTreeSet::new(),
        is_never_launched: false,
        pointees,
        initial,
        program: None,
        assumed,
        integers,
        kernel,
    }
}

impl<'a> Importer<'a> {
    fn new(function: LValue, layout: Layout, target: Target, source: Source<'a>) -> Self {
        let debug = DebugInfo::new(function, source.language, source.path);
        let name = match source.language {
            Language::Cuda | Language::Hip => debug.qualified_name().unwrap_or_else(|| function.name()),
            Language::OpenCl | Language::Ptx | Language::Llvm => function.name(),
        };
        let kernel = Kernel::new(name, source.language, target.pointer_bits);
        let block = kernel.entry;
        Self {
            kernel,
            function,
            layout,
            target,
            block,
            location: None,
            values: HashMap::new(),
            undefined: HashSet::new(),
            globals: HashMap::new(),
            functions: HashMap::new(),
            dynamic_shared: None,
            fields: Fields::new(),
            numbers: Vec::new(),
            pointers_of_variables: Fields::new(),
            tables: Tables::new(),
            unknown_functions: Vec::new(),
            debug,
            trusts_flags: source.unoptimised,
            assume: source.assume,
            assumed: Vec::new(),
            annotations: source.annotations,
            assumptions: Assumptions::default(),
            blocks: HashMap::new(),
        }
    }

    /// The names of the arrays behind pointers that the host passes in structs and variables, and
    /// of the variables.
    fn pointees(&self) -> Vec<(Passed, String)> {
        let arrays = &self.kernel.arrays;
        let mut pointees = Vec::new();
        for (index, parameter) in self.kernel.parameters.iter().enumerate() {
            if let ParameterKind::Aggregate(copy) = parameter.kind {
                let fields = self.fields.get(&copy).into_iter().flatten();
                pointees
                    .extend(fields.map(|field| (Passed::Parameter { index, at: field.offset }, field.name.clone())));
            }
        }
        let mut globals: Vec<(String, Array)> =
            self.globals.iter().map(|(global, &array)| (global.name(), array)).collect();
        globals.sort_unstable();
        for (symbol, array) in globals {
            let fields = self.pointers_of_variables.get(&array).into_iter().flatten();
            let held = |at: u64| Passed::Held { variable: symbol.clone(), at };
            pointees.extend(fields.map(|field| (held(field.offset), field.name.clone())));
            pointees.push((Passed::Variable(symbol.clone()), arrays[array].name.clone()));
        }
        pointees
    }

    /// The variables of devices in the kernel with their initial contents.
    fn initial(&self) -> Vec<(String, Option<Vec<u8>>)> {
        let is_of_launch = |array: Array| matches!(self.kernel.arrays[array].space, Space::Global | Space::Constant);
        let variables = self.globals.iter().filter(|(_, array)| is_of_launch(**array));
        let contents = |global: LValue| super::memory::initial_contents(global, self.layout);
        let mut initial: Vec<_> = variables.map(|(global, _)| (global.name(), contents(*global))).collect();
        initial.sort_unstable();
        initial
    }

    /// The last steps on an imported kernel, whose result is the verified type that later stages
    /// take. Adds the fields of structs that are integers to the parameters that are.
    fn finish(self, integers: &mut BTreeMap<String, Integer>) -> Result<VerifiedKernel, Refusal> {
        let mut kernel = self.kernel;
        let mut unknown = fields::resolve(&mut kernel, &self.fields);
        unknown.extend(fields::resolve_variables(&mut kernel, &self.pointers_of_variables));
        unknown.extend(self.unknown_functions);
        let mut functions: Vec<Array> = self.functions.into_values().collect();
        functions.sort_unstable();
        fields::choose_functions(&mut kernel, &unknown, &functions);
        integers.extend(numbers::promote(&mut kernel, &self.numbers));
        other_thread::rewrite(&mut kernel);
        unused::remove(&mut kernel);
        finished(kernel)
    }

    /// Appends to the current block.
    pub fn builder(&mut self) -> Builder<'_> {
        Builder { block: self.block, location: self.location, kernel: &mut self.kernel }
    }

    fn import(&mut self) -> Result<(), Unreadable> {
        self.kernel.location = self.debug.kernel_location(&mut self.kernel);
        self.location = self.kernel.location;
        self.kernel.launch = self.launch_bounds();
        self.import_parameters()?;
        self.assume_given();
        let order = reverse_postorder(self.function);
        self.create_blocks(&order)?;
        for block in &order {
            self.import_block(*block)?;
        }
        self.debug.name_values(&mut self.kernel, &self.values);
        for table in fields::resolve_tables(&mut self.kernel, &self.tables) {
            let data = &self.kernel.arrays[table];
            if data.space != Space::Constant || data.contents.is_none() {
                self.assumptions.add(Assumed::TableAddresses { name: data.name.clone() }.everywhere());
            }
        }
        Ok(())
    }

    /// Records an assumption about the current instruction.
    pub fn assume_here(&mut self, what: Assumed) {
        let here = self.kernel.place(self.location.or(self.kernel.location));
        self.assumptions.add(what.at([here]));
    }

    fn refusal(&self, construct: Unreadable) -> Refusal {
        let (file, line) = self.place(self.location.or(self.kernel.location));
        Refusal { construct, file, line }
    }

    /// File and line of a location, in the kernel's own body if it was inlined.
    fn place(&self, location: Option<Location>) -> (String, u32) {
        location.map_or((String::new(), 0), |location| {
            let data = &self.kernel.locations[location];
            (self.kernel.files[data.file].clone(), data.line)
        })
    }

    fn launch_bounds(&self) -> LaunchBounds {
        let required = self.function.global_metadata("reqd_work_group_size").and_then(|node| {
            let size = |index| node.number(index, self.function.ty()).and_then(|size| u32::try_from(size).ok());
            Some([size(0)?, size(1)?, size(2)?])
        });
        // `__launch_bounds__` limits the threads in a block; Clang records it as a limit of the
        // first dimension.
        let most = annotated::number_of(self.function, "maxntidx");
        LaunchBounds {
            required_group_size: required,
            max_group_threads: most.and_then(|most| u32::try_from(most).ok()),
        }
    }

    fn import_parameters(&mut self) -> Result<(), Unreadable> {
        for (index, parameter) in (0_u32..).zip(self.function.parameters()) {
            let name = match parameter.name() {
                name if name.is_empty() => format!("p{index}"),
                name => name,
            };
            let kind = self.import_parameter(index, parameter, &name)?;
            self.kernel.parameters.push(Parameter { name, kind });
        }
        Ok(())
    }

    /// Makes the command line's assumptions about this kernel's launches its first preconditions.
    fn assume_given(&mut self) {
        let location = self.location.take();
        for assumption in self.assume {
            if !assumption.is_about(&self.kernel, &|name| self.number_field(name).is_some()) {
                self.assumed.push(Ok(false));
                continue;
            }
            let mut typed = BTreeMap::new();
            for name in assumption.names() {
                let field = self.number_field(name);
                let value = match field {
                    Some(field) => self.integer_field(field),
                    None => self.integer_parameter(name),
                };
                typed.insert(name, value);
            }
            let parameter = |name: &str| typed[name].clone();
            let built = assumption.build(&mut self.builder(), &parameter);
            if let Ok(holds) = built {
                self.builder().append_effect(Operation::Assume(holds, AssumeKind::Given));
                let (condition, by) = (assumption.text.clone(), assumption.origin.clone());
                self.assumptions.add(Assumed::Given { condition, by }.everywhere());
            }
            self.assumed.push(built.map(|_| true));
        }
        self.location = location;
    }

    /// The number with this name in a struct that is passed by value, and the struct's copy.
    fn number_field(&self, name: &str) -> Option<(Array, NumberField)> {
        let mut all = self.numbers.iter().flat_map(|of| of.fields.iter().map(|field| (of.copy, field)));
        all.find(|(_, field)| field.name == name).map(|(copy, field)| (copy, field.clone()))
    }

    /// The value of such a number at the beginning of the kernel, and its type.
    fn integer_field(&mut self, (copy, field): (Array, NumberField)) -> Result<(kernel::Value, Integer), String> {
        let ty = field.ty.ok_or_else(|| format!("the field `{}` is no integer", field.name))?;
        let (space, bits) = (Type::Pointer(self.kernel.arrays[copy].space), self.kernel.pointer_bits);
        let alignment = u32::try_from(field.bytes & field.offset.wrapping_neg()).ok().filter(|bytes| *bytes > 0);
        let alignment = alignment.unwrap_or(1).min(u32::try_from(field.bytes).unwrap_or(1));
        let mut builder = self.builder();
        let base = builder.append(Operation::ArrayBase(copy), space);
        let offset = builder.number(bits, field.offset);
        let pointer = builder.append(Operation::PointerAdd { pointer: base, offset, in_bounds: true }, space);
        let access = Access { pointer, alignment, volatile: false, needs: Needs::Everything };
        Ok((builder.append(Operation::Load(access), Type::Bits(ty.bits)), ty))
    }

    /// The types of the parameters that are integers, by name.
    fn integers(&self) -> BTreeMap<String, Integer> {
        let names = self.kernel.parameters.iter().map(|parameter| &parameter.name);
        names.filter_map(|name| Some((name.clone(), self.integer_parameter(name).ok()?.1))).collect()
    }

    /// The value and type of a parameter that is an integer.
    fn integer_parameter(&self, name: &str) -> Result<(kernel::Value, Integer), String> {
        let index = self.kernel.parameters.iter().position(|parameter| parameter.name == name);
        let index = index.ok_or_else(|| format!("there is no parameter `{name}`"))?;
        let declared = self.function.global_metadata("kernel_arg_base_type");
        let declared = declared.and_then(|node| node.string(index, self.function.ty()));
        let declared = declared.or_else(|| self.debug.parameter_type_name(index)).unwrap_or_default();
        let value = self.function.parameters().get(index).and_then(|parameter| self.values.get(parameter));
        match (Integer::named(&declared), value.map(Vec::as_slice)) {
            (Some(ty), Some(&[value])) if self.kernel.ty(value) == Type::Bits(ty.bits) => Ok((value, ty)),
            _ if declared.is_empty() => Err(format!("the type of the parameter `{name}` is not known")),
            _ => Err(format!("the parameter `{name}` is no integer but `{declared}`")),
        }
    }

    fn import_parameter(&mut self, index: u32, parameter: LValue, name: &str) -> Result<ParameterKind, Unreadable> {
        let ty = parameter.ty();
        match ty.kind() {
            TypeKind::LLVMPointerTypeKind => self.import_pointer(index, parameter, name),
            TypeKind::LLVMTargetExtTypeKind if ty.target_name() == "spirv.Image" => {
                let array = self.image(index, ty, name);
                let base = self.builder().append(Operation::ArrayBase(array), Type::Pointer(Space::Global));
                self.values.insert(parameter, vec![base]);
                Ok(ParameterKind::Pointer(array))
            }
            TypeKind::LLVMTargetExtTypeKind => {
                // The value of a sampler affects which texels are read, but never whether: any
                // value will do.
                let lanes = self.lanes(ty)?;
                let lanes = lanes.into_iter().map(|lane| self.zero(lane)).collect();
                self.values.insert(parameter, lanes);
                Ok(ParameterKind::Opaque)
            }
            _ => {
                let lanes = self.lanes(ty)?;
                if let [lane] = lanes.as_slice() {
                    if self.target.spaces == Spaces::Nvptx && addresses::is_address(parameter) {
                        return Ok(self.import_address(parameter, name));
                    }
                    let value = self.builder().append(Operation::Parameter(index), *lane);
                    self.name_value(value, name);
                    self.values.insert(parameter, vec![value]);
                    return Ok(ParameterKind::Scalar(*lane));
                }
                let leaves = types::leaves(ty, self.layout, self.target)?;
                let bits = u32::try_from(8 * self.layout.store_bytes(ty)).map_err(|_| format!("parameter {name}"))?;
                let whole = self.builder().append(Operation::Parameter(index), Type::Bits(bits));
                self.name_value(whole, name);
                let lanes = self.split(whole, &leaves)?;
                self.values.insert(parameter, lanes);
                Ok(ParameterKind::Scalar(Type::Bits(bits)))
            }
        }
    }

    fn import_pointer(&mut self, index: u32, parameter: LValue, name: &str) -> Result<ParameterKind, Unreadable> {
        let by_value = self.by_value_type(index);
        let space = match (by_value, self.target.space(parameter.ty().address_space())?) {
            (Some(_), _) => self.target.own_space(parameter.ty().address_space())?,
            // Pointers that the host passes to a CUDA kernel point to global memory.
            (None, Space::Generic) if self.target.spaces == Spaces::Nvptx => Space::Global,
            (None, space) => space,
        };
        let size = by_value.map(|ty| types::allocation_bytes(ty, self.layout, self.target));
        let origin = if by_value.is_some() { ArrayOrigin::Aggregate } else { ArrayOrigin::Parameter };
        match (space, by_value) {
            (Space::Global | Space::Constant | Space::Local, None) | (Space::Private, Some(_)) => {}
            (_, None) if self.kernel.name.ends_with("_block_invoke_kernel") => {
                return Err("block for device-side enqueue".into());
            }
            (_, None) => return Err(format!("kernel parameter {name} that points to private or unnamed memory")),
            (_, Some(_)) => return Err(format!("struct parameter {name} outside private memory")),
        }
        let declared = self.debug.parameter(index, by_value.is_none());
        if by_value.is_none() && self.debug.points_to_function(index) {
            let array = self.kernel.arrays.push(fields::function_array(name.to_owned()));
            self.unknown_functions.push(array);
            let base = self.builder().append(Operation::ArrayBase(array), Type::Pointer(Space::Constant));
            self.values.insert(parameter, vec![base]);
            return Ok(ParameterKind::Opaque);
        }
        if let Some(ty) = by_value {
            self.note_fields(index, ty, name)?;
        }
        let array = self.kernel.arrays.push(ArrayData {
            name: name.to_owned(),
            space,
            origin,
            element: declared.element,
            size,
            contents: None,
            volatile: declared.volatile,
            sized_by: None,
            restrict: declared.restrict,
            nonzero: false,
            location: self.kernel.location,
        });
        let base = self.builder().append(Operation::ArrayBase(array), Type::Pointer(space));
        self.name_value(base, name);
        self.values.insert(parameter, vec![base]);
        Ok(if by_value.is_some() { ParameterKind::Aggregate(array) } else { ParameterKind::Pointer(array) })
    }

    /// Records the pointers in a struct passed by value, whose copy is the next array.
    fn note_fields(&mut self, index: u32, ty: LType, name: &str) -> Result<(), Unreadable> {
        let declared = self.debug.pointer_fields(index);
        let fields = self.pointers_in(ty, &declared, name)?;
        let copy = self.kernel.arrays.next_key();
        let named = |field: NumberField| NumberField { name: format!("{name}{}", field.name), ..field };
        let all: Vec<NumberField> = self.debug.number_fields(index).into_iter().map(named).collect();
        let alone = numbers::separate(&all, &fields, u64::from(self.kernel.pointer_bits / 8));
        self.numbers.push(Numbers { parameter: index, copy, fields: alone });
        if !fields.is_empty() {
            self.fields.insert(copy, fields);
        }
        Ok(())
    }

    /// The pointers in a value of a type, by the source's names for them.
    pub fn pointers_in(&self, ty: LType, declared: &[Field], name: &str) -> Result<Vec<Field>, Unreadable> {
        let leaves = types::leaves(ty, self.layout, self.target)?;
        let pointers = leaves.into_iter().filter(|leaf| matches!(leaf.ty, Type::Pointer(_)));
        let fields = pointers.map(|leaf| {
            let found = declared.iter().find(|field| field.offset == leaf.offset);
            if let Some(field) = found {
                Field { name: format!("{name}{}", field.name), ..field.clone() }
            } else {
                let name = format!("{name}+{}", leaf.offset);
                Field { offset: leaf.offset, name, element: None, function: false }
            }
        });
        Ok(fields.collect())
    }

    /// The struct that a pointer parameter passes by value.
    fn by_value_type(&self, index: u32) -> Option<LType> {
        use inkwell::llvm_sys::core as c;
        // SAFETY: `function` is a function with more than `index` parameters.
        unsafe {
            let kind = c::LLVMGetEnumAttributeKindForName(c"byval".as_ptr(), 5);
            let attribute = c::LLVMGetEnumAttributeAtIndex(self.function.0, index + 1, kind);
            (!attribute.is_null()).then(|| LType(c::LLVMGetTypeAttributeValue(attribute)))
        }
    }

    fn image(&mut self, index: u32, ty: LType, name: &str) -> Array {
        // Sampled type, then dimension (0: 1D, 1: 2D, 2: 3D, 5: a buffer), depth, arrayed, …
        let numbers = ty.target_numbers();
        let dimensions = match numbers.first() {
            Some(1) => 2,
            Some(2) => 3,
            _ => 1,
        } + u8::from(numbers.get(2) == Some(&1));
        self.kernel.arrays.push(ArrayData {
            name: name.to_owned(),
            space: Space::Global,
            origin: ArrayOrigin::Image { dimensions },
            element: self.debug.parameter(index, false).element,
            size: None,
            contents: None,
            volatile: false,
            sized_by: None,
            restrict: false,
            nonzero: false,
            location: self.kernel.location,
        })
    }

    fn create_blocks(&mut self, order: &[LBlock]) -> Result<(), Unreadable> {
        for (index, block) in order.iter().enumerate() {
            let created = if index == 0 { self.kernel.entry } else { self.kernel.add_block() };
            self.blocks.insert(*block, created);
            for phi in phis(*block) {
                let lanes = self.lanes(phi.ty())?;
                let lanes = lanes.into_iter().map(|lane| self.kernel.add_parameter(created, lane, None)).collect();
                self.values.insert(phi, lanes);
            }
        }
        Ok(())
    }

    fn import_block(&mut self, block: LBlock) -> Result<(), Unreadable> {
        self.block = self.blocks[&block];
        for instruction in block.instructions() {
            self.location = self.debug.location(instruction, &mut self.kernel).or(self.location);
            match instruction.opcode() {
                Opcode::LLVMPHI => {}
                Opcode::LLVMRet
                | Opcode::LLVMBr
                | Opcode::LLVMSwitch
                | Opcode::LLVMUnreachable
                | Opcode::LLVMIndirectBr
                | Opcode::LLVMInvoke
                | Opcode::LLVMCallBr
                | Opcode::LLVMResume
                | Opcode::LLVMCleanupRet
                | Opcode::LLVMCatchRet
                | Opcode::LLVMCatchSwitch => {
                    let terminator = self.terminator(block, instruction)?;
                    self.end_block(terminator);
                }
                // Code before a trap has been executed; code after it is not.
                _ if is_trap(instruction) => {
                    self.end_block(Terminator::Trap);
                    return Ok(());
                }
                _ => self.instruction(instruction)?,
            }
        }
        Ok(())
    }

    fn end_block(&mut self, terminator: Terminator) {
        let block = &mut self.kernel.blocks[self.block];
        block.terminator = terminator;
        block.location = self.location;
    }

    fn terminator(&mut self, block: LBlock, instruction: LValue) -> Result<Terminator, Unreadable> {
        let operands = instruction.operands();
        let successors = instruction.successors();
        match (instruction.opcode(), successors.as_slice()) {
            (Opcode::LLVMRet, _) => Ok(Terminator::Return),
            (Opcode::LLVMUnreachable, _) => Ok(Terminator::Unreachable),
            (Opcode::LLVMBr, [only]) => Ok(Terminator::Jump(self.target(block, *only)?)),
            (Opcode::LLVMBr, [then, otherwise]) => {
                let condition = self.scalar(operands[0])?;
                let then = self.target(block, *then)?;
                let otherwise = self.target(block, *otherwise)?;
                Ok(Terminator::Branch { condition, then, otherwise })
            }
            (Opcode::LLVMSwitch, [default, cases @ ..]) => {
                let value = self.scalar(operands[0])?;
                let value = match self.kernel.ty(value) {
                    Type::Bool => self.builder().convert(ConvertOp::Bitcast, value, Type::Bits(1)),
                    _ => value,
                };
                // The operands are: value, default, then constant and block of each case.
                let constants: Vec<Bits> = operands
                    .iter()
                    .skip(2)
                    .step_by(2)
                    .filter_map(|constant| super::values::pattern(*constant))
                    .collect();
                if constants.len() != cases.len() {
                    return Err("switch with cases that are not constants".into());
                }
                let cases = constants
                    .into_iter()
                    .zip(cases)
                    .map(|(constant, case)| Ok((constant, self.target(block, *case)?)))
                    .collect::<Result<_, Unreadable>>()?;
                Ok(Terminator::Switch { value, cases, default: self.target(block, *default)? })
            }
            (opcode, _) => Err(format!("instruction {}", super::instructions::opcode_name(opcode))),
        }
    }

    fn target(&mut self, from: LBlock, to: LBlock) -> Result<kernel::Target, Unreadable> {
        let mut arguments = Vec::new();
        for phi in phis(to) {
            let incoming = phi.incoming(from).ok_or("phi without a value for a predecessor")?;
            arguments.extend(self.operand(incoming)?);
        }
        // The import may know more of pointers than a φ-node shows.
        for (index, argument) in arguments.iter_mut().enumerate() {
            let parameter = self.kernel.blocks[self.blocks[&to]].parameters[index];
            let ty = self.kernel.ty(parameter);
            if matches!(ty, Type::Pointer(_)) {
                *argument = self.cast(*argument, ty);
            }
        }
        Ok(kernel::Target { block: self.blocks[&to], arguments })
    }

    /// Gives a value the name of the source variable it holds, if it has none yet.
    pub fn name_value(&mut self, value: kernel::Value, name: &str) {
        let data = &mut self.kernel.values[value];
        if data.name.is_none() && !name.is_empty() {
            data.name = Some(name.to_owned());
        }
    }
}

/// Whether an instruction ends the launch. Clang continues after it as if it might not.
fn is_trap(instruction: LValue) -> bool {
    let called = matches!(instruction.opcode(), Opcode::LLVMCall).then(|| instruction.called()).flatten();
    called.is_some_and(|called| matches!(called.name().as_str(), "llvm.trap" | "llvm.ubsantrap"))
}

fn phis(block: LBlock) -> impl Iterator<Item = LValue> {
    block.iter().take_while(|instruction| matches!(instruction.opcode(), Opcode::LLVMPHI))
}

/// The blocks that can be reached, each after those that dominate it.
fn reverse_postorder(function: LValue) -> Vec<LBlock> {
    let Some(&entry) = function.blocks().first() else { return Vec::new() };
    let successors = |block: LBlock| {
        let goes_on = !block.instructions().into_iter().any(is_trap);
        block.terminator().filter(|_| goes_on).map(LValue::successors).unwrap_or_default()
    };
    let mut seen = HashSet::from([entry]);
    let mut order = Vec::new();
    // The successors yet to be visited, last first: so `then` comes before `otherwise` in the
    // result.
    let mut stack = vec![(entry, successors(entry))];
    while let Some((block, pending)) = stack.last_mut() {
        if let Some(next) = pending.pop() {
            if seen.insert(next) {
                stack.push((next, successors(next)));
            }
        } else {
            order.push(*block);
            stack.pop();
        }
    }
    order.reverse();
    order
}
