//unknown
//--local_size=[8,8] --num_groups=[2,2] --no-infer --timeout=4
// A counter that goes up by more than one may wrap where its limit is great.
//reason: a bound for its loops, as in --assume 'width <= 1000000'

__kernel void counters_may_wrap(__global int *out, int width, int n) {
    int y = get_global_id(1);
    for (int i = 0; i < n; i++) {
        for (int x = get_global_id(0); x < width; x += get_global_size(0)) {
            out[y * width + x] = i + x;
        }
    }
}
