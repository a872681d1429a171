//pass
//--local_size=64 --num_groups=16
// Nobody else can change a thread's own variable, volatile or not.

__kernel void volatile_pointer_variable(__global int *a)
{
    volatile uint index = get_global_id(0);
    __global int *volatile pointer = a + index;
    *pointer = 1;
}
