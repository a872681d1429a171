//pass
//--local_size=64 --num_groups=1
// Modulo 2^32, multiples of 4 are multiples of 4.

__kernel void equations_members_of_four(__global uint *a, uint n, uint m)
{
    uint id = get_local_id(0);
    a[4u * (id + n) + 1u] = a[4u * (id + m) + 2u];
}
