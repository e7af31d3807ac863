// Package cli is the command line of ibid: commands, flags, the configuration
// file, and the wiring of everything else.
//
// It is the only place that reads flags, the environment and the configuration,
// in that order of precedence, and the only one that knows all packages. One
// function, app.open, opens what a command works with: log, vault, store, notes,
// model, desk, in this order. What a command does is done by the same desk that
// the screen uses.
package cli
