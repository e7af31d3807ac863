package prompt_test

import (
	"fmt"

	"ibid/context/prompt"
)

// A note is sent in full once; the next turns name it by its path.
func ExampleConversation_Prepare() {
	plan := prompt.NewItem(prompt.Ref{Kind: prompt.Note, ID: "plan.md"}, "plan", "plan.md", "Sow peas in March.")
	var c prompt.Conversation
	for _, question := range []string{"When do I sow?", "And what?"} {
		env, err := c.Prepare(prompt.Turn{
			Text:     question,
			Attached: []prompt.Item{plan},
			Settings: prompt.Settings{L1: "Answer from the notes."},
		})
		if err != nil {
			fmt.Println(err)
			return
		}
		messages := env.Messages()
		fmt.Printf("=== %s\n%s\n", env.Epoch.Cause, messages[len(messages)-1].Content)
		c = env.Commit("In March.", "")
	}
	// Output:
	// === first
	// <note_context>
	// <title>plan</title>
	// <path>plan.md</path>
	// <content>Sow peas in March.</content>
	// </note_context>
	//
	// ---
	//
	// [User query]:
	// When do I sow?
	// === promote
	// Context attached to this message:
	// - plan.md
	//
	// Find them in the Context Library in the system prompt above.
	//
	// ---
	//
	// [User query]:
	// And what?
}

// A turn counts once its reply is committed. Cancelling it, regenerating it or
// editing an earlier message is going on from an earlier value.
func ExampleEnvelope_Commit() {
	var c prompt.Conversation
	first, _ := c.Prepare(prompt.Turn{Text: "Name a tree."})
	asked := first.Commit("An oak.", "")

	better := first.Commit("A willow.", "") // the same request, another reply

	for _, c := range []prompt.Conversation{c, asked, better} {
		env, _ := c.Prepare(prompt.Turn{Text: "Why?"})
		for i, m := range env.Messages() {
			fmt.Printf("%d %s: %s\n", i, m.Role, m.Content)
		}
	}
	// Output:
	// 0 user: Why?
	// 0 user: Name a tree.
	// 1 assistant: An oak.
	// 2 user: Why?
	// 0 user: Name a tree.
	// 1 assistant: A willow.
	// 2 user: Why?
}

// A saved chat keeps texts and references. Reopened, it gives current content.
func ExampleReopen() {
	plan := prompt.NewItem(prompt.Ref{Kind: prompt.Note, ID: "plan.md"}, "plan", "plan.md", "Sow beans in May.")
	c := prompt.Reopen(
		[]prompt.Past{{Role: prompt.User, Text: "When do I sow?"}, {Role: prompt.Assistant, Text: "In March."}},
		[]prompt.RecalledItem{{Item: plan, Since: 1, Used: 1, Times: 1}},
		[]string{"the person wants short answers"},
		nil,
	)
	env, err := c.Prepare(prompt.Turn{Text: "And now?", Settings: prompt.Settings{L1: "Answer from the notes."}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(env.Dump())
	// Output:
	// === SYSTEM PROMPT ===
	//
	// Answer from the notes.
	//
	// ## Context Library
	//
	// <note_context>
	// <title>plan</title>
	// <path>plan.md</path>
	// <content>Sow beans in May.</content>
	// </note_context>
	//
	// RECENT NOTES TO SELF:
	// the person wants short answers
	//
	// === CONVERSATION HISTORY ===
	//
	// --- USER ---
	// When do I sow?
	//
	// --- ASSISTANT ---
	// In March.
	//
	// === CURRENT USER MESSAGE ===
	//
	// And now?
}

func ExampleSplitNote() {
	visible, note, found := prompt.SplitNote("Done, see [[Plan]].\n\n[NOTE TO SELF: next comes [[Beds]]]")
	fmt.Printf("%q\n%q %v\n", visible, note, found)
	// Output:
	// "Done, see [[Plan]]."
	// "next comes [[Beds]]" true
}

// Nothing of a note is shown while a reply streams, however it is cut.
func ExampleNoteFilter() {
	var f prompt.NoteFilter
	for _, chunk := range []string{"Do", "ne [1].\n\n[NO", "TE TO SELF: next", "]"} {
		fmt.Printf("%q ", f.Write(chunk))
	}
	rest, note, _ := f.Close()
	fmt.Printf("%q, note %q\n", rest, note)
	// Output:
	// "Do" "ne [1]." "" "" "", note "next"
}
