package composer_test

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/composer"
	"ibid/ui/theme"
)

// The parent feeds keys in, opens a popup when there is a trigger, and hands
// the choice back.
func ExampleModel_Accept() {
	m := composer.New(theme.Theme{})
	m.Insert("compare it with ")
	for _, r := range "@les" {
		m.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	kind, query, ok := m.Trigger()
	fmt.Println(kind == composer.At, query, ok)

	m.Accept("[[Lesson 4]]", "")
	m.Update(tea.KeyPressMsg{Code: '.', Text: "."}) // takes the place of the blank
	fmt.Println(m.Value())

	m.Update(tea.KeyPressMsg{Code: tea.KeyBackspace})
	m.Update(tea.KeyPressMsg{Code: tea.KeyBackspace})
	fmt.Printf("%q\n", m.Value())
	// Output:
	// true les true
	// compare it with [[Lesson 4]].
	// "compare it with "
}

// What was pasted is sent as it is, but holds no references.
func ExampleModel_Take() {
	m := composer.New(theme.Theme{})
	m.Insert("Why does this fail? ")
	m.Update(tea.PasteMsg{Content: "xs[[0]] @main"})
	if a := m.Update(tea.KeyPressMsg{Code: tea.KeyEnter}); a.Kind == composer.Submit {
		d := m.Take()
		fmt.Println(d.Text)
		fmt.Println(d.Text[d.Spans[0].From:d.Spans[0].To])
	}
	fmt.Println(m.Empty())
	// Output:
	// Why does this fail? xs[[0]] @main
	// xs[[0]] @main
	// true
}
