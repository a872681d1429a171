//xfail:CONTRADICTION
//--local_size=64 --num_groups=1
// An axiom that no launch satisfies proves nothing.
__axiom(get_local_size(0) == 32)

__kernel void axiom_is_an_assumption(__global int *out)
{
    out[0] = get_local_id(0);
}
