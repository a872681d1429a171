//pass
//--local_size=64 --num_groups=16
// A function that is declared and never defined returns anything; that it does nothing else is a listed assumption.

uint somewhere(uint i);

__kernel void function_without_body(__global uint *out)
{
    uint gid = get_global_id(0);
    out[gid] = somewhere(gid);
}
