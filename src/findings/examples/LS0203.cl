// lockstep verify LS0203.cl
int sum(int n) { return n <= 0 ? 0 : n + sum(n - 1); } // recursion is not supported

__kernel void sums(__global int *a) {
  int i = get_global_id(0);
  a[i] = sum(a[i]);
}

// mended
int sum(int n) {
  int all = 0;
  for (int k = 1; k <= n; k++)
    all += k;
  return all;
}

__kernel void sums(__global int *a) {
  int i = get_global_id(0);
  a[i] = sum(a[i]);
}
