package ui_test

import (
	"testing"
	"time"

	"ibid/chains"
	"ibid/history"
)

// savedRig returns a rig with chats of earlier days.
func savedRig(t *testing.T) *rig {
	g := newRig(t, band, reply("here"), reply("there"))
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for i, text := range []string{
		"when does the van need new brakes?",
		"list the songs\nof the second set\nwith their capo", "when does the van need new brakes?",
	} {
		c := history.Chat{Model: "m", Title: []string{"Van", "Songs", "Van again"}[i]}
		c.Messages = []history.Message{
			{Role: history.User, Text: text, Time: at.AddDate(0, 0, i)},
			{Role: history.Assistant, Text: "an answer", Time: at.AddDate(0, 0, i)},
		}
		_, err := g.store.Save(&c)
		check(t, err)
		check(t, g.store.Release(&c))
	}
	g.runWith(func(*chains.Options) {})
	return g
}
