package theme

import tea "charm.land/bubbletea/v2"

// For is the look that goes with what the terminal says of its background, or
// of what it can show. fixed keeps the kind of background that was chosen.
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
