//unknown
//--local_size=64 --num_groups=2 --no-infer --timeout=4
// What is suggested is of no use here.
//reason: no loop invariant that would show it was proposed: those proposed and lost (

__kernel void none_would_do(__global int *out, int n) {
    int k = 0;
    for (int i = get_global_id(0); __candidate_invariant(k != 3), i < n; i += 128) {
        out[i] = k + get_local_id(0);
        k += 1;
    }
}
