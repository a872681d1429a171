//pass
//--local_size=64 --num_groups=4
// Half of the threads call the function; what it says of the length it says of all.
uint slot_of(uint length)
{
    __global_requires(length == 32);
    __global_ensures(__old_bool(length == 32));
    uint slot = get_local_id(0) % length;
    length = 0;
    return slot;
}

__kernel void global_contract(__global uint *out)
{
    uint length = 32;
    if (get_local_id(0) < 32) {
        out[get_group_id(0) * 32 + slot_of(length)] = 1;
    }
}
