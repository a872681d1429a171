//causes: 2
//--local_size=32 --num_groups=1
// One barrier is missing in the loop, and one behind it.

kernel void rotate_all(global int *data, int n) {
    local int s[32];
    int t = get_local_id(0);
    s[t] = data[t];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < n; i++) {
        int next = s[(t + 1) % 32]; //~ race first
        barrier(CLK_LOCAL_MEM_FENCE);
        s[t] = next; //~ race first second
#ifdef MENDED
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
#ifdef MENDED
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    data[t] = s[31 - t]; //~ race second
}
