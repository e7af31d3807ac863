// Package reading is a chat as a person reads it: replies with their references numbered and
// their sources listed, proposals to write a note as a line each, calls of tools in words.
// What the file and later requests hold stays as it came.
//
// All of it is pure, but for an [ActionReader], which follows a reply that streams.
package reading
