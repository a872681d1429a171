// racy
// run: --local-size 128 --num-groups 1
// The fences are of local memory.

__kernel void lock_of_opencl_1(__global int *lock, __global int *sum)
{
    if (get_local_id(0) % 32 == 0) {
        while (atomic_cmpxchg(lock, 0, 1) != 0) {
        }
        mem_fence(CLK_LOCAL_MEM_FENCE);
        *sum += get_local_id(0); //~ race
        mem_fence(CLK_LOCAL_MEM_FENCE);
        atomic_xchg(lock, 0);
    }
}
