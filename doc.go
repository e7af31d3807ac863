// Command ibid is a terminal chat client over a markdown vault. This package handles signals, memory and the exit
// status of the process; [ibid/ui/cli] has the commands. The parts of the program, from below:
//
//	vault     notes on disk            context   the content of requests
//	history   chats, saved as notes    chains    turns, models, tools, the desk
//	ui        the screen, line mode, the commands
//
// # Paths through the program
//
// A key goes from bubbletea to ui.Model.Update, which looks up its action in the table of ui/keys for the present
// focus: a page of ui/page handles it and returns a page.Request, or the prompt (ui/composer) handles it. Shortly
// after the text has changed, ui/chatview asks chains/desk for a forecast of the next request.
//
// A protocol (chains/openai and its neighbours) parses a delta of a reply as a chains.Delta. It passes the filters
// of chains.Turn, history writes it to the journal, and it reaches ui/chatview as a chains.Event through the channel
// of the chat. ui/transcript draws it.
//
// The same protocol parses calls of tools, or chains/calltext finds them in the text. chains.Turn checks their
// arguments and limits, asks the person where necessary (chains.Asked, which ui/review shows), and chains/tool
// carries them out. A change of a note is a chains.Proposal until it is approved; vault/undo writes it.
//
// chains.Session saves a chat with history.Store, which merges changes by other programs; vault replaces the file
// as a whole.
//
// # Words
//
// Each word has one meaning in names, comments and on the screen.
//
//	active note     the note that an editor has open
//	attach          send a reference with the next turns
//	block           a part of markdown: a paragraph, a fence, a table
//	chain           a way to answer: chat, vault, plus, project, agent
//	chat            a conversation that is, or will be, a file
//	chip            an attachment as it is drawn above the prompt
//	commit          make a turn part of the conversation, when its reply is complete
//	context line    the line of a message in a file that lists its attachments
//	conversation    the state of the engine: turns and library, a value
//	delta           a piece of a reply, as it comes
//	desk            the work of one person in one vault: open chats, attachments, commands
//	discard         drop something that was never saved
//	draft           text in a prompt that was not sent
//	epoch           a run of turns with the same beginning; a new epoch writes the library anew
//	item            the content of a reference: a title, a text, a revision
//	journal         the file that stores a reply while it streams
//	layer           one of the five parts of a request, L1 to L5
//	layout          the rule that decides when a note moves from its turn into the library
//	library         L2: every item that was ever attached, first come first
//	mark            a place in a request up to which a provider should cache
//	moment          a chat and its conversation after a turn, to which a session can go back
//	page            a view over the chat that handles the keys
//	pin             a note that is sent with every turn of a chat
//	place           exclusive use of one chat of the desk
//	prediction      how many tokens the cache of the provider will have
//	proposal        a change of a note that waits for approval
//	reference       a name of something attachable: a note, a part, a folder, a tag, an address
//	request         the data sent to a model in one call; of a page: a message to the screen
//	reload          read a file anew that has changed
//	retry           answer the same question again; the earlier reply is a variant
//	round           one request within a turn, with the tool calls in its reply
//	save            write a chat to its file
//	section         the text below a heading, to the next one of its level
//	session         one chat at work: its file, its conversation, its chain
//	source          a passage that a reply cites
//	span            a stretch of a text, from and to
//	summary         the text that replaces the oldest turns
//	turn            a question, the work to answer it, and the answer
//	variant         one of several replies to a question
//	vault           a folder of notes
//	window          the number of tokens that a model accepts
package main
