package page

// Setting is a key of the configuration.
type Setting struct {
	Key    string   `json:"key"`
	Value  string   `json:"value"` // current value
	From   string   `json:"from"`  // source of the value: default, config, a flag or a variable
	Help   string   `json:"help"`
	Values []string `json:"-"` // allowed values, nil if they cannot be listed
	Fixed  string   `json:"-"` // reason why it cannot be changed here, "" if it can
	Words  string   `json:"-"` // further search words
	AtOnce bool     `json:"-"` // a change counts before the next start
}
