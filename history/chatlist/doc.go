// Package chatlist says which chats of a list are wanted, and in which order they stand:
// a [Filter], as a person types one, and a [Tree] of branches. All of it is pure.
package chatlist
