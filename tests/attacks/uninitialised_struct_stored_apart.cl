//pass
//--local_size=64 --num_groups=16
// What is stored is uninitialised, but every thread stores it elsewhere.

struct pair {
    int first;
    int second[4];
};

__kernel void uninitialised_struct_stored_apart(__global struct pair *out)
{
    struct pair empty;
    out[get_global_id(0)] = empty;
}
