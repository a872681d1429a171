//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// As traversal_stack.cl, but there may be one more entry than there are cells.

__kernel void traversal_stack_defect(__global int *out, __global const int *left, __global const int *right, int root)
{
    __local int stack[64 * 2 + 1];
    int id = get_local_id(0);
    int top = 1;
    int leaves = 0;
    stack[id * 2] = id; //~ race
    while (top > 0) {
        top--;
        int node = stack[id * 2 + top];
        if (left[node] >= 0 && top <= 1) {
            stack[id * 2 + top] = left[node];
            stack[id * 2 + top + 1] = right[node]; //~ race
            top += 2;
        } else {
            leaves++;
        }
    }
    out[id] = leaves;
}
