package theme

import tea "charm.land/bubbletea/v2"

// For returns the options for a message of the terminal about its background or its colours. fixed
// keeps the chosen kind of background.
func (o Options) For(msg tea.Msg, fixed bool) Options {
	switch msg := msg.(type) {
	case tea.BackgroundColorMsg:
		o.Dark = fixed && o.Dark || !fixed && msg.IsDark()
	case tea.ColorProfileMsg:
		switch msg.Profile.String() {
		case "ANSI256":
			o.Profile = ANSI256
		case "ANSI":
			o.Profile = ANSI16
		case "Ascii", "NoTTY":
			o.NoColor = true
		}
	}
	return o
}
