package page

// Setting is one key of the configuration.
type Setting struct {
	Key, Help string
	Value     string   // what counts now
	From      string   // default, config, a flag or a variable
	Values    []string // what it can be, nil if that cannot be listed
	List      []string // what counts now of a list of texts that the file has
	Fixed     string   // why it cannot be set here, "" if it can
	Words     string   // other words that people look for
	AtOnce    bool     // the screen follows it before the next start
}

// SettingsMsg lists the settings.
type SettingsMsg struct {
	All []Setting
	Err error
}
