// The parts of Thrust on the host that have bodies. The program returns the line of the first check that fails, or 0.
#include <cstdlib>
#include <list>
#include <string>
#include <thrust/complex.h>
#include <thrust/copy.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/sequence.h>
#include <thrust/universal_vector.h>
#include <vector>

#define CHECK(CONDITION)                                                                                             \
    if (!(CONDITION)) exit(__LINE__)

__global__ void add_one(int *cells, int n) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) cells[i] += 1;
}

struct Seven {
    int number;
    Seven() : number(7) {}
};

thrust::device_vector<int> at_file_scope(5, 2);

thrust::device_vector<int> one_of_two(int n) {
    thrust::device_vector<int> nines(n, 9), fours(n, 4);
    if (n > 3) return nines;
    return fours;
}

void containers() {
    thrust::host_vector<int> h(100);
    for (int i = 0; i < 100; i++) {
        CHECK(h[i] == 0);
        h[i] = i;
    }
    thrust::device_vector<int> d = h, filled(100, 3), other, zeros(3);
    CHECK(other.size() == 0 && other.empty() && zeros[2] == 0);
    for (int i = 0; i < 100; i++) CHECK(d[i] == i && filled[i] == 3);
    std::vector<int> v(10, 5);
    thrust::device_vector<int> copied(v.begin(), v.end()), whole(v), listed = {1, 2, 3};
    CHECK(copied.size() == 10 && copied[9] == 5 && whole[0] == 5 && whole.size() == 10 && listed[2] == 3);
    std::list<int> nodes(4, 8);
    thrust::device_vector<float> of_list(nodes.begin(), nodes.end());
    CHECK(of_list.size() == 4 && of_list[3] == 8.0f);
    std::vector<bool> bits(4, true);
    thrust::device_vector<bool> of_bits(bits);
    CHECK(of_bits[2]);
    const thrust::device_vector<int> ones(3, 1);
    const int *first = thrust::raw_pointer_cast(ones.data());
    thrust::device_vector<int> again(thrust::device_pointer_cast(first), thrust::device_pointer_cast(first) + 3);
    CHECK(again[2] == 1);
    thrust::device_vector<double> converted(d.begin(), d.end());
    thrust::host_vector<int> back(d.begin() + 90, d.end());
    CHECK(converted[99] == 99.0 && back.size() == 10 && back[9] == 99);

    d[4] = d[3] + 5;
    CHECK(d[4] == 8);
    d[4] += 2, d[5] = d[4], d[5]++;
    CHECK(d[4] == 10 && d[5] == 11);
    d.resize(200);
    CHECK(d[100] == 0 && d[199] == 0 && d[5] == 11);
    d.resize(250, 6);
    CHECK(d[199] == 0 && d[249] == 6 && d.size() == 250);
    d.resize(5), d.push_back(4);
    CHECK(d.size() == 6 && d[5] == 4 && d.back() == 4 && d.front() == 0);
    for (int i = 0; i < 100; i++) h.push_back(i);
    CHECK(h.size() == 200 && h[199] == 99);
    other = h;
    CHECK(other.size() == 200 && other[199] == 99);
    other = copied, h = d;
    CHECK(other.size() == 10 && h.size() == 6 && h[5] == 4);
    other.assign(7, 2);
    CHECK(other.size() == 7 && other[6] == 2);
    other.pop_back(), other.reserve(50), other.shrink_to_fit(), other.push_back(2);
    CHECK(other.size() == 7 && other.capacity() == 7 && other[6] == 2);
    thrust::swap(copied, other), other.swap(whole), other.clear();
    CHECK(copied.size() == 7 && whole.size() == 10 && other.empty());
    CHECK(one_of_two(6)[5] == 9 && one_of_two(2)[1] == 4 && at_file_scope[4] == 2);

    thrust::device_vector<Seven> sevens(3);
    Seven seven = sevens[2];
    thrust::host_vector<std::string> words(3);
    words[2] = "word", words.push_back("a text that is too long for the string's own memory");
    thrust::host_vector<std::string> same = words;
    CHECK(seven.number == 7 && same.size() == 4 && same[2] == "word" && same[3].size() > 40);
    thrust::device_vector<thrust::complex<float>> numbers(2, thrust::complex<float>(1, 2));
    thrust::complex<float> number = numbers[1];
    CHECK(number.imag() == 2);
}

void algorithms() {
    thrust::device_vector<int> d(20);
    thrust::host_vector<int> h(20);
    std::vector<int> v(20);
    thrust::sequence(d.begin(), d.end());
    thrust::copy(d.begin() + 1, d.end(), h.begin());
    CHECK(d[0] == 0 && h[0] == 1 && h[18] == 19 && h[19] == 0);
    thrust::copy(d.begin(), d.begin() + 10, v.begin());
    thrust::copy(v.begin(), v.end(), d.begin());
    CHECK(v[9] == 9 && d[9] == 9 && d[10] == 0);
    thrust::device_ptr<int> pointer = thrust::device_pointer_cast(thrust::raw_pointer_cast(d.data()));
    thrust::fill(pointer, pointer + 10, 77);
    CHECK(d[9] == 77 && d[10] == 0);
    thrust::sequence(thrust::device, pointer.get(), pointer.get() + 10, 3, 2);
    CHECK(d[9] == 21 && d[10] == 0);
    int one = 1;
    thrust::fill(thrust::host, h.begin(), h.end(), one);
    thrust::fill_n(d.begin(), 2, one);
    CHECK(h[19] == 1 && d[1] == 1 && d[2] == 7);
    thrust::copy_n(thrust::make_constant_iterator(3), 2, d.begin());
    thrust::copy(thrust::make_counting_iterator(5), thrust::make_counting_iterator(9), v.begin());
    thrust::copy(thrust::cuda::par.on(0), d.begin(), d.begin() + 2, d.begin() + 4);
    CHECK(d[1] == 3 && d[5] == 3 && d[6] == 15 && v[3] == 8);
    thrust::device_ptr<int> own = thrust::device_malloc<int>(8);
    thrust::uninitialized_fill(own, own + 8, 4);
    CHECK(own[7] == 4 && own + 8 - own == 8);
    thrust::device_ptr<int> last = own;
    thrust::advance(last, 7);
    CHECK(thrust::distance(own, last) == 7 && *last == 4 && last - 1 < last);
    thrust::device_free(own);
}

int main() {
    containers();
    algorithms();
    thrust::universal_vector<int> u(10);
    u[3] = 4;
    thrust::device_vector<int> d(10, 1);
    add_one<<<1, 32>>>(thrust::raw_pointer_cast(u.data()), u.size());
    add_one<<<1, 32>>>(thrust::raw_pointer_cast(d.data()), d.size());
    add_one<<<1, 32>>>(thrust::raw_pointer_cast(&at_file_scope[0]), 5);
    CHECK(u[3] == 5 && u[9] == 1 && d[9] == 2 && at_file_scope[4] == 3);
    return 0;
}
