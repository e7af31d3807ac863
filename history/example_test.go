package history_test

import (
	"fmt"
	"time"

	"ibid/context/prompt"
	"ibid/history"
)

func ExampleEncode() {
	c := history.Chat{
		Epoch: 1737972000000, Title: "Watering", Accessed: 1737972300000, Model: "local",
		Messages: []history.Message{
			{
				Role: history.User, Text: "How often do I water?", Time: time.Date(2025, 1, 27, 10, 0, 0, 0, time.UTC),
				Context: history.ContextOf([]prompt.Ref{
					{Kind: prompt.Note, ID: "Beds, pots.md"}, {Kind: prompt.Tag, ID: "#garden"},
				}, "", nil),
			},
			{
				Role: history.Assistant, Text: "A line such as\n**user**: is safe.",
				Time: time.Date(2025, 1, 27, 10, 0, 5, 0, time.UTC),
			},
		},
	}
	fmt.Println(string(history.Encode(&c)))
	// Output:
	// ---
	// epoch: 1737972000000
	// modelKey: "local"
	// topic: "Watering"
	// lastAccessedAt: 1737972300000
	// tags:
	//   - copilot-conversation
	// ibid:
	//   v: 1
	//   model: "local"
	// notes:
	//   - "[[Beds, pots]]"
	// ---
	//
	// **user**: How often do I water?
	// [Context: Notes: Beds%2C pots.md | Tags: #garden]
	// [Timestamp: 2025/01/27 10:00:00]
	//
	// **ai**: A line such as
	// \**user**: is safe.
	// [Timestamp: 2025/01/27 10:00:05]
}

func ExampleDecode() {
	c, warnings, err := history.Decode([]byte("---\nepoch: 1737972000000\n---\n\n" +
		"**user**: Summarize\n[Context: Notes: meeting.md]\n[Timestamp: 2025/01/27 10:00:00]\n\n" +
		"**ai**: Short.\n[Timestamp: 2025/01/27 10:00:05]\n\nmy remark\n"))
	fmt.Println(err)
	for i, m := range c.Messages {
		fmt.Println(i+1, m.Role, m.Text, m.Refs())
	}
	for _, w := range warnings {
		fmt.Println(w.Text)
	}
	// Output:
	// <nil>
	// 1 user Summarize [meeting.md]
	// 2 assistant Short. []
	// text below message 2 belongs to no message: kept in the file, not sent
}

func ExampleChat_Library() {
	note := func(id string) history.Context { return history.Context{Notes: []string{id}} }
	c := history.Chat{Messages: []history.Message{
		{Role: history.User, Text: "one", Context: note("a.md")},
		{Role: history.User, Text: "two", Context: note("b.md")},
		{Role: history.User, Text: "three", Context: note("a.md")},
	}}
	for _, k := range c.Library() {
		fmt.Println(k.Ref, "since", k.Since, "last", k.Used)
	}
	// Output:
	// a.md since 1 last 3
	// b.md since 2 last 2
}
