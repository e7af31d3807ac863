package ui_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"ibid/ui"
	"ibid/ui/uitest"
)

// TestAttachByMention chooses a note at the cursor, in the middle of a sentence.
func TestAttachByMention(t *testing.T) {
	for _, open := range []string{"@", "[["} {
		t.Run(open, func(t *testing.T) {
			playAt(t, 100, 30, replies(reply("ok")), func(r *stage) {
				r.Type("compare  with the other")
				for range len(" with the other") {
					r.Press("left")
				}
				r.Type(open + "songs")
				r.Want("alias songs", "Setlist")
				r.Press("enter")
				r.Want("compare [[Setlist]] with the other")
				r.Pass(time.Second)
				r.Want("+ Setlist +70", "sends ")
				r.Press("enter")
				r.WaitFor("ok")
				r.Pass(time.Second)
				req := r.model.Requests()[0]
				if last := req.Messages[len(req.Messages)-1].Content; !strings.Contains(last, "Three fast ones") {
					r.Errorf("the note was not sent:\n%s", last)
				}
				if !strings.Contains(r.chatText(""), "[[Setlist]]") {
					r.Error("the file holds no plain link")
				}
				// The second time it costs nothing.
				r.Type("again @sets")
				r.Want("in library", "0 new")
			})
		})
	}
}

// TestMentionRemark: under the rows stands how the note begins, or why it stands there if
// its text is beside them.
func TestMentionRemark(t *testing.T) {
	play(t, nil, func(r *stage) {
		r.Type("@")
		r.Pass(time.Second)
		for _, row := range [][2]string{
			{"▸ Bass tone", "Compressor at 3:1. See Setlist."}, // a link as it is read
			{"▸ Rehearsal", "Thursday at seven, bring the spare cable."},
		} {
			for range 12 {
				if strings.Contains(r.Screen(), row[0]) {
					break
				}
				r.Press("down")
			}
			r.WaitFor(row[1])
		}
	})
	playAt(t, 120, 40, replies(reply("ok")), func(r *stage) {
		r.Type("play @sets")
		r.Press("enter", "enter")
		r.WaitFor("ok")
		r.Pass(time.Second)
		r.Type("@")
		for range 12 {
			if strings.Contains(r.Screen(), "▸ Bass tone") {
				break
			}
			r.Press("down")
		}
		r.WaitFor("why here: linked with Setlist")
		r.Press("esc")
		r.Type(" @set")
		r.Want("Setlist", "in this chat")
		r.Want("why first: alias as typed", "used here 1 time")
	})
}

func TestHeadingsTagsFolders(t *testing.T) {
	tests := []struct{ keys, text, sent, not string }{
		{"@sets<tab>enc<enter>", "[[Setlist#Encore]]", "One slow one", "Three fast ones"},
		{"[[sets<tab>first<enter>", "[[Setlist#First half]]", "Three fast ones", "One slow one"},
		{"@Setlist#enc<enter>", "[[Setlist#Encore]]", "One slow one", "Three fast ones"},
		{"@Setlist#L7<enter>", "[[Setlist#L7]]", "Five songs", "Three fast"},
		{"@#gard<enter>", "#garden", "Water in the morning", "Compost"},
		{"@Garden/<enter>", "@Garden/", "Compost", "Three fast ones"},
	}
	for _, tt := range tests {
		t.Run(tt.keys, func(t *testing.T) {
			playAt(t, 100, 30, replies(reply("ok")), func(r *stage) {
				typeKeys(r.Robot, tt.keys)
				r.Want(tt.text)
				r.Ask("please", "ok")
				req := r.model.Requests()[0]
				last := req.Messages[len(req.Messages)-1].Content
				if !strings.Contains(last, tt.sent) || strings.Contains(last, tt.not) {
					r.Errorf("want %q and not %q in\n%s", tt.sent, tt.not, last)
				}
			})
		})
	}
}

// typeKeys types text in which <enter> stands for a key.
func typeKeys(r *uitest.Robot, hints string) {
	for hints != "" {
		text, rest, ok := strings.Cut(hints, "<")
		r.Type(text)
		if !ok {
			return
		}
		var key string
		key, hints, _ = strings.Cut(rest, ">")
		r.Press(key)
	}
}

// TestPaletteRecent lists what was done last first, and keeps it.
func TestPaletteRecent(t *testing.T) {
	var kept []string
	playOn(t, 80, 24, rigWithOptions(band, func(o *ui.Options) {
		o.Input.Recent, o.Input.KeepRecent = []string{"run:stats", "key:gone"}, func(name string) {
			kept = append(kept, name)
		}
	}), func(r *stage) {
		r.Press("ctrl+p")
		r.Type("dark")
		r.Press("enter", "ctrl+p")
		r.Want("Done last", "▸ Dark or light", "What this chat has cost")
		golden.RequireEqual(r.T, r.Screen())
	})
	if len(kept) != 1 || kept[0] != "key:dark" {
		t.Errorf("kept %q", kept)
	}
}

// TestFourWays reaches one thing by its key, behind the leader, by its command,
// and from the palette.
func TestFourWays(t *testing.T) {
	for _, way := range []string{"ctrl+s", "ctrl+x l", "/chats", "palette"} {
		t.Run(way, func(t *testing.T) {
			playAt(t, 100, 30, nil, func(r *stage) {
				switch way {
				case "/chats":
					r.Ask(way, "")
				case "palette":
					r.Press("ctrl+p")
					r.Type("saved ch")
					r.Press("enter")
				default:
					r.Press(strings.Fields(way)...)
				}
				r.WaitFor("title + full text")
			})
		})
	}
}

func TestWideCharacters(t *testing.T) {
	playAt(t, 40, 12, replies(reply("音楽のことば 👩‍👩‍👧‍👦 ends")), func(r *stage) {
		r.Type("日本語で書く文は幅が二倍になるので折り返しが大切です")
		x, y := r.Cursor()
		if x < 4 || x > 38 || y < 0 {
			r.Errorf("cursor at %d,%d", x, y)
		}
		r.Press("enter")
		r.WaitFor("👩 ends")
		r.Send(tea.ModeReportMsg{Mode: ansi.ModeUnicodeCore, Value: ansi.ModeReset}) // it can count clusters
		r.Want("👩‍👩‍👧‍👦 ends")
	})
}

func TestFind(t *testing.T) {
	var text strings.Builder
	for i := range 80 {
		fmt.Fprintf(&text, "paragraph %d\n\n", i)
	}
	play(t, replies(reply("the Needle\n\n"+text.String())),
		func(r *stage) {
			r.Ask("go", "paragraph 79")
			r.Press("ctrl+f")
			r.Type("needle")
			r.Want("1 of 1", "the Needle")
			r.Press("ctrl+u")
			r.Type("paragraph 1")
			r.Want("11 of 11")
			r.Press("enter", "N", "N")
			r.Want("9 of 11")
			r.Press("n")
			r.Want("10 of 11")
			r.Press("esc")
			r.WantNot("of 11")
			r.Ask("/find paragraph 2", "11 of 11")
			r.Press("esc")
			r.Type("typed")
			r.Want("> typed")
		})
}

func TestMouse(t *testing.T) {
	play(t, replies(reply("BEGIN\n\n"+strings.Repeat("line\n\n", 60))),
		func(r *stage) {
			r.Ask("go", "line")
			for range 50 {
				r.Wheel(-1)
			}
			r.Want("BEGIN")
			r.Press("tab")
			if x, _ := r.Cursor(); x >= 0 {
				r.Error("the cursor is still in the prompt")
			}
			r.Click(10, 22)
			if x, _ := r.Cursor(); x < 0 {
				r.Error("the cursor is not in the prompt")
			}
			r.Press("f9")
			r.Want("the terminal has the mouse")
		})
}
