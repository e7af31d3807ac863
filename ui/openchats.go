package ui

import (
	"fmt"
	"slices"
	"strings"

	"ibid/ui/chatview"
	"ibid/ui/page"
	"ibid/ui/setup"
	"ibid/ui/term"
	"ibid/ui/theme"
)

// openChats holds the open chats: the embedded one is on the screen.
type openChats struct {
	*chatview.Chat
	others []*chatview.Chat // in the background: busy, new or with something unsent
}

// All returns the chat on the screen, followed by the chats in the background.
func (o *openChats) All() []*chatview.Chat {
	return append([]*chatview.Chat{o.Chat}, o.others...)
}

// running returns the chats in which a reply is being written.
func (o *openChats) running() []*chatview.Chat {
	return slices.DeleteFunc(o.All(), func(c *chatview.Chat) bool { return !c.Turn.Running() })
}

// next goes to the most urgent chat in the background: one that asks, then an unread one, then one that
// is busy or has something unsent; of equals, the one left longest ago.
func (o *openChats) next() page.Request {
	for _, matters := range []func(*chatview.Chat) bool{
		(*chatview.Chat).WaitsForUser,
		func(c *chatview.Chat) bool { return c.Unread },
		(*chatview.Chat).MustStayOpen,
	} {
		if i := slices.IndexFunc(o.others, matters); i >= 0 {
			return page.Post{Msg: showChat{o.others[i]}}
		}
	}
	return page.Toast{Text: "no other chat is busy, new or holds something unsent"}
}

// summary describes the chats in the background for the header, and reports whether one of them waits for
// the user.
func (o *openChats) summary() (text string, asks bool) {
	counts := map[string]int{}
	for _, c := range o.others {
		_, words := c.State(&o.Theme.Glyphs)
		counts[words]++
		asks = asks || c.WaitsForUser()
	}
	var parts []string
	for _, words := range []string{"asking you", "writing", "failed", "unread", "not sent", "not kept"} {
		if n := counts[words]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, words))
		}
	}
	return strings.Join(parts, ", "), asks
}

// losses lists what leaving the program would cut off or lose: running replies, and unsent messages where
// no chats are kept (where they are, unsent messages are kept, too).
func (o *openChats) losses() (rows [][2]string) {
	for _, c := range o.All() {
		if c.Turn.Running() {
			_, words := c.State(&o.Theme.Glyphs)
			rows = append(rows, [2]string{c.Title(), words})
		}
		if o.Store != nil {
			continue
		}
		if n := len(c.Queue); n > 0 {
			rows = append(rows, [2]string{c.Title(), theme.Plural(n, "message") + " not sent"})
		}
		if !term.IsBlank(c.Draft.Text) {
			rows = append(rows, [2]string{
				c.Title() + ": " + term.Clip(theme.OneLine(c.Draft.Text), 40, "…"), "not sent",
			})
		}
	}
	return rows
}

// leaveQuestion returns the question whether to leave, or to open another vault if one is named; nil if
// nothing would be cut off or lost.
func (o *openChats) leaveQuestion(vault setup.OpenVault) *page.Question {
	rows := o.losses()
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
			page.Reply("y", does, page.Post{Msg: leaveFor{vault}}),
			page.Reply("n", "stay", nil), page.Reply("esc", "stay", nil),
		},
	}
}

// showChat puts an open chat on the screen.
type showChat struct{ chat *chatview.Chat }

// leaveFor ends the screen without a question, and opens another vault if one is named.
type leaveFor struct{ vault setup.OpenVault }
