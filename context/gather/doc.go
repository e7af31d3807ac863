// Package gather turns references into content: what a person names in a
// message, pins or attaches becomes the items that the engine puts into a
// prompt. It is where notes are read, folders and tags expanded, pages fetched
// and limits applied, and the one place that decides that something stays on
// this machine: private and excluded notes never become items.
//
// A [Gatherer] may be used from several goroutines at once.
package gather
