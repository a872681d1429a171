//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// Modulo 2^32, multiples of 3 are all numbers: where they wrap, one member comes to lie on another.

__kernel void equations_members_of_three(__global uint *a, uint n, uint m)
{
    uint id = get_local_id(0);
    a[3u * (id + n) + 1u] = a[3u * (id + m) + 2u]; //~ race
}
