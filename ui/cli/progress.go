package cli

import (
	"fmt"
	"sync"
	"time"

	"ibid/ui/theme"
)

// quietPeriod is how long work takes before a user wants to know how far it is.
const quietPeriod = 500 * time.Millisecond

// live does work and shows on standard error, if that is a terminal, how far it is:
// one line, which goes away when the work is done. The goroutine that shows it ends
// before it returns.
func (a *app) live(line func() string, work func() error) error {
	if !terminal(a.env.Stderr) {
		return work()
	}
	stop := make(chan struct{})
	var showing sync.WaitGroup
	showing.Go(func() { a.show(line, stop) })
	err := work()
	close(stop)
	showing.Wait()
	return err
}

// show shows a line, as it is from time to time, until stop is closed.
func (a *app) show(line func() string, stop <-chan struct{}) {
	const clear = "\r\x1b[K"
	shown := false
	for wait := quietPeriod; ; wait = quietPeriod / 5 {
		select {
		case <-stop:
			if shown {
				_, _ = fmt.Fprint(a.env.Stderr, clear) // there is nowhere left to report an error
			}
			return
		case <-time.After(wait):
			if text := line(); text != "" {
				shown = true
				_, _ = fmt.Fprint(a.env.Stderr, clear+"ibid: "+text) // there is nowhere left to report an error
			}
		}
	}
}

// reading says how far the notes are read.
func (p *parts) reading() string {
	done, all := p.vault.Progress()
	if all == 0 {
		return "looking for notes"
	}
	return "reading notes, " + theme.Comma(done) + " of " + theme.Comma(all)
}
