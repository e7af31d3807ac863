package ui

import (
	"slices"
	"strings"
	"testing"

	"ibid/ui/chatview"
	"ibid/ui/page"
	"ibid/ui/theme"
)

// newKnown returns the state of a screen before anything was read.
func newKnown() *screenState {
	c := &chatview.Chat{}
	setup := &chatview.Setup{Env: page.NewEnv(theme.Options{}), Current: c, Host: deaf{}}
	return &screenState{Catalog: newCatalog(&Options{}, setup), openChats: &openChats{Chat: c}}
}

// listOf returns the source of a list that was opened without an argument.
func listOf(k *screenState, id page.ID) page.Source {
	r := k.OpenList(page.Open{ID: id})
	if steps, ok := r.(page.Steps); ok {
		r = steps[0]
	}
	return r.(page.Show).Page.(*page.List).Source
}

// TestPaletteFinds: words from other programs find the action among the first three rows.
func TestPaletteFinds(t *testing.T) {
	const words = `
theme → key:theme
colors → key:theme
colours → key:theme
appearance → key:theme
skin → key:theme
dark mode → key:dark
light → key:dark
regenerate → key:retry
retry → key:retry
resend → key:retry
rerun → key:retry
again → key:retry
stop → key:stop
cancel → key:stop
interrupt → key:stop
abort → key:stop
history → key:chats key:history
sessions → key:chats
conversations → key:chats
threads → key:chats
resume → key:chats
switch session → key:chats
recent → key:chats
trash → key:chats
archive → key:chats
clear → key:new
reset → key:new
new session → key:new
new chat → key:new
fresh → key:new
model → key:model
switch model → key:model
llm → key:model
gpt → key:model
provider → key:providers
api key → key:providers
key → key:providers
login → key:providers
settings → key:settings key:providers
config → key:settings
preferences → key:settings
connect → key:providers
auth → key:providers
endpoint → key:providers
ollama → key:providers
cost → run:stats
price → run:stats
usage → key:context run:stats
spend → run:stats
tokens → key:context run:stats
money → run:stats
budget → run:stats run:effort
undo → key:undo
revert → key:undo run:undo-write
rollback → key:undo
redo → key:redo
rewind → key:rewind
checkpoint → key:rewind
timeline → key:rewind
quit → key:quit
exit → key:quit
leave → key:quit
close → key:quit
copy → key:copy
yank → key:copy
clipboard → key:copy
copy code → key:copy-code
snippet → key:copy-code key:saved-prompts
folder → run:add run:project
attach → run:add
file → run:add
add file → run:add
image → run:add
url → run:add key:providers
upload → run:add
branch → run:branch
fork → run:branch
duplicate → run:branch
compact → key:context
summarize → key:context
context → key:context
inspect → key:context
window → key:context
help → key:help
shortcuts → key:help
hotkeys → key:help
keybindings → key:help
manual → key:help
find → key:find
search → key:find key:notes
search vault → key:notes
quick switcher → key:notes
open note → key:notes
grep → key:notes
templates → key:saved-prompts
prompts → key:saved-prompts
custom commands → key:saved-prompts
sidebar → key:rails
toggle sidebar → key:rails
panels → key:rails
editor → key:compose
external editor → key:compose
vim → key:compose
multiline → key:compose
thinking → key:thinking run:effort
reasoning → key:thinking run:effort
effort → run:effort
mouse → key:mouse
select text → key:mouse
agent → key:chain run:chain
mode → key:chain
plan → key:chain run:chain
permissions → run:policy
approve → run:policy
yolo → run:policy
readonly → run:policy
mcp → run:tools
tools → run:tools
plugins → run:tools
web → run:tools
memory → run:memory
init → run:memory run:project
remember → run:remember
project → run:project
instructions → run:project
rename → run:rename
title → run:title run:rename
label → run:tag
pin → run:pin
bookmark → run:pin
daily → run:daily
journal → run:daily
diary → run:daily
save note → run:note key:write
create note → run:note key:write
write → key:write
append → key:append run:append
insert → run:insert key:append
edit message → key:edit run:edit
correct → key:edit run:edit
drop → run:drop
remove file → run:drop
evict → run:forget
refresh → run:refresh
reload → run:refresh run:memory
diff → run:diff
compare → run:diff
log → run:requests
raw → run:dump
debug → run:requests key:context run:dump
dataview → run:query
table → run:query
tasks → run:query
variants → run:variants key:reply-before
alternatives → run:variants
delete → run:delete
delete chat → run:delete
export → run:export
share → run:export
download → run:export
open file → run:open
previous reply → key:reply-before
sources → key:links
citations → key:links
references → key:links
crash → run:recover
sync → run:refresh run:merge
suspend → key:suspend
background → key:suspend
shell → key:suspend
scroll bottom → key:end
top → key:beginning
/new → key:new
keyboard → key:help
tutorial → key:help
setup → key:settings key:providers
old chats → key:chats
favorite → run:pin
pdf → run:export
web search → run:tools
open in obsidian → key:notes
sign in → key:providers
`
	p := listOf(newKnown(), page.Palette)
	for line := range strings.SplitSeq(strings.TrimSpace(words), "\n") {
		word, ids, _ := strings.Cut(line, " → ")
		var first []string
		for _, it := range p.Rows(word).Items {
			first = append(first, it.ID)
		}
		first = first[:min(len(first), 3)]
		for id := range strings.FieldsSeq(ids) {
			if !slices.Contains(first, id) {
				t.Errorf("%q finds %v, not %s", word, first, id)
			}
		}
	}
}
