# Partial sums of rows, which programs add to one row under a lock.
# defect: the lock is released before the row is stored.
import triton
import triton.language as tl


@triton.jit
def triton_lock(x, total, lock, n, BLOCK: tl.constexpr, DEFECT: tl.constexpr):
    i = tl.arange(0, BLOCK)
    value = tl.load(x + tl.program_id(0) * n + i, mask=i < n)
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    value += tl.load(total + i, mask=i < n)  #~ race global
    if DEFECT:
        tl.atomic_xchg(lock, 0)
    tl.store(total + i, value, mask=i < n)  #~ race global
    if not DEFECT:
        tl.debug_barrier()
        tl.atomic_xchg(lock, 0)


SIGNATURE = {"x": "*fp32", "total": "*fp32", "lock": "*i32", "n": "i32"}
CONSTANTS = {"BLOCK": 512}
ALIGNED = ["x", "total", "lock"]
