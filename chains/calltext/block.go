package calltext

import (
	"regexp"
	"strings"
)

// Block is a note that a reply proposes to write, in this form:
//
//	<writeToFile>
//	<path>Folder/Note.md</path>
//	<content>
//	…
//	</content>
//	</writeToFile>
type Block struct {
	Path    string
	Content string
	Err     string // why it proposes nothing: "is not closed", "names no path", "has no content" and others
}

// BlockTool names the tool that makes the proposals of blocks.
const BlockTool = "writeToFile"

// BlockGuide is the text that explains blocks to a model when the person asks for one.
const BlockGuide = `To propose a note, write this block on lines of its own and outside of code fences; the person sees the change and agrees or not:
<writeToFile>
<path>Folder/Note.md</path>
<content>
the whole text of the note
</content>
</writeToFile>
A note that exists is replaced as a whole.`

// blockTags are the tags that open blocks at the beginning of a line, in any case.
var blockTags = []string{"writetofile", "writefile"}

var pathForm = regexp.MustCompile(`(?is)<path>(.*?)</path>`)

// pathIn returns the text of the first pair of path tags, "" if there is none.
func pathIn(text string) string {
	if m := pathForm.FindStringSubmatch(text); m != nil {
		return strings.TrimSpace(m[1])
	}
	return ""
}

func foldPrefix(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}
