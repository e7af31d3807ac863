package review

import "ibid/ui/keys"

// keysOfPages lists the keys of the pages: a line with the name of the page, then its keys, which
// always mean the same there. enter and esc answer or close, as the last row of each page says.
const keysOfPages = `question of a tool
y: yes, in this chat
n: no, and why
esc: no
change
y: apply what is kept
n: reject, and why
space: keep or drop the hunk
] tab right: next hunk
[ shift+tab left: hunk before
e: edit it in $EDITOR first
a: apply, and all changes of this note in this chat
t: side by side or one column
f: full screen
v: before, after, now, of a change that is taken back
?: why this edit, and its links
j down: scroll a row down
k up: scroll a row up
J pgdown d: half a page down
K pgup u: half a page up
g home: beginning
G end: end
esc: reject, or back
changes of several notes
A: make all that are chosen at once, as they are shown
y enter: go through those that are chosen
n: reject all, and why
space: choose or leave out
j down: row down
k up: row up
g home: first row
G end: last row
esc: reject all`

// Keys lists the keys of the pages.
func Keys() []keys.Key { return keys.ParseKeys(keysOfPages) }
