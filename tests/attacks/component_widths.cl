//pass
//--local_size=64 --num_groups=4
// Components of all widths: two threads share each vector.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

__kernel void component_widths(__global half8 *a, __global long16 *b, __global char3 *c, __global short2 *d, __global double3 *e)
{
    uint gid = get_global_id(0);
    if (gid & 1) {
        a[gid / 2].hi = (half4)(1);
        b[gid / 2].sf0 = (long2)(gid);
        c[gid / 2].y = 3;
        d[gid / 2].y--;
        e[gid / 2].yz += e[gid / 2].zy;
    } else {
        a[gid / 2].s02 = (half2)(2);
        b[gid / 2].s1 = b[gid / 2].se;
        c[gid / 2].xz = c[gid / 2].zx;
        d[gid / 2].x++;
        e[gid / 2].x *= 2;
    }
}
