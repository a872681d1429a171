//pass
//--local_size=[4,4,4] --num_groups=[2,2,2]
// A volume in three dimensions.

__kernel void volume(__global float *voxels)
{
    size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    voxels[(z * get_global_size(1) + y) * get_global_size(0) + x] = x + y + z;
}
