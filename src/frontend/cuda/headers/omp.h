/* OpenMP's functions that host code calls beside its kernels, declared only; its directives are comments to the compiler. */
#pragma once
#pragma clang system_header

extern "C" {
typedef struct omp_lock_t { void *state; } omp_lock_t;

int omp_get_max_threads(void) noexcept;
int omp_get_num_procs(void) noexcept;
int omp_get_num_threads(void) noexcept;
int omp_get_thread_num(void) noexcept;
int omp_in_parallel(void) noexcept;
double omp_get_wtime(void) noexcept;
double omp_get_wtick(void) noexcept;
void omp_set_num_threads(int) noexcept;
void omp_set_dynamic(int) noexcept;
void omp_set_nested(int) noexcept;
void omp_init_lock(omp_lock_t *) noexcept;
void omp_destroy_lock(omp_lock_t *) noexcept;
void omp_set_lock(omp_lock_t *) noexcept;
void omp_unset_lock(omp_lock_t *) noexcept;
int omp_test_lock(omp_lock_t *) noexcept;
}
