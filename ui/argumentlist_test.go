package ui_test

import (
	"testing"
	"time"

	"ibid/chains/desk"
)

// TestArguments completes what commands are about: what is typed, the keys that follow,
// and what is on the screen then.
func TestArguments(t *testing.T) {
	rows := []struct {
		typed string
		keys  []string
		want  []string
	}{
		{"/pin soi", []string{"tab"}, []string{`> /pin "Garden/Soil.md"`}},
		{"/pin soi", []string{"enter"}, []string{"pinned: Garden/Soil.md"}},
		{"/add gard", nil, []string{"/add", "Garden"}},
		{"/add setl", []string{"enter"}, []string{"attached: Band/Setlist.md"}},
		{"/open key", []string{"tab"}, []string{"> /open Chats/Keyboard.md"}},
		{"/open key", []string{"enter"}, []string{"The light one."}},
		{"/chain ag", []string{"tab"}, []string{"> /chain agent"}},
		{"/active fo", []string{"enter"}, []string{"active note: follow"}},
		{"/project wo", []string{"tab"}, []string{"> /project Band/World tour"}},
		{"/project ", nil, []string{"off", "Studio"}},
		{"/layout ", nil, []string{"auto", "strict", "append"}},
		{"/layout ", []string{"enter"}, []string{"auto"}}, // alone it says which one there is
		{"/layout ", []string{"down", "enter"}, []string{"strict"}},
		{"/effort l", []string{"tab"}, []string{"> /effort low"}},
		{"/policy read", []string{"tab"}, []string{"> /policy readonly"}},
		{"/tag mu", nil, []string{"> /tag mu"}},
		{"/help exp", []string{"tab"}, []string{"> /help export"}},
		{"/export j", []string{"tab"}, []string{"> /export json"}},
		{"/rename a new name", nil, []string{"> /rename a new name"}},
		{"/undo-write a", nil, []string{"> /undo-write a"}},
		{"/usr/bin of", nil, []string{"> /usr/bin of"}},
		{"/pin soi", []string{"esc", "enter"}, []string{"soi"}},
	}
	for _, row := range rows {
		t.Run(row.typed, func(t *testing.T) {
			playOn(t, 80, 24, rigOn(band+tagged, reply("ok")), func(r *stage) {
				r.Pass(time.Second)
				r.Type(row.typed)
				r.Press(row.keys...)
				r.Pass(time.Second)
				r.Want(row.want...)
			})
		})
	}
}

// tagged is older, with a tag and two projects.
const tagged = older + `
-- Band/World tour/World tour.md --
Be brief.
-- Studio/project.md --
Name the tracks.
-- Chats/Tuning.md --
---
epoch: 1772000000000
title: Tuning
tags:
  - copilot-conversation
  - music
---

**user**: Which pitch?
[Timestamp: 2026/02/01 09:00:00]

**ai**: 442.
[Timestamp: 2026/02/01 09:00:05]
`

// notCompleted is why nothing is offered behind a command.
var notCompleted = map[string]string{
	"search": "free text", "query": "free text", "context": "free text", "dump": "free text", "chats": "free text",
	"rename": "free text", "title": "free text", "remember": "free text", "edit": "free text",
	"note": "a name that no note has", "daily": "headings of a note that may not be there yet",
	"requests": "a number", "diff": "numbers", "insert": "a number", "branch": "a number", "variants": "numbers",
	"undo-write": "numbers, which the list says", "tag": "a tag that no chat may have yet",
	"config": "enter opens a page that lists the settings", "vault": "enter opens a page that lists the vaults",
}

// TestEveryArgument: each command with an argument is completed, or it is known why not.
func TestEveryArgument(t *testing.T) {
	for _, c := range desk.Commands() {
		why, completed := notCompleted[c.Name], c.Names != "" || len(c.Choices()) > 0
		switch {
		case c.Args == "" && (completed || why != ""), c.Args != "" && completed == (why != ""):
			t.Errorf("/%s %s: completed: %v, why not: %q", c.Name, c.Args, completed, why)
		}
	}
}
