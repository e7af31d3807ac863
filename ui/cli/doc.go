// Package cli is the command line of ibid: commands, flags, the configuration
// file, and the wiring of everything else.
//
// It is the only place that reads flags, the environment and the configuration,
// in that order of precedence, and the only one that knows all packages. What a
// command does is done by the same session that the screen uses.
package cli
