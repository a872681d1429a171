//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// The number of the component may be past the last one, so that it is any of them that is written.

__kernel void component_computed_outside(__global float4 *a)
{
    uint t = get_local_id(0);
    if (t == 0) {
        a[0].x = 1; //~ race
    } else if (t == 1) {
        a[0][t + 3] = 2; //~ race
    }
}
