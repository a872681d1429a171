//pass
//--local_size=64 --num_groups=16
// open sizes too
// One compare-and-exchange step of a bitonic sort. The partner differs in the bits of `distance`;
// whoever has the smaller index of the two does the work for both, whatever `distance` is.

__kernel void bitonic_step(__global int *a, uint distance, uint block)
{
    uint i = get_global_id(0);
    uint partner = i ^ distance;
    if (partner > i) {
        int mine = a[i];
        int other = a[partner];
        bool ascending = (i & block) == 0;
        if ((mine > other) == ascending) {
            a[i] = other;
            a[partner] = mine;
        }
    }
}
