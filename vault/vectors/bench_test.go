package vectors

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ibid/vault/index"
	"ibid/vault/vaulttest"
)

// numbers is as many as nomic-embed-text makes.
const numbers = 768

// randomVectors returns vectors of length 1 around some centres, fifty about each, as texts
// about some subjects have.
func randomVectors(n int) (all []float32) {
	r := rand.New(rand.NewPCG(1, 2))
	centres := make([]float32, (1+n/50)*numbers)
	for i := range centres {
		centres[i] = float32(r.NormFloat64())
	}
	all = make([]float32, 0, n*numbers)
	for range n {
		c := centres[r.IntN(1+n/50)*numbers:][:numbers]
		for _, x := range c {
			all = append(all, x+float32(r.NormFloat64()))
		}
		one := all[len(all)-numbers:]
		length := float32(math.Sqrt(float64(product(one, one))))
		for i := range one {
			one[i] /= length
		}
	}
	return all
}

func product(a, b []float32) (sum float32) {
	b = b[:len(a)]
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

// BenchmarkLike is a search among the sections of a large vault, in the file, beside a plain
// scan of vectors of float32 in memory. The recall is of the ten that the scan finds.
func BenchmarkLike(b *testing.B) {
	for _, n := range []int{100_000, 600_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			if n > 100_000 {
				vaulttest.SkipUnlessSlow(b)
			}
			all := randomVectors(n)
			x, err := index.Open(b.Context(), index.Options{Dir: b.TempDir(), Vault: "v"})
			if err != nil {
				b.Fatal(err)
			}
			defer x.Close()
			f := Finder{Index: func(context.Context) *index.Index { return x }, Model: "m"}
			keepVectors(b, x, all)
			s := f.current(b.Context(), x)
			if len(s.ids) != n {
				b.Fatal(len(s.ids))
			}
			r := rand.New(rand.NewPCG(3, 4))
			var questions [][]float32
			f.questions = map[string][]byte{}
			for range 20 {
				q := slices.Clone(all[r.IntN(n)*numbers:][:numbers])
				for i := range q {
					q[i] += float32(r.NormFloat64()) / 30
				}
				f.questions[fmt.Sprint("m\n", len(questions))] = pack(q)
				questions = append(questions, q)
			}
			found, wanted := 0, 0
			for _, q := range questions {
				best := scan(all, q, 10)
				wanted += len(best)
				for _, id := range s.nearest(signs(pack(q))) {
					if slices.Contains(best, int((id>>12-1)*6+id&4095)) {
						found++
					}
				}
			}
			b.Run("bits", func(b *testing.B) {
				b.ReportAllocs()
				defer reportCPU(b)()
				for i := 0; b.Loop(); i++ {
					f.Like(b.Context(), fmt.Sprint(i%len(questions)))
				}
				b.ReportMetric(float64(found)/float64(wanted), "recall@10")
				b.ReportMetric(float64(len(s.bits)+8*len(s.ids))/(1<<20), "MB-in-memory")
			})
			b.Run("load", func(b *testing.B) {
				defer reportCPU(b)()
				for b.Loop() {
					f.set = set{}
					f.current(b.Context(), x)
				}
			})
			b.Run("float32", func(b *testing.B) {
				b.ReportAllocs()
				defer reportCPU(b)()
				for i := 0; b.Loop(); i++ {
					scan(all, questions[i%len(questions)], 500)
				}
			})
		})
	}
}

// reportCPU reports the time of the processor, which other programs do not lengthen.
func reportCPU(b *testing.B) (end func()) {
	began := vaulttest.CPU()
	return func() {
		b.ReportMetric(float64((vaulttest.CPU()-began).Microseconds())/1000/float64(b.N), "ms-cpu/op")
	}
}

// keepVectors writes vectors as Fill does, six of them a note.
func keepVectors(b *testing.B, x *index.Index, all []float32) {
	b.Helper()
	n := len(all) / numbers
	for from := 0; from < n; from += 6000 {
		err := x.Change(b.Context(), func(exec index.Exec) {
			exec("INSERT OR IGNORE INTO model VALUES (1, 'm', ?, 1)", numbers)
			for i := from; i < min(n, from+6000); i += 6 {
				var hashes, bits []byte
				for j := i; j < min(n, i+6); j++ {
					data := pack(all[j*numbers:][:numbers])
					hashes = binary.LittleEndian.AppendUint64(hashes, 1)
					bits = append(bits, signs(data)...)
					exec("INSERT INTO vector VALUES (?, ?)", (i/6+1)<<12|(j-i), data)
				}
				exec("INSERT INTO meaning (id, path, model, hashes, bits) VALUES (?, ?, 1, ?, ?)", i/6+1, fmt.Sprint(i/6), hashes, bits)
			}
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// scan returns the best vectors in the simple way: by the product with each vector.
func scan(all, question []float32, most int) (best []int) {
	scores := make([]float32, len(all)/numbers)
	for i := range scores {
		scores[i] = product(question, all[i*numbers:][:numbers])
		if at, _ := slices.BinarySearchFunc(best, scores[i], func(j int, score float32) int { return cmp.Compare(score, scores[j]) }); at < most {
			best = slices.Insert(best[:min(len(best), most-1)], at, i)
		}
	}
	return best
}
