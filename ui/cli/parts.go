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

// parts holds the values that commands use. Fields that are not among the needs of a command are nil.
type parts struct {
	*app
	config  *Config
	dir     string // of the vault
	chat    string // name or file of a chat to open, "" for a new one
	log     *slog.Logger
	vault   *vault.Vault
	gather  *gather.Gatherer
	texts   map[prompt.Ref]string // contents of attachments from outside of the vault
	store   *history.Store        // nil with --no-save
	chats   vault.Path            // folder of the saved chats, also with --no-save
	journal *undo.Journal
	memory  *desk.Memory
	usage   *usage.File
	needs   needs
	first   bool // the vault was chosen just now, at the first start
	model   connect.Choice
	servers *connect.Providers
	desk    *desk.Place
	notices []string // about the settings and the vault, for people
	open    []io.Closer
}

// needs selects the parts of a command, since each costs time. 0 means the vault, unread, its chats, and a desk without
// a model.
type needs int

const (
	readNotes   needs = 1 << iota // reads the notes first
	chooseModel                   // chooses a model, and opens the named chat
	askServers                    // may ask servers for their models
	oneTurn                       // ends after one turn
	onScreen                      // for the screen, on which chats get titles
	lookOnly                      // makes no search index
	fromInput                     // reads messages from standard input
	savedChats                    // needs the store, so that --no-save is an error
	noVault                       // opens only the configuration and the providers
	noConfig                      // opens nothing
)

// work is a command without flags.
type work func(ctx context.Context, p *parts, words []string) error
