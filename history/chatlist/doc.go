// Package chatlist filters and orders lists of chats: with a [Filter], as a person types it, and as a [Tree] of
// branches. It is pure.
package chatlist
