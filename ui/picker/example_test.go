package picker_test

import (
	"fmt"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ibid/ui/picker"
	"ibid/ui/theme"
)

// The parent searches; the picker shows what was found and says what was chosen.
func Example() {
	m := picker.New(picker.Options{
		Theme: theme.New(theme.Options{NoColor: true, ASCII: true}),
		Title: `notes matching "les"`, Choose: "attach",
	})
	m.SetSize(56, 5)
	m.SetRows(picker.Rows{Total: 412, Items: []picker.Item{
		{ID: "Piano/Lesson 4.md", Label: "Lesson 4", Glyph: "*", State: "in library", Meta: "0 new"},
		{ID: "Piano/Lesson 5.md", Label: "Lesson 5", Glyph: "+", State: "new", Meta: "+1.1k"},
	}})
	m.Update(tea.KeyPressMsg{Code: tea.KeyDown})
	fmt.Println(ansi.Strip(m.View()))
	if a := m.Update(tea.KeyPressMsg{Code: tea.KeyEnter}); a.Kind == picker.Chosen {
		fmt.Println(a.ID)
	}
	// Output:
	// +- notes matching "les" -------------------- 2 of 412 -+
	// |   Lesson 4                       * in library  0 new |
	// | > Lesson 5                       + new         +1.1k |
	// |                                                      |
	// +- ^v move  enter attach  esc close -------------------+
	// Piano/Lesson 5.md
}
