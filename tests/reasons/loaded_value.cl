//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
// What is loaded decides where is written.
//because: the value loaded from in at
//because: loaded_value.cl:7 is unknown

__kernel void loaded_value(__global int *out, volatile __global int *in) { out[in[get_global_id(0)]] = get_global_id(0); }
