//! Source locations, and the names and types that the source gives to variables.

use std::collections::HashMap;
use std::iter;
use std::path::{Path, PathBuf};

use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::debuginfo as d;
use lockstep_ir::kernel::{ElementLayout, Kernel, Language, Value};
use lockstep_ir::source::{File, Location, LocationData};
use lockstep_system::printable;

use super::fields::Field;
use super::numbers::NumberField;
use super::raw::{LBlock, LMetadata, LType, LValue, MetadataKind, Opcode, ValueKind};
use crate::assume::Integer;
use crate::builder::Lanes;
use crate::cuda::OWN_HEADERS;

/// The source's declaration of a variable or parameter.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    /// Its name.
    pub name: Option<String>,
    /// The type of its value or of its target.
    pub element: Option<ElementLayout>,
    /// Whether it is `volatile`.
    pub volatile: bool,
    /// Whether it is `restrict`.
    pub restrict: bool,
}

/// The pointers and numbers found in a type so far.
#[derive(Default)]
struct Fields {
    found: Vec<Field>,
    numbers: Vec<NumberField>,
    /// The types under inspection, each nested in the one before: broken debug information may have
    /// one nested in itself.
    within: Vec<LMetadata>,
    /// The number of parts inspected so far.
    visits: u32,
}

/// The debug information of one kernel.
pub struct DebugInfo<'a> {
    function: LValue,
    language: Language,
    /// The path of the input as the user gave it.
    path: &'a Path,
    absolute: PathBuf,
    working_directory: PathBuf,
    files: HashMap<String, File>,
    locations: HashMap<LMetadata, Location>,
    /// The source variable of each alloca.
    variables: HashMap<LValue, LMetadata>,
    parts: HashMap<LValue, bool>,
    /// Values in the order in which source variables get them.
    names: Vec<(LValue, String)>,
}

/// The longest chain of types, scopes or calls that is followed. Broken debug information may have
/// a cycle.
const MOST_NESTED: usize = 1024;

// The numbers of DWARF.
const ARRAY: u16 = 0x01;
const CLASS: u16 = 0x02;
const ENUMERATION: u16 = 0x04;
const MEMBER: u16 = 0x0d;
const POINTER: u16 = 0x0f;
const REFERENCE: u16 = 0x10;
const BASE_TYPE: u16 = 0x24;
const STRUCTURE: u16 = 0x13;
const SUBROUTINE: u16 = 0x15;
const TYPEDEF: u16 = 0x16;
const UNION: u16 = 0x17;
const INHERITANCE: u16 = 0x1c;
const CONST: u16 = 0x26;
const VOLATILE: u16 = 0x35;
const RESTRICT: u16 = 0x37;
const ATOMIC: u16 = 0x47;

/// LLVM's flag for members that are bit-fields.
const BIT_FIELD_FLAG: i32 = 1 << 19;

/// LLVM's flag for array types that are vectors.
const VECTOR_FLAG: i32 = 1 << 11;

// The positions of operands in LLVM's metadata nodes.
const SCOPE_PARENT: usize = 1;
const FUNCTION_NAME: usize = 2;
const FUNCTION_TYPE: usize = 4;
const FUNCTION_TYPE_TYPES: usize = 3;
const TYPE_NAME: usize = 2;
const TYPE_BASE: usize = 3;
const TYPE_ELEMENTS: usize = 4;
const VARIABLE_NAME: usize = 1;
const VARIABLE_TYPE: usize = 3;

/// Headers of a CUDA toolkit that have bodies of device functions.
const TOOLKIT_HEADERS: [&str; 13] = [
    "device_functions.hpp",
    "device_atomic_functions.hpp",
    "device_double_functions.hpp",
    "math_functions.hpp",
    "vector_functions.hpp",
    "sm_20_atomic_functions.hpp",
    "sm_60_atomic_functions.hpp",
    "sm_32_atomic_functions.hpp",
    "sm_35_atomic_functions.h",
    "device_launch_parameters.h",
    "cooperative_groups.h",
    "cuda_pipeline_helpers.h",
    "cuda_pipeline_primitives.h",
];

impl<'a> DebugInfo<'a> {
    /// Collects the known facts about a kernel function.
    pub fn new(function: LValue, language: Language, path: &'a Path) -> Self {
        let working_directory = std::env::current_dir().unwrap_or_default();
        let mut info = Self {
            function,
            language,
            path,
            absolute: working_directory.join(path),
            working_directory,
            files: HashMap::new(),
            locations: HashMap::new(),
            variables: HashMap::new(),
            parts: HashMap::new(),
            names: Vec::new(),
        };
        let instructions: Vec<LValue> = function.blocks().into_iter().flat_map(LBlock::instructions).collect();
        for instruction in &instructions {
            info.note(*instruction);
        }
        // A φ-node is the variable that SSA construction named it after, rather than another
        // variable assigned from it.
        info.names.sort_by_key(|(value, name)| !is_named_after(*value, name));
        // If no variable holds it, LLVM's own name describes it: `cond` of a conditional
        // expression.
        for phi in instructions.into_iter().filter(|instruction| is_phi(*instruction)) {
            info.names.push((phi, source_name(&phi.name())));
        }
        info
    }

    fn anchor(&self) -> LType {
        self.function.ty()
    }

    /// Records the information of a debug intrinsic.
    fn note(&mut self, instruction: LValue) {
        match instruction.opcode() {
            // SAFETY: casts that answer null where they do not apply.
            Opcode::LLVMCall if !unsafe { c::LLVMIsADbgVariableIntrinsic(instruction.0) }.is_null() => {
                let arguments = instruction.call_arguments();
                let metadata = |index: usize| arguments.get(index).copied().and_then(LValue::metadata);
                let (Some(value), Some(variable)) = (metadata(0).and_then(|m| m.value(self.anchor())), metadata(1))
                else {
                    return;
                };
                if unsafe { c::LLVMIsADbgDeclareInst(instruction.0) }.is_null() {
                    let part = arguments.get(2).is_some_and(|expression| self.is_part(*expression));
                    if let (false, Some(name)) = (part, variable.string(VARIABLE_NAME, self.anchor())) {
                        self.names.push((value, name));
                    }
                } else {
                    self.variables.entry(value).or_insert(variable);
                }
            }
            _ => {}
        }
    }

    /// Whether a debug expression makes a value a part of its variable only.
    ///
    /// The C interface gives the expression as text. LLVM takes long to print it, and has each
    /// expression once.
    fn is_part(&mut self, expression: LValue) -> bool {
        *self.parts.entry(expression).or_insert_with(|| expression.print().contains("LLVM_fragment"))
    }

    // --- Places ----------------------------------------------------------------------------------

    /// The location of an instruction.
    pub fn location(&mut self, instruction: LValue, kernel: &mut Kernel) -> Option<Location> {
        self.place(instruction.debug_location()?, kernel)
    }

    fn place(&mut self, metadata: LMetadata, kernel: &mut Kernel) -> Option<Location> {
        self.place_within(metadata, MOST_NESTED, kernel)
    }

    fn place_within(&mut self, metadata: LMetadata, most: usize, kernel: &mut Kernel) -> Option<Location> {
        if let Some(location) = self.locations.get(&metadata) {
            return Some(*location);
        }
        // SAFETY: debug locations are DILocation nodes, which have a scope.
        let (line, column, scope, caller) = unsafe {
            (
                d::LLVMDILocationGetLine(metadata.0),
                d::LLVMDILocationGetColumn(metadata.0),
                LMetadata::new(d::LLVMDILocationGetScope(metadata.0))?,
                LMetadata::new(d::LLVMDILocationGetInlinedAt(metadata.0)),
            )
        };
        if line == 0 {
            return None;
        }
        let inlined_at = match most.checked_sub(1) {
            Some(most) => caller.and_then(|caller| self.place_within(caller, most, kernel)),
            None => None,
        };
        // An instruction in a header of the language itself is located where the source uses it.
        if let Some(user) = inlined_at.filter(|_| is_in_own_header(scope)) {
            self.locations.insert(metadata, user);
            return Some(user);
        }
        let file = self.file_of_scope(scope, kernel)?;
        let function = self.function_of_scope(scope);
        let location = kernel.locations.push(LocationData { file, line, column, inlined_at, function });
        self.locations.insert(metadata, location);
        Some(location)
    }

    /// The location of the kernel's declaration.
    pub fn kernel_location(&mut self, kernel: &mut Kernel) -> Option<Location> {
        let subprogram = self.subprogram()?;
        let file = self.file_of_scope(subprogram, kernel)?;
        // SAFETY: it is a DISubprogram.
        let line = unsafe { d::LLVMDISubprogramGetLine(subprogram.0) };
        let function = kernel.name.clone();
        Some(kernel.locations.push(LocationData { file, line, column: 0, inlined_at: None, function }))
    }

    /// The kernel's name in the source, with its scopes and its template arguments.
    pub fn qualified_name(&self) -> Option<String> {
        self.function_name(self.function)
    }

    /// A function's name in the source, with its scopes.
    pub fn function_name(&self, function: LValue) -> Option<String> {
        // SAFETY: it is a function.
        let subprogram = LMetadata::new(unsafe { d::LLVMGetSubprogram(function.0) })?;
        let mut name = subprogram.string(FUNCTION_NAME, self.anchor())?;
        for scope in self.behind(subprogram, SCOPE_PARENT).skip(1) {
            let named = match scope.kind() {
                MetadataKind::LLVMDINamespaceMetadataKind | MetadataKind::LLVMDICompositeTypeMetadataKind => {
                    scope.string(TYPE_NAME, self.anchor())
                }
                _ => break,
            };
            if let Some(outer) = named.filter(|outer| !outer.is_empty()) {
                name = format!("{outer}::{name}");
            }
        }
        Some(name)
    }

    fn subprogram(&self) -> Option<LMetadata> {
        // SAFETY: `function` is a function.
        LMetadata::new(unsafe { d::LLVMGetSubprogram(self.function.0) })
    }

    fn function_of_scope(&self, scope: LMetadata) -> String {
        for scope in self.behind(scope, SCOPE_PARENT) {
            match scope.kind() {
                MetadataKind::LLVMDISubprogramMetadataKind => {
                    return scope.string(FUNCTION_NAME, self.anchor()).unwrap_or_default();
                }
                MetadataKind::LLVMDILexicalBlockMetadataKind | MetadataKind::LLVMDILexicalBlockFileMetadataKind => {}
                _ => break,
            }
        }
        String::new()
    }

    /// A node, followed by the chain of nodes that this operand leads to.
    fn behind(&self, first: LMetadata, operand: usize) -> impl Iterator<Item = LMetadata> {
        let anchor = self.anchor();
        iter::successors(Some(first), move |node| node.operand(operand, anchor)).take(MOST_NESTED)
    }

    fn file_of_scope(&mut self, scope: LMetadata, kernel: &mut Kernel) -> Option<File> {
        // SAFETY: a scope or null, answered by null.
        let file = LMetadata::new(unsafe { d::LLVMDIScopeGetFile(scope.0) })?;
        Some(self.file(file, kernel))
    }

    fn file(&mut self, file: LMetadata, kernel: &mut Kernel) -> File {
        let [directory, name] = file_path(file);
        let name = self.shown_path(Path::new(&directory), &name);
        *self.files.entry(name.clone()).or_insert_with(|| kernel.files.push(name))
    }

    /// A file as the user would name it. Clang may have moved a part of the path into the
    /// directory.
    fn shown_path(&self, directory: &Path, name: &str) -> String {
        let full = self.working_directory.join(directory).join(name);
        if full == self.absolute || Path::new(name) == self.path {
            self.path.display().to_string()
        } else {
            full.strip_prefix(&self.working_directory).unwrap_or(&full).display().to_string()
        }
    }

    // --- Variables -------------------------------------------------------------------------------

    /// The source's declaration of the kernel's parameter, or of its target.
    pub fn parameter(&self, index: u32, points: bool) -> Declared {
        let text = |kind: &str| {
            let node = self.function.global_metadata(kind)?;
            node.string(index as usize, self.anchor())
        };
        let qualifiers = text("kernel_arg_type_qual").unwrap_or_default();
        let has = |qualifier| qualifiers.split(' ').any(|word| word == qualifier);
        let declared = self.parameter_type(index);
        let ty = declared.and_then(|ty| self.strip(ty).0);
        let pointee = ty.filter(|_| points).and_then(|ty| ty.operand(TYPE_BASE, self.anchor()));
        let element = if points { pointee.and_then(|ty| self.layout(ty)) } else { ty.and_then(|ty| self.layout(ty)) };
        let volatile = has("volatile") || pointee.is_some_and(|ty| self.strip(ty).1);
        let restrict = has("restrict") || declared.is_some_and(|ty| tag(ty) == RESTRICT);
        Declared { name: None, element, volatile, restrict }
    }

    /// The pointers in a struct that the kernel's parameter passes by value.
    ///
    /// Their names begin with a dot or a bracket.
    pub fn pointer_fields(&self, index: u32) -> Vec<Field> {
        let ty = self.parameter_type(index);
        ty.map(|ty| self.fields(ty).found).unwrap_or_default()
    }

    /// The numbers in a struct that the kernel's parameter passes by value.
    ///
    /// Their names begin with a dot or a bracket.
    pub fn number_fields(&self, index: u32) -> Vec<NumberField> {
        let ty = self.parameter_type(index);
        ty.map(|ty| self.fields(ty).numbers).unwrap_or_default()
    }

    /// The pointers in a variable at file scope.
    pub fn pointers_in_global(&self, global: LValue) -> Vec<Field> {
        let ty = self.global_variable(global).and_then(|variable| variable.operand(VARIABLE_TYPE, self.anchor()));
        ty.map(|ty| self.fields(ty).found).unwrap_or_default()
    }

    fn fields(&self, ty: LMetadata) -> Fields {
        let mut fields = Fields::default();
        self.collect_fields(ty, 0, String::new(), &mut fields);
        fields
    }

    fn collect_fields(&self, ty: LMetadata, offset: u64, name: String, fields: &mut Fields) {
        const MOST_FIELDS: usize = 1024;
        const MOST_VISITS: u32 = 1 << 16;
        fields.visits += 1;
        let goes_on = fields.found.len().max(fields.numbers.len()) < MOST_FIELDS && fields.visits <= MOST_VISITS;
        let Some(ty) = self.strip(ty).0.filter(|_| goes_on) else { return };
        if fields.within.contains(&ty) {
            return;
        }
        fields.within.push(ty);
        match tag(ty) {
            POINTER | REFERENCE => {
                let pointee = ty.operand(TYPE_BASE, self.anchor());
                let element = pointee.and_then(|pointee| self.layout(pointee));
                let function = self.is_function(pointee);
                fields.found.push(Field { offset, name, element, function });
            }
            STRUCTURE | CLASS | UNION => {
                let elements = ty.operand(TYPE_ELEMENTS, self.anchor());
                let elements = elements.map(|elements| elements.operands(self.anchor())).unwrap_or_default();
                for member in elements.into_iter().flatten().filter_map(LValue::metadata) {
                    self.collect_member(member, offset, &name, fields);
                }
            }
            BASE_TYPE | ENUMERATION => {
                // SAFETY: it is a type.
                let bytes = unsafe { d::LLVMDITypeGetSizeInBits(ty.0) } / 8;
                let is_plain = tag(ty) == BASE_TYPE && self.language != Language::Llvm;
                let named = ty.string(TYPE_NAME, self.anchor()).filter(|_| is_plain);
                let integer = named.and_then(|name| Integer::named(&name));
                let integer = integer.filter(|integer| u64::from(integer.bits) == 8 * bytes);
                fields.numbers.push(NumberField { offset, bytes, name, ty: integer });
            }
            ARRAY if is_vector(ty) => {}
            ARRAY => {
                if let Some(element) = ty.operand(TYPE_BASE, self.anchor()) {
                    // SAFETY: both are types.
                    let (all, one) =
                        unsafe { (d::LLVMDITypeGetSizeInBits(ty.0) / 8, d::LLVMDITypeGetSizeInBits(element.0) / 8) };
                    let count = all.checked_div(one).unwrap_or(0).min(MOST_FIELDS as u64);
                    for position in 0..count {
                        self.collect_fields(element, offset + position * one, format!("{name}[{position}]"), fields);
                    }
                }
            }
            _ => {}
        }
        fields.within.pop();
    }

    /// Whether the kernel's parameter points to a function.
    pub fn points_to_function(&self, index: u32) -> bool {
        let ty = self.parameter_type(index).and_then(|ty| self.strip(ty).0);
        let ty = ty.filter(|ty| matches!(tag(*ty), POINTER | REFERENCE));
        ty.is_some_and(|ty| self.is_function(ty.operand(TYPE_BASE, self.anchor())))
    }

    fn is_function(&self, ty: Option<LMetadata>) -> bool {
        ty.and_then(|ty| self.strip(ty).0).is_some_and(|ty| tag(ty) == SUBROUTINE)
    }

    fn collect_member(&self, member: LMetadata, offset: u64, name: &str, fields: &mut Fields) {
        let Some(ty) = member.operand(TYPE_BASE, self.anchor()).filter(|_| !is_bit_field(member)) else { return };
        // SAFETY: members and bases are types.
        let offset = offset + unsafe { d::LLVMDITypeGetOffsetInBits(member.0) } / 8;
        match tag(member) {
            // An inherited class has no name of its own.
            INHERITANCE => self.collect_fields(ty, offset, name.to_owned(), fields),
            MEMBER => {
                let own = member.string(TYPE_NAME, self.anchor()).unwrap_or_default();
                let name = if own.is_empty() { name.to_owned() } else { format!("{name}.{own}") };
                self.collect_fields(ty, offset, name, fields);
            }
            _ => {}
        }
    }

    fn parameter_type(&self, index: u32) -> Option<LMetadata> {
        let function_type = self.subprogram()?.operand(FUNCTION_TYPE, self.anchor())?;
        // The first type is the result's.
        function_type.operand(FUNCTION_TYPE_TYPES, self.anchor())?.operand(index as usize + 1, self.anchor())
    }

    /// The name of a parameter's type, with `typedef` names resolved.
    pub fn parameter_type_name(&self, index: usize) -> Option<String> {
        let ty = self.parameter_type(u32::try_from(index).ok()?)?;
        self.strip(ty).0?.string(TYPE_NAME, self.anchor())
    }

    /// The types of the kernel's parameters as the source names them, in parentheses.
    pub fn parameter_types(&self) -> Option<String> {
        let function_type = self.subprogram()?.operand(FUNCTION_TYPE, self.anchor())?;
        let types = function_type.operand(FUNCTION_TYPE_TYPES, self.anchor())?;
        // The first type is the result's.
        let numbers = 1..types.operands(self.anchor()).len();
        let names: Vec<String> =
            numbers.map(|index| self.whole_type_name(types.operand(index, self.anchor()))).collect();
        Some(format!("({})", names.join(", ")))
    }

    /// A type as the source writes it, with qualifiers; `None` is `void`.
    fn whole_type_name(&self, ty: Option<LMetadata>) -> String {
        let Some(ty) = ty else { return "void".to_owned() };
        let derives = |ty: &LMetadata| matches!(tag(*ty), POINTER | REFERENCE | CONST | VOLATILE | RESTRICT | ATOMIC);
        let all: Vec<LMetadata> = self.behind(ty, TYPE_BASE).collect();
        let last = all.iter().position(|ty| !derives(ty)).unwrap_or(all.len());
        let mut name = all.get(last).map_or_else(|| "void".to_owned(), |base| self.type_name(*base));
        for (at, ty) in all[..last].iter().enumerate().rev() {
            let is_of_pointer = all.get(at + 1).is_some_and(|base| tag(*base) == POINTER);
            name = match tag(*ty) {
                POINTER => format!("{name}*"),
                REFERENCE => format!("{name}&"),
                CONST if is_of_pointer => format!("{name} const"),
                CONST => format!("const {name}"),
                VOLATILE => format!("volatile {name}"),
                _ => name,
            };
        }
        name
    }

    /// The source's declaration of a thread's own variable.
    pub fn variable(&self, alloca: LValue) -> Declared {
        self.variables.get(&alloca).map(|variable| self.declared(*variable)).unwrap_or_default()
    }

    /// The location of the declaration of a thread's own variable.
    pub fn variable_location(&mut self, alloca: LValue, kernel: &mut Kernel) -> Option<Location> {
        let variable = *self.variables.get(&alloca)?;
        self.variable_place(variable, kernel)
    }

    /// The source's declaration of a global variable.
    pub fn global(&self, global: LValue) -> Declared {
        self.global_variable(global).map(|variable| self.declared(variable)).unwrap_or_default()
    }

    /// The location of a global variable's declaration.
    pub fn global_location(&mut self, global: LValue, kernel: &mut Kernel) -> Option<Location> {
        let variable = self.global_variable(global)?;
        self.variable_place(variable, kernel)
    }

    fn global_variable(&self, global: LValue) -> Option<LMetadata> {
        global.global_metadata("dbg")?.operand(0, self.anchor())
    }

    fn variable_place(&mut self, variable: LMetadata, kernel: &mut Kernel) -> Option<Location> {
        // SAFETY: it is a DIVariable.
        let (file, line) =
            unsafe { (LMetadata::new(d::LLVMDIVariableGetFile(variable.0))?, d::LLVMDIVariableGetLine(variable.0)) };
        let file = self.file(file, kernel);
        let function = kernel.name.clone();
        Some(kernel.locations.push(LocationData { file, line, column: 0, inlined_at: None, function }))
    }

    fn declared(&self, variable: LMetadata) -> Declared {
        let ty = variable.operand(VARIABLE_TYPE, self.anchor());
        let volatile = ty.is_some_and(|ty| self.strip(ty).1);
        Declared {
            name: variable.string(VARIABLE_NAME, self.anchor()).filter(|name| !name.is_empty()),
            element: ty.and_then(|ty| self.layout(ty)),
            volatile,
            restrict: false,
        }
    }

    // --- Types -----------------------------------------------------------------------------------

    /// A type without names and qualifiers, and whether one of those was `volatile`. `void` is
    /// `None`.
    fn strip(&self, ty: LMetadata) -> (Option<LMetadata>, bool) {
        let mut volatile = false;
        for ty in self.behind(ty, TYPE_BASE) {
            match tag(ty) {
                TYPEDEF | CONST | RESTRICT | ATOMIC => {}
                VOLATILE => volatile = true,
                _ => return (Some(ty), volatile),
            }
        }
        (None, volatile)
    }

    /// The layout that the source declares for the elements of a variable of this type.
    fn layout(&self, ty: LMetadata) -> Option<ElementLayout> {
        let mut element = ty;
        let mut dimensions = Vec::new();
        for _ in 0..MOST_NESTED {
            let array = self.strip(element).0.filter(|ty| tag(*ty) == ARRAY && !is_vector(*ty));
            let Some(array) = array else { break };
            let counts = array.operand(TYPE_ELEMENTS, self.anchor())?;
            for index in 0..counts.operands(self.anchor()).len() {
                let count = counts.operand(index, self.anchor()).and_then(|range| range.number(0, self.anchor()));
                dimensions.push(count.unwrap_or(0));
            }
            element = array.operand(TYPE_BASE, self.anchor())?;
        }
        let stripped = self.strip(element).0?;
        // SAFETY: it is a type.
        let bytes = unsafe { d::LLVMDITypeGetSizeInBits(stripped.0) } / 8;
        (bytes > 0).then(|| ElementLayout { name: self.type_name(element), bytes, dimensions })
    }

    /// Whether names of types stand alone, without `struct`.
    fn is_cpp(&self) -> bool {
        matches!(self.language, Language::Cuda | Language::Hip)
    }

    /// A type as the source writes it, without qualifiers.
    fn type_name(&self, ty: LMetadata) -> String {
        let mut stars = String::new();
        for ty in self.behind(ty, TYPE_BASE) {
            match tag(ty) {
                CONST | VOLATILE | RESTRICT | ATOMIC => {}
                POINTER => stars.push('*'),
                _ => return self.own_name(ty) + &stars,
            }
        }
        format!("void{stars}")
    }

    /// The name of a type that is not derived from another one.
    fn own_name(&self, ty: LMetadata) -> String {
        let name = || ty.string(TYPE_NAME, self.anchor()).unwrap_or_default();
        match tag(ty) {
            STRUCTURE | CLASS if self.is_cpp() => name(),
            STRUCTURE => format!("struct {}", name()).trim_end().to_owned(),
            UNION | ENUMERATION if self.is_cpp() => name(),
            UNION => format!("union {}", name()).trim_end().to_owned(),
            ENUMERATION => format!("enum {}", name()).trim_end().to_owned(),
            _ => name(),
        }
    }

    // --- Names -----------------------------------------------------------------------------------

    /// Names values after the source variables they hold.
    pub fn name_values(&self, kernel: &mut Kernel, values: &HashMap<LValue, Lanes>) {
        for (value, name) in &self.names {
            let Some(lanes) = values.get(value) else { continue };
            for (index, lane) in lanes.iter().enumerate() {
                name_lane(kernel, *lane, name, index, lanes.len());
            }
        }
    }
}

fn name_lane(kernel: &mut Kernel, lane: Value, name: &str, index: usize, lanes: usize) {
    let data = &mut kernel.values[lane];
    if data.name.is_some() || name.is_empty() {
        return;
    }
    data.name = Some(match (lanes, "xyzw".chars().nth(index)) {
        (1, _) => name.to_owned(),
        (2..=4, Some(letter)) => format!("{name}.{letter}"),
        _ => format!("{name}.s{index:x}"),
    });
}

/// Whether a φ-node is named after this variable. LLVM adds digits to names that occur twice.
fn is_named_after(value: LValue, variable: &str) -> bool {
    let name = if is_phi(value) { source_name(&value.name()) } else { return false };
    name.strip_prefix(variable).is_some_and(|rest| rest.chars().all(|digit| digit.is_ascii_digit()))
}

fn is_phi(value: LValue) -> bool {
    matches!(value.kind(), ValueKind::LLVMInstructionValueKind) && matches!(value.opcode(), Opcode::LLVMPHI)
}

/// Whether an instruction stands in a header that implements the language.
pub fn is_of_the_language(instruction: LValue) -> bool {
    instruction.debug_location().is_some_and(is_located_in_own_header)
}

/// Whether a location is in a header that implements the language.
pub fn is_located_in_own_header(location: LMetadata) -> bool {
    // SAFETY: it is a DILocation.
    let scope = LMetadata::new(unsafe { d::LLVMDILocationGetScope(location.0) });
    scope.is_some_and(is_in_own_header)
}

/// Whether a scope is in a header that implements the language.
///
/// Such a header is one of ours, of Clang's, or one that a toolkit includes first in every source.
fn is_in_own_header(scope: LMetadata) -> bool {
    // SAFETY: a scope or null, answered by null.
    let Some(file) = LMetadata::new(unsafe { d::LLVMDIScopeGetFile(scope.0) }) else { return false };
    let [directory, name] = file_path(file);
    let path = Path::new(&directory).join(&name);
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    path.starts_with(OWN_HEADERS)
        || name.starts_with("__clang_cuda_")
        || name.starts_with("sm_") && name.contains("_intrinsics.h")
        || TOOLKIT_HEADERS.contains(&name)
        || path.iter().any(|part| part == "cooperative_groups")
}

/// The directory and the name of a file; empty if the node is not a file.
///
/// LLVM does not rule that out where a block tells its location.
pub fn file_path(file: LMetadata) -> [String; 2] {
    // SAFETY: it is a node of debug information.
    if !matches!(unsafe { d::LLVMGetMetadataKind(file.0) }, d::LLVMMetadataKind::LLVMDIFileMetadataKind) {
        return Default::default();
    }
    // SAFETY: it is a DIFile; the strings belong to it.
    let text = |get: unsafe extern "C" fn(_, *mut u32) -> *const std::ffi::c_char| unsafe {
        let mut length = 0;
        let start = get(file.0, &raw mut length);
        if start.is_null() || length == 0 {
            String::new()
        } else {
            let bytes = std::slice::from_raw_parts(start.cast::<u8>(), length as usize);
            printable::one_line(&String::from_utf8_lossy(bytes)).into_owned()
        }
    };
    [text(d::LLVMDIFileGetDirectory), text(d::LLVMDIFileGetFilename)]
}

fn tag(ty: LMetadata) -> u16 {
    // SAFETY: types are DINodes.
    unsafe { d::LLVMGetDINodeTag(ty.0) }
}

fn is_bit_field(member: LMetadata) -> bool {
    // SAFETY: it is a member, which is a type.
    unsafe { d::LLVMDITypeGetFlags(member.0) & BIT_FIELD_FLAG != 0 }
}

fn is_vector(ty: LMetadata) -> bool {
    // SAFETY: it is a type.
    unsafe { d::LLVMDITypeGetFlags(ty.0) & VECTOR_FLAG != 0 }
}

/// The source variable in a name that Clang and LLVM made from it: `x.addr`, `i.0`, `x.i`,
/// `s.sroa.0.0`.
pub fn source_name(name: &str) -> String {
    let mut name = name;
    if let Some((before, _)) = name.split_once(".sroa") {
        name = before;
    }
    while let Some((before, suffix)) = name.rsplit_once('.') {
        let made = suffix == "addr" || suffix.trim_start_matches('i').chars().all(|letter| letter.is_ascii_digit());
        if !made || before.is_empty() {
            break;
        }
        name = before;
    }
    name.to_owned()
}
