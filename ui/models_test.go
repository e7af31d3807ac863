package ui_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/ui"
)

// modelShelf is the list of models of some providers, one of which is slow.
type modelShelf struct {
	offers     []chains.Offer
	slow       chains.Offer
	favourites []string
}

func (s *modelShelf) Offers(ctx context.Context) iter.Seq[chains.Offer] {
	return func(yield func(chains.Offer) bool) {
		for _, o := range s.offers {
			if !yield(o) {
				return
			}
		}
		select {
		case <-time.After(3 * time.Second):
			yield(s.slow)
		case <-ctx.Done():
		}
	}
}

func (s *modelShelf) Marked() (favourites, recent []string) {
	return slices.Clone(s.favourites), []string{"work/swift", "gone/away"}
}

func (s *modelShelf) SetFavourite(name string, on bool) {
	s.favourites = slices.DeleteFunc(s.favourites, func(o string) bool { return o == name })
	if on {
		s.favourites = append(s.favourites, name)
	}
}

func newShelf() *modelShelf {
	price := func(in, out float64) chains.Price {
		return chains.Price{Known: true, Input: in, Cached: in, Written: in, Output: out}
	}
	return &modelShelf{
		offers: []chains.Offer{
			{Provider: "work", Models: []chains.ModelInfo{
				{ID: "swift", Window: 131072, Price: price(0.1, 0.4)},
				{ID: "large", Window: 1_000_000, Price: price(3, 15)},
			}},
			{Provider: "broken", Err: errors.New("broken refused the key (401). Checked: env BROKEN_API_KEY")},
			{Provider: "here", Now: true, Models: []chains.ModelInfo{
				{ID: "big-model", Window: 200000},
				{ID: "test-model", Window: 128000, Price: price(0, 0)},
				{ID: "tiny", Window: 8192},
			}},
		},
		slow: chains.Offer{Provider: "slow", Models: []chains.ModelInfo{{ID: "snail"}}},
	}
}

// TestModels: the models of all providers, as these answer; favourites and those that
// were chosen come first, and a provider that does not answer says why.
func TestModels(t *testing.T) {
	onSizes(t, []size{{40, 12}, {80, 24}, {200, 50}}, func(t *testing.T, w, h int) {
		shelf, all := newShelf(), ""
		shelf.favourites = []string{"work/large"}
		playOn(t, w, h, rigWith(band, func(g *rig) {
			g.deskWith(func(o *desk.Options) { o.Model = g.named })
			g.change(func(o *ui.Options) { o.Service.Models = shelf })
		}, reply("ok"), reply("again")), func(r *stage) {
			r.Ask("first", "ok")
			r.Press("ctrl+l")
			r.WaitFor("big-model")
			r.WantNot("snail")
			all += r.Screen() + "\n"
			r.Pass(4 * time.Second)
			r.Type("snail")
			r.Want("snail")
			r.Press("ctrl+u")
			r.Type("broken")
			r.Want("refused")
			r.Press("enter")
			r.WaitFor("no models now")
			r.Press("ctrl+u")
			r.Type("tiny")
			r.WantNot("large")
			r.Press("alt+f")
			r.WaitFor("Favourites")
			if !slices.Contains(shelf.favourites, "here/tiny") {
				r.Errorf("favourites: %v", shelf.favourites)
			}
			r.Press("alt+f")
			if slices.Contains(shelf.favourites, "here/tiny") {
				r.Errorf("favourites: %v", shelf.favourites)
			}
			r.Press("ctrl+u")
			r.Begin("swift", "work/swift")
			r.Ask("hello", "again")
			is(r, r.model.Requests()[1].Model, "work/swift")
			r.Press("ctrl+l")
			r.WaitFor("Models")
			r.Press("esc") // while a provider is still asked
			r.WantNot("Models")
		})
		golden.RequireEqual(t, all)
	})
}

// otherModel is a model that is not the one in it.
type otherModel struct{ chains.Model }

// TestModelFound: the header shows the model that the start finds while the screen is up,
// with its window, and no key is pressed; a model that a person chose meanwhile stays.
func TestModelFound(t *testing.T) {
	for _, chosen := range []bool{false, true} {
		t.Run(fmt.Sprintf("chosen %v", chosen), func(t *testing.T) {
			var found chan struct{}
			playOn(t, 120, 30, rigWith(band, func(g *rig) {
				found = make(chan struct{})
				guess := g.session(g.store, g.model, "a-guess")
				g.deskWith(func(o *desk.Options) {
					o.Session = guess
					o.Model = func(_ context.Context, _, name string) (chains.Options, error) {
						return g.session(g.store, otherModel{g.model}, name), nil
					}
				})
				g.change(func(o *ui.Options) {
					o.Notices = []string{"said at once"}
					o.Service.Found = func(ctx context.Context) (ui.FoundModel, bool) {
						select {
						case <-found:
						case <-ctx.Done():
							return ui.FoundModel{}, false
						}
						late := g.session(g.store, otherModel{g.model}, "late-model")
						late.Window = 64000
						return ui.FoundModel{
							Was: guess.Model, Model: late,
							Notices: []string{"said at once", "since none was chosen"},
						}, true
					}
				})
			}, reply("ok")), func(r *stage) {
				r.Want("a-guess")
				if chosen {
					r.Ask("/model picked", "picked")
				}
				close(found)
				r.WaitFor("since none was chosen")
				if n := strings.Count(r.Screen(), "said at once"); n != 1 && !chosen {
					r.Errorf("said %d times:\n%s", n, r.Screen())
				}
				if name := map[bool]string{false: "late-model", true: "picked"}[chosen]; !r.Has(name) {
					r.Errorf("no %s:\n%s", name, r.Screen())
				}
				if !chosen {
					r.Ask("first", "ok")
					r.WantNot("a-guess")
				}
			})
		})
	}
}
