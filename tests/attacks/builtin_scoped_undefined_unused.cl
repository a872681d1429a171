//pass
//--local_size=64 --num_groups=4
// A name that is not used may be taken away; that one may ask for it is no use.

#if __has_builtin(__scoped_atomic_load_n)
#undef __scoped_atomic_load_n
#endif

__kernel void scoped_undefined_unused(__global int *counter, __global int *out)
{
    out[get_global_id(0)] = 1;
    __scoped_atomic_fetch_add(counter, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
