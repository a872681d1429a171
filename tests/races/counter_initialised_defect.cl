// racy
// run: --local-size 64 --num-groups 2
// No barrier stands between atomic_init and the first atomic operation.

__kernel void counter_initialised(__global int *out)
{
    __local atomic_int count;
    if (get_local_id(0) == 0) {
        atomic_init(&count, 0); //~ race
    }
    out[get_global_id(0)] = atomic_fetch_add(&count, 1); //~ race
}
