//pass
//--local_size=64 --num_groups=4
// A hint about caches changes nothing.

__kernel void nontemporal_apart(__global int *data)
{
    __builtin_nontemporal_store(__builtin_nontemporal_load(data + get_global_id(0)) + 1, data + get_global_id(0));
}
