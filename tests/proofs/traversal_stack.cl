//pass
//--local_size=64 --num_groups=1
// needs abstract-values
// Each thread goes through a tree with a stack of 24 cells of its own.

__kernel void traversal_stack(__global int *out, __global const int *left, __global const int *right, int root)
{
    __local int stack[64 * 24];
    int id = get_local_id(0);
    int top = 1;
    int leaves = 0;
    stack[id * 24] = root;
    while (top > 0) {
        top--;
        int node = stack[id * 24 + top];
        if (left[node] >= 0 && top < 23) {
            stack[id * 24 + top] = left[node];
            stack[id * 24 + top + 1] = right[node];
            top += 2;
        } else {
            leaves++;
        }
    }
    out[id] = leaves;
}
