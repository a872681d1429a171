//unknown
//--local_size=64 --num_groups=4
// No input that is tried satisfies the precondition, which has no influence on how many numbers are drawn.

__kernel void beside_a_precondition_draws(__global uint *count, __global uint *list, int n)
{
    __requires(n == 0x12345678);
    for (uint i = 0; i < get_local_id(0) + 2; i++) {
        uint at = atomic_add(count, 0x00800000u);
        list[at >> 23] = n;
    }
}
