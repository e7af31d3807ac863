// Command ibid is a terminal chat client over a markdown vault: [ibid/ui/cli] has its commands, and this package
// what belongs to a process, its signals, memory and exit status. What the program is made of, from below:
//
//	vault     notes on disk            context   what a request is made of, and the request
//	history   chats, which are notes   chains    a turn, the models, the tools, the desk
//	ui        the screen, line mode, the commands
//
// # Where things go
//
// A key goes from bubbletea to ui.Model.Update, which asks the table of ui/keys what it means where the focus is:
// a page of ui/page takes it and answers with a page.Request, or the prompt (ui/composer) takes it. When the text
// has changed, ui/chatview asks chains/desk, a moment later, what the next turn would send.
//
// A delta of a reply comes from a protocol (chains/openai and its neighbours) as a chains.Delta, passes the filters
// of chains.Turn, is journalled by history, and reaches ui/chatview as a chains.Event, by a channel of the chat.
// ui/transcript draws it.
//
// A call of a tool is read by the same protocol, or by chains/calltext from the text. chains.Turn looks at its
// arguments and limits, asks where a person decides (chains.Asked, which ui/review shows), and has chains/tool
// carry it out. A change of a note is a chains.Proposal until then; vault/undo writes it.
//
// A save goes from chains.Session to history.Store, which merges with what others wrote meanwhile and has vault
// replace the file as a whole.
//
// # Words
//
// Each has one meaning in names, comments and on the screen.
//
//	active note     the note that an editor has open
//	attach          have a reference go along with the next turns
//	block           a part of markdown: a paragraph, a fence, a table
//	chain           a way to answer: chat, vault, plus, project, agent
//	chat            a conversation that is, or will be, a file
//	chip            an attachment as it is drawn above the prompt
//	commit          make a turn part of the conversation, when its reply is complete
//	context line    the line of a message in a file that names what went with it
//	conversation    the state of the engine: turns and library, a value
//	delta           a piece of a reply, as it comes
//	desk            one person at one vault: the open chats, what is attached, the commands
//	discard         give up something that was never saved
//	draft           text in a prompt that was not sent
//	epoch           a run of turns with the same beginning; a new one writes the library anew
//	item            what a reference led to: a title, a text, a revision
//	journal         the file beside a chat that takes a reply while it streams
//	layer           one of the five parts of a request, L1 to L5
//	layout          the rule of when a note moves from its turn into the library
//	library         L2: every item that was ever attached, first come first
//	mark            a place in a request at which a provider is told to cache
//	moment          a chat and its conversation after a turn, to which a session can go back
//	page            what lies over the chat and takes the keys
//	pin             a note that goes with every turn of a chat
//	place           where somebody works at the desk: at one chat, which nobody else works in meanwhile
//	prediction      how many tokens the cache of the provider will have
//	proposal        a change of a note that waits for a yes
//	reference       what names something attachable: a note, a part, a folder, a tag, an address
//	request         what goes to a model at once; of a page: what it asks the screen for
//	reload          read a file anew that has changed
//	retry           answer the same question again; the earlier reply is a variant
//	round           one request within a turn, and the calls that answer it
//	save            write a chat to its file
//	section         the text below a heading, to the next one of its level
//	session         one chat at work: its file, its conversation, its chain
//	source          a passage that a reply cites
//	span            a stretch of a text, from and to
//	summary         what stands in place of the oldest turns
//	turn            a question, all that is done to answer it, and the answer
//	variant         one of several replies to a question
//	vault           a folder of notes
//	window          how many tokens a model takes
package main
