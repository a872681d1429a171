//pass
//--local_size=8 --num_groups=1
// Another thread writes to a cell what its owner writes there twice: whichever of them meet, it is no race.

__kernel void repeated_same_values(__global int *a, int n)
{
    int t = get_local_id(0);
    for (int i = 0; i < n; i++) {
        a[t] = n;
        a[t] = n;
        if (t == 3)
            a[2] = n;
    }
}
