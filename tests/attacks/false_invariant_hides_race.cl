//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// If a false invariant were believed, nothing after the loop would be executed, and nobody would see its race.
__kernel void false_invariant_hides_race(__global int *out, int n)
{
    for (int i = 0; __invariant(i < 0), i < n; i++) { //~? assertion
    }
    out[0] = get_local_id(0);
}
