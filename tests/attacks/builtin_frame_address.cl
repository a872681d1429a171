//unknown
//--local_size=64 --num_groups=1
// The address of a frame is none of a variable.

__kernel void frame_address(__global ulong *out)
{
    out[get_global_id(0)] = (ulong)__builtin_frame_address(0); //~ unsupported
}
