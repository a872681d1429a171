//! Functions of the runtime of C++: exceptions, and variables that are initialised once.

use super::{Host, Routine};
use crate::Stopped;
use crate::numbers::of_bool;

/// The routine of this name.
pub fn routine(name: &str) -> Option<Routine> {
    Some(Routine::Plain(match name {
        "__cxa_allocate_exception"
        | "__cxa_throw"
        | "__cxa_rethrow"
        | "__cxa_throw_bad_array_new_length"
        | "__cxa_bad_cast"
        | "__cxa_bad_typeid" => |_, _| Err(Stopped::thrown().into()),
        // `std::__throw_length_error` and the like.
        _ if name.starts_with("_ZSt") && name.contains("__throw_") => |_, _| Err(Stopped::thrown().into()),
        "_ZSt9terminatev" | "__clang_call_terminate" => |_, _| Err(Stopped::fault("the program terminates").into()),
        "_ZSt21__glibcxx_assert_failPKciS0_S0_" => {
            |_, _| Err(Stopped::fault("an assertion of the standard library fails").into())
        }
        "__cxa_pure_virtual" | "__cxa_deleted_virtual" => {
            |_, _| Err(Stopped::fault("the program calls a virtual function that has no body").into())
        }
        "__stack_chk_fail" => |_, _| Err(Stopped::fault("the program writes outside of a local variable").into()),
        "__cxa_guard_acquire" => |host, arguments| {
            let is_initialised = host.memory.read_number(arguments.word(0), 1)? != 0;
            Ok(of_bool(!is_initialised))
        },
        "__cxa_guard_release" => |host, arguments| {
            host.memory.write_number(arguments.word(0), 1, 1)?;
            Ok(0)
        },
        "_ZNSaIcEC1Ev" | "_ZNSaIcED1Ev" | "_ZNSaIcEC2Ev" | "_ZNSaIcED2Ev" => |_: &mut Host<'_>, _| Ok(0),
        _ => return None,
    }))
}
