//xfail:INPUT
//--local_size=64 --num_groups=4
// What a caller must see to is said before anything happens.
void put(__global uint *out, uint value)
{
    out[get_global_id(0)] = value;
    __requires(value < 64);
}

__kernel void misplaced_requires_in_function(__global uint *out)
{
    put(out, get_local_id(0));
}
