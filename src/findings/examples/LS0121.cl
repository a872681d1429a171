// lockstep verify LS0121.cl --local-size=1 --num-groups=2
kernel void hand_over(global int *data, global atomic_int *is_ready, global int *out) {
  if (get_group_id(0) == 0) {
    *data = 1;
    atomic_store_explicit(is_ready, 1, memory_order_release, memory_scope_device);
  } else {
    // The data may have been read before the flag.
    while (atomic_load_explicit(is_ready, memory_order_relaxed, memory_scope_device) == 0) {}
    *out = *data;
  }
}

// mended
kernel void hand_over(global int *data, global atomic_int *is_ready, global int *out) {
  if (get_group_id(0) == 0) {
    *data = 1;
    atomic_store_explicit(is_ready, 1, memory_order_release, memory_scope_device);
  } else {
    while (atomic_load_explicit(is_ready, memory_order_acquire, memory_scope_device) == 0) {}
    *out = *data;
  }
}
