package inspector

// Keys lists all keys of the page and their effects, a line each after the name of the page.
const Keys = `context
enter: the exact text on the whole page, and back
up k: row up; in the text scroll up
down j: row down; in the text scroll down
pgup: page up
pgdown: page down
home g: first row
end G: last row
[: layer before
]: next layer
left: the request of the turn before
right: the request of the turn after it
J: scroll the text beside the rows down
K: scroll the text beside the rows up
/: filter the rows
a: attach the item to the next turn
m: mute the item, or refer to it again
e: forget the item, with what that costs
r: refresh the library, with what that costs
y: copy the exact text
esc f2: leave the filter, then the page`
