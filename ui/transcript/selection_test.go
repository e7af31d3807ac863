package transcript

import (
	"strings"
	"testing"
)

// TestSelectWithoutBorders: what is selected has no bars of quotes, and tables are
// those of markdown; code stays as it is.
func TestSelectWithoutBorders(t *testing.T) {
	tr := New(Options{})
	tr.SetSize(40, 60)
	tr.Append(Message{Role: You, Text: "│ mine"})
	tr.Append(Message{Role: Assistant, Text: strings.ReplaceAll(`> a quote of more words than go into one line
>
> > and one in it

| day | what |
| --- | --- |
| Mon | scales |

~~~
│   ├── a.md
┌──┐
~~~

> ~~~
> │ drawn
> ~~~

the end`, "~", "`")})
	tr.View()
	s := NewSelection(tr)
	s.Begin(0, 0, 1)
	s.Extend(30, 40)
	want := strings.ReplaceAll(`you
│ mine

assistant
a quote of more words than go into one line

and one in it

| day | what   |
| --- | --- |
| Mon | scales |

│   ├── a.md
┌──┐

│ drawn

the end`, "~", "`")
	is(t, s.Text(), want)
}
