//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=8
// Whoever comes first sets the counter back.

__kernel void exchange(__global uint *count, __global uint *list)
{
    uint at = atomic_add(count, 1);
    list[at] = get_global_id(0); //~ race
    if (at == 5) {
        atomic_xchg(count, 0);
    }
}
