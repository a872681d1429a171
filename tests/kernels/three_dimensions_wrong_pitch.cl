//xfail:NOT_ALL_VERIFIED
//--local_size=[4,4,4] --num_groups=[2,2,2]
// The pitch of a plane is one row short.

__kernel void volume(__global float *voxels)
{
    size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    voxels[(z * (get_global_size(1) - 1) + y) * get_global_size(0) + x] = x + 2 * y + 4 * z; //~ race
}
