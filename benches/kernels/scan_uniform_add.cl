//pass
//--local_size=256 --num_groups=* --assume 'n >= 0'
// Scan of large arrays, last level: each group adds its block's offset, which one work-item fetches, to the
// 512 elements of its block.

__kernel void uniform_add(__global float *g_data, __global const float *uniforms, int n, int block_offset, int base_index)
{
    __local float uni;
    int address = get_group_id(0) * (get_local_size(0) << 1) + base_index + get_local_id(0);
    if (get_local_id(0) == 0) {
        uni = uniforms[get_group_id(0) + block_offset]; //~ race
    }
#ifndef DEFECT
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    if (address < n) {
        g_data[address] += uni; //~ race
    }
    if (address + (int)get_local_size(0) < n) {
        g_data[address + get_local_size(0)] += uni;
    }
}
