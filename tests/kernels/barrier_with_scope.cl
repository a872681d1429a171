//pass
//--local_size=64 --num_groups=16 --cl-std=CL2.0
// The barrier by its newer name, with a scope.

__kernel void barrier_with_scope(__global uint *out)
{
    __local uint a[64];
    uint lid = get_local_id(0);
    a[lid] = lid;
    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
    out[get_global_id(0)] = a[lid ^ 1];
}
