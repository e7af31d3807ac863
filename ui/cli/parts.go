package cli

import (
	"context"
	"io"
	"log/slog"

	"ibid/chains/connect"
	"ibid/chains/desk"
	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/history"
	"ibid/vault"
	"ibid/vault/undo"
	"ibid/vault/usage"
)

// parts is the program and what a command works with, opened in this order.
type parts struct {
	*app
	config  *Config
	dir     string // of the vault
	chat    string // a chat to open, "" for a new one
	log     *slog.Logger
	vault   *vault.Vault
	gather  *gather.Gatherer
	texts   map[prompt.Ref]string // that go along, and that no file of the vault holds
	store   *history.Store        // nil if nothing is kept
	chats   vault.Path            // folder of the saved chats, whether or not this one is kept
	journal *undo.Journal
	memory  *desk.Memory
	usage   *usage.File // nil if nothing is suggested
	needs   needs
	first   bool // the vault was just chosen, and nothing was configured before
	model   connect.Choice
	servers *connect.Providers
	desk    *desk.Place
	notices []string // what to say about the settings
	open    []io.Closer
}

// needs says how much a command works with. 0 is the vault, of which nothing was
// read, its chats, and a desk without a model.
type needs int

const (
	readNotes   needs = 1 << iota // the notes are read before anything else
	chooseModel                   // a model is chosen, and the chat that was named is opened
	askServers                    // servers may be asked which models they have
	oneTurn                       // the conversation ends with its next turn, but for a chat that is saved
	onScreen                      // a user looks at it, so that chats may get titles
	lookOnly                      // no search index is made
	fromInput                     // messages come on standard input
	savedChats                    // chats are kept
	noVault                       // no vault is opened: the command works with the configuration and the providers
	noConfig                      // nothing is opened
)

// work runs a command with its parts and its arguments.
type work func(ctx context.Context, p *parts, words []string) error
