package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ibid/ui/chatview"
	"ibid/ui/page"
	"ibid/ui/setup"
	"ibid/ui/term"
	"ibid/ui/theme"
)

// openChats are the chats that are open.
type openChats struct {
	*chatview.Chat                  // the one on the screen
	others         []*chatview.Chat // that are busy, new or hold something unsent
}

// all is the chat on the screen and those behind it.
func (o *openChats) all() []*chatview.Chat {
	return append([]*chatview.Chat{o.Chat}, o.others...)
}

// running are the chats in which a reply is being written.
func (o *openChats) running() []*chatview.Chat {
	return slices.DeleteFunc(o.all(), func(c *chatview.Chat) bool { return !c.Turn.Running() })
}

// steps is how often the signs of the chats in the background have turned.
func (o *openChats) steps() (n int) {
	for _, c := range o.others {
		n += c.Turn.Live.Steps
	}
	return n
}

// next goes to the chat in the background that matters most: that asks, is new, is busy,
// or holds something unsent; of equals to the one left longest ago.
func (o *openChats) next() page.Request {
	for _, matters := range []func(*chatview.Chat) bool{
		(*chatview.Chat).Asks,
		func(c *chatview.Chat) bool { return c.Unread },
		(*chatview.Chat).Stays,
	} {
		if i := slices.IndexFunc(o.others, matters); i >= 0 {
			return page.Post{Msg: showChat{o.others[i]}}
		}
	}
	return page.Toast{Text: "no other chat is busy, new or holds something unsent"}
}

// say is what the header says of the chats in the background, and whether one of them
// waits for the user.
func (o *openChats) say() (text string, asks bool) {
	counts := map[string]int{}
	for _, c := range o.others {
		_, words := c.State(&o.Theme.Glyphs)
		counts[words]++
		asks = asks || c.Asks()
	}
	var parts []string
	for _, words := range [][2]string{
		{"asks you", "ask you"},
		{"writing"},
		{"failed"},
		{"new reply", "new replies"},
		{"not sent"},
		{"not kept"},
	} {
		switch n := counts[words[0]]; {
		case n > 1:
			parts = append(parts, fmt.Sprintf("%d %s", n, cmp.Or(words[1], words[0])))
		case n == 1:
			parts = append(parts, "1 "+words[0])
		}
	}
	return strings.Join(parts, ", "), asks
}

// losses are what leaving the program would cut off or lose: what goes on in chats, and
// unsent messages where no chats are kept, which would keep those too. says is all of it in
// words, "" for nothing.
func (o *openChats) losses() (rows [][2]string, says string) {
	var parts []string
	running, unsent := o.running(), 0
	for _, c := range running {
		_, words := c.State(&o.Theme.Glyphs)
		rows = append(rows, [2]string{c.Title(), words})
	}
	if n := len(running); n == 1 {
		parts = append(parts, "1 reply is being written")
	} else if n > 1 {
		parts = append(parts, fmt.Sprintf("%d replies are being written", n))
	}
	for _, c := range o.all() {
		if o.Store != nil {
			break
		}
		if n := len(c.Queue); n > 0 {
			rows = append(rows, [2]string{c.Title(), theme.Plural(n, "message") + " not sent"})
			unsent += n
		}
		if !term.IsBlank(c.Draft.Text) {
			rows = append(rows, [2]string{c.Title() + ": " + term.Clip(theme.OneLine(c.Draft.Text), 40, "…"), "not sent"})
			unsent++
		}
	}
	if unsent > 0 {
		parts = append(parts, theme.Plural(unsent, "message")+" not sent")
	}
	return rows, strings.Join(parts, ", ")
}

// leaveQuestion asks whether to leave, to open another vault if one is named; nil if
// nothing would be cut off or lost.
func (o *openChats) leaveQuestion(vault setup.OpenVault) *page.Question {
	rows, _ := o.losses()
	if len(rows) == 0 {
		return nil
	}
	title, does := "Leave? ", "leave"
	if vault.Dir != "" {
		title, does = "Open another vault? ", "open it"
	}
	return &page.Question{
		Env: o.Env, IsLeaving: true, Title: title + "What came so far is saved.", Rows: rows,
		Answers: []page.Answer{
			page.Reply("y", does, page.Post{Msg: leaveFor{vault}}), page.Reply("n", "stay", nil), page.Reply("esc", "stay", nil),
		},
	}
}

// showChat puts an open chat on the screen.
type showChat struct{ chat *chatview.Chat }

// leaveFor ends the screen without a question, to open another vault if one is named.
type leaveFor struct{ vault setup.OpenVault }
