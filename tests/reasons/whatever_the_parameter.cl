//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
// The neighbours race whatever the parameter is: it is not named.
//not because: hinges

__kernel void whatever_the_parameter(__global int *out, int add) {
    int i = get_global_id(0);
    out[i] = out[i + 1] + add;
}
