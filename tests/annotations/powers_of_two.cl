//pass
//--local_size=64 --num_groups=4
// A ring of slots: if its length is a power of two, the mask is a remainder, and no two threads get one slot.
__kernel void powers_of_two(__global uint *out, uint length, uint turn)
{
    __requires(__is_pow2(length));
    __requires(length >= get_local_size(0));
    __requires(length <= 4096);
    uint slot = (get_local_id(0) + turn) & (length - 1);
    __assert(slot == __mod_pow2(get_local_id(0) + turn, length));
    __assert(__ite(turn == 0, slot, get_local_id(0)) == get_local_id(0));
    out[get_group_id(0) * length + slot] = get_local_id(0);
}
