package picker_test

import (
	"fmt"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ibid/ui/picker"
	"ibid/ui/theme"
)

// The parent searches; the picker shows what was found and says what was chosen.
func Example() {
	m := picker.New(picker.Options{
		Theme: theme.New(theme.Options{NoColor: true, ASCII: true}),
		Title: `notes matching "les"`, Popup: true,
	})
	m.SetSize(56, 5)
	keys := []key.Binding{
		key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "attach")),
		key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "close")),
	}
	m.SetRows(picker.Rows{Total: 412, Keys: keys, Items: []picker.Item{
		{ID: "Piano/Lesson 4.md", Label: "Lesson 4", Glyph: "*", State: "in library", Meta: "0 new"},
		{ID: "Piano/Lesson 5.md", Label: "Lesson 5", Glyph: "+", State: "new", Meta: "+1.1k"},
	}})
	m.Update(tea.KeyPressMsg{Code: tea.KeyDown})
	fmt.Println(ansi.Strip(m.View()))
	if a := m.Update(tea.KeyPressMsg{Code: tea.KeyEnter}); a.Key == "enter" {
		fmt.Println(a.ID)
	}
	// Output:
	// +- notes matching "les" -------------------- 2 of 412 -+
	// |   Lesson 4                       * in library  0 new |
	// | > Lesson 5                       + new         +1.1k |
	// |                                                      |
	// +------------------------------------------------------+
	// Piano/Lesson 5.md
}
