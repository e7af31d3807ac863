// Package config reads, checks, explains and changes a configuration file in TOML.
//
// The fields of a struct are the table of settings. The tag toml of a field is the name of
// a setting, and more tags tell of it:
//
//   - help: what it means
//   - values: what it can be, between bars
//   - default: what counts without it; "true" is put into the field of a bool
//   - flag, env: what wins over the file; unless: the variable that makes it false
//   - words: what else people look for it by; now: the screen follows it before the next start
//   - private: its value is neither shown nor set
//   - alone: a text may stand for a list of it; empty: how an empty list is shown
//   - unused: it means nothing any more
//
// What a file says, which of it is wrong and on which line, and what a person may set, come
// from that table alone.
//
// A change of a file replaces the bytes of one value, or adds or removes one statement; all
// else stays as it is. Before it is written, what the file says is compared with what it
// said: a change by which anything else would change is refused.
package config
