package page

// Setting is a key of the configuration.
type Setting struct {
	Key, Help string
	Value     string   // current value
	From      string   // source of the value: default, config, a flag or a variable
	Values    []string // allowed values, nil if they cannot be listed
	List      []string // current values, for a list of texts in the file
	Fixed     string   // reason why it cannot be changed here, "" if it can
	Words     string   // further search words
	AtOnce    bool     // a change takes effect before the next start
}

// SettingsMsg lists the settings.
type SettingsMsg struct {
	All []Setting
	Err error
}
