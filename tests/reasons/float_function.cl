//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
// Of a function of floats, whose result decides where threads write, nothing is known.
//because: the result of native_sin is not modelled

__kernel void float_function(__global int *out)
{
    int i = get_global_id(0);
    int j = (int)(native_sin((float)i + 0.5f) * 1000000.0f);
    out[j + 2000000] = i;
}
