// Package vault is a folder of markdown notes on disk: it opens, reads,
// parses, watches and writes them, resolves links the way Obsidian does, and
// knows which note an editor has open.
package vault
