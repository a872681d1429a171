//unknown
//--local_size=64 --num_groups=4
// A scope that is computed is none that is known.

__kernel void scoped_computed(__global int *counter, int scope)
{
    __scoped_atomic_fetch_add(counter, 1, __ATOMIC_RELAXED, scope); //~ unsupported
}
