package routine

import (
	"context"
	"iter"
	"runtime"
	"sync/atomic"
)

// Workers is how many goroutines read at the same time: enough to keep a disk
// busy, few enough to leave the screen its share.
func Workers() int { return max(2, min(runtime.GOMAXPROCS(0), 16)) }

// Share divides n things among goroutines, which take so many neighbours at a time, until
// ctx ends.
func Share(ctx context.Context, n, neighbours int, work func(mine iter.Seq[int])) error {
	running, stop := context.WithCancel(ctx)
	defer stop()
	var next atomic.Int64
	wg := Group{Stop: stop}
	for range min(Workers(), (n+neighbours-1)/neighbours) {
		wg.Go(func() {
			work(func(yield func(int) bool) {
				for ctx.Err() == nil && running.Err() == nil {
					from := int(next.Add(int64(neighbours))) - neighbours
					if from >= n {
						return
					}
					for i := from; i < min(from+neighbours, n); i++ {
						if !yield(i) {
							return
						}
					}
				}
			})
		})
	}
	wg.Wait()
	return ctx.Err()
}
