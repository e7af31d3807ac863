package vectors

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

// pack converts each number of a vector to a byte, scaled so that the largest is 127.
// Lengths of vectors say nothing, so that it need not be known again.
func pack(v []float32) []byte {
	most, data := 0.0, make([]byte, len(v))
	for _, x := range v {
		most = max(most, math.Abs(float64(x)))
	}
	for i, x := range v {
		data[i] = byte(int8(math.Round(float64(x) / max(most, 1e-30) * math.MaxInt8)))
	}
	return data
}

// alike returns the product of two vectors, relative to the length of one: the larger it is, the more similar is
// data to one.
func alike(data, one []byte) float64 {
	product, length := int32(0), int32(0)
	for i := range one {
		x, y := int32(int8(data[i])), int32(int8(one[i]))
		product, length = product+x*y, length+x*x
	}
	return float64(product) / math.Sqrt(max(1, float64(length)))
}

// signs returns a bit for each number of a packed vector, set if the number is above 0, in whole words.
func signs(data []byte) []byte {
	all := make([]byte, signBytes(len(data)))
	for i, b := range data {
		if int8(b) > 0 {
			all[i/8] |= 1 << (i % 8)
		}
	}
	return all
}

// signBytes returns the bytes that signs returns for so many numbers.
func signBytes(numbers int) int { return (numbers + 63) / 64 * 8 }

// nearest returns the ids of the vectors whose bits differ least from those of one.
func (s *set) nearest(one []byte) (ids []int64) {
	var best []uint64 // how many bits differ, and the place of the id
	for n := range s.ids {
		differ := 0
		for other, i := s.bits[n*len(one):][:len(one)], 0; i < len(one); i += 8 {
			differ += bits.OnesCount64(binary.LittleEndian.Uint64(other[i:]) ^ binary.LittleEndian.Uint64(one[i:]))
		}
		key := uint64(differ)<<32 | uint64(n)
		if len(best) < chosenByBits || key < best[chosenByBits-1] {
			at, _ := slices.BinarySearch(best, key)
			best = slices.Insert(best[:min(len(best), chosenByBits-1)], at, key)
		}
	}
	for _, key := range best {
		ids = append(ids, s.ids[uint32(key)])
	}
	return ids
}
