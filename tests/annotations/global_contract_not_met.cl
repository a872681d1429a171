//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// The threads that do not call have another length.
uint slot_of(uint length)
{
    __global_requires(length == 32); //~? assertion
    return get_local_id(0) % length;
}

__kernel void global_contract_not_met(__global uint *out)
{
    uint length = get_local_id(0) < 32 ? 32 : 64;
    if (get_local_id(0) < 32) {
        out[get_group_id(0) * 32 + slot_of(length)] = 1;
    }
}
