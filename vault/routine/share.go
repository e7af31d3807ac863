package routine

import (
	"context"
	"iter"
	"runtime"
	"sync/atomic"
)

// Workers returns the number of goroutines that read at the same time: enough to keep a disk busy, few enough
// to leave time for the screen.
func Workers() int { return max(2, min(runtime.GOMAXPROCS(0), 16)) }

// Share divides the numbers 0 to n-1 among goroutines, in runs of the length neighbours, until ctx ends. It
// waits for the goroutines and returns the error of ctx.
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
