//unknown
//--local_size=[8,8] --num_groups=[2,2] --no-infer --timeout=4
// A parameter by which is multiplied is one to say something about.
//reason: a bound of `width`, as in --assume 'width >= get_global_size(0)'

__kernel void factor_of_an_index(__global int *out, int width, int n) {
    int x = get_global_id(0), y = get_global_id(1);
    if (width < 16)
        return;
    for (int i = 0; i < n; i++) {
        out[y * width + x] = i + x;
    }
}
