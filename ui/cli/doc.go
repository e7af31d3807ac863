// Package cli is the command line of ibid: commands, flags, the configuration
// file, and the wiring of everything else.
//
// It is the only place that reads flags, the environment and the configuration,
// in that order of precedence, and the only one that knows all packages. One
// function, parts.openAll, opens what a command works with: log, vault, store, notes,
// model, desk, in this order. What a command does is done by the same desk that
// the screen uses.
//
// The files use each other in one direction: app.go (flags and folders), config.go,
// parts.go, what opens a part each, open.go, then the commands, commands.go with the
// table of them, and root.go.
package cli
