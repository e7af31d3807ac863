package ui_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"

	"ibid/chains"
	"ibid/vault/vaulttest"
)

// fields are the text fields of the screen: how each is opened, from an empty prompt.
var fields = map[string]func(r *stage){
	"prompt":  func(*stage) {},
	"palette": func(r *stage) { r.Press("ctrl+p") },
	"chats":   func(r *stage) { r.Press("ctrl+s") },
	"notes":   func(r *stage) { r.Press("ctrl+o") },
	"models":  func(r *stage) { r.Press("ctrl+l") },
	"earlier": func(r *stage) { r.Press("ctrl+r") },
	"settings": func(r *stage) {
		r.Type("/config")
		r.Press("enter")
	},
	"find": func(r *stage) { r.Press("ctrl+f") },
	"rail": func(r *stage) {
		for range 3 {
			if r.Press("tab"); r.Has("> filter") {
				return
			}
		}
		r.Error("the rail of chats has no filter")
	},
	"refusal": func(r *stage) {
		r.Begin("go", "May the model")
		r.Pass(time.Second)
		r.Press("n")
	},
}

// boundKeys are the keys that text fields of other programs have.
func boundKeys() (names []string) {
	all := reflect.ValueOf(textinput.DefaultKeyMap())
	for i := range all.NumField() {
		names = append(names, all.Field(i).Interface().(key.Binding).Keys()...)
	}
	return names
}

// onField opens a text field of a screen of 160 columns.
func onField(t *testing.T, open func(r *stage), script func(r *stage)) {
	prepare := func(t *testing.T) *rig {
		g := newRig(t, band+older, calling("Hm.", toolCall("webSearch", 1, "a")), reply("yes"))
		g.tools = []chains.Tool{asking()}
		g.reopen()
		g.watched()
		g.change(allServices)
		return g
	}
	playOn(t, 160, 42, prepare, func(r *stage) {
		r.Pass(time.Second)
		open(r)
		r.Pass(time.Second)
		script(r)
	})
}

// TestWordKeysInFields: a word is deleted before the last letter of each text field.
func TestWordKeysInFields(t *testing.T) {
	for name, open := range fields {
		t.Run(name, func(t *testing.T) {
			onField(t, open, func(r *stage) {
				for _, k := range []string{"alt+d", "alt+delete", "ctrl+delete"} {
					r.Type("zqy")
					r.Want("zqy")
					r.Press("left", k, "ctrl+u", "ctrl+k")
				}
			})
		})
	}
}

// TestFieldsPlayed types and presses everything in each text field.
func TestFieldsPlayed(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	texts := []string{"ab", " ", "x y", "日本", "👩‍👩‍👧‍👦", "🇩🇪", "é", "\u0301", "a\u200bb", "/", "@"}
	names := boundKeys()
	for name, open := range fields {
		for seed := range uint64(4) {
			t.Run(fmt.Sprint(name, seed), func(t *testing.T) {
				rnd := rand.New(rand.NewPCG(seed, 11))
				onField(t, open, func(r *stage) {
					for range 80 {
						switch text := texts[rnd.IntN(len(texts))]; rnd.IntN(5) {
						case 0, 1:
							r.Type(text)
						case 2:
							r.Paste(text)
						default:
							if k := names[rnd.IntN(len(names))]; !r.Quit() {
								r.Press(k)
							}
						}
					}
				})
			})
		}
	}
}
