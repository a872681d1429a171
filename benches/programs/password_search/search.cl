// program: brute-force search for the inputs of a digest, with a list of the matches
// defect: search: race: matches are counted without an atomic; several match by default
uint mix(uint a, uint b, uint c)
{
    a -= c;
    a ^= rotate(c, 4u);
    c += b;
    b -= a;
    b ^= rotate(a, 6u);
    a += c;
    return a ^ rotate(b, 16u);
}

uint digest(uint candidate)
{
    uint state = 0x9e3779b9u;
    for (int round = 0; round < 16; round++)
        state = mix(state, candidate ^ (0x7f4a7c15u * round), state >> 3) + candidate;
    return state;
}

__kernel void search(uint target, uint mask, uint first, uint count, __global uint *matches, __global uint *found,
                     uint capacity)
{
    uint i = get_global_id(0);
    if (i >= count)
        return;
    uint candidate = first + i;
    if (((digest(candidate) ^ target) & mask) != 0)
        return;
#ifdef DEFECT
    uint place = *found; //~ race
    *found = place + 1; //~ race
#else
    uint place = atomic_inc(found);
#endif
    if (place < capacity)
        matches[place] = candidate; //~ race
}

/* Recomputes the digests of the matches, for the host to compare. */
__kernel void verify(__global const uint *matches, __global uint *digests, uint found)
{
    uint i = get_global_id(0);
    if (i < found)
        digests[i] = digest(matches[i]);
}
