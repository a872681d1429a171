// race-free
// run: --local-size 128 --num-groups 1
// The atomic functions of OpenCL 1 are relaxed; fences of global memory stand around what is done inside.

__kernel void lock_of_opencl_1(__global int *lock, __global int *sum)
{
    if (get_local_id(0) % 32 == 0) {
        while (atomic_cmpxchg(lock, 0, 1) != 0) {
        }
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *sum += get_local_id(0);
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(lock, 0);
    }
}
