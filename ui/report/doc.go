// Package report takes a request apart for the inspector, the ribbon and the rail: its
// layers, its library, what was not sent and what was dropped. All of it are functions of
// values.
package report
