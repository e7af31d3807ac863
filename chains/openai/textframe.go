package openai

import (
	"bytes"
	"encoding/json"
)

// textFrame is what stands around the text in a frame that holds nothing but a piece
// of it. Most frames of a reply are alike in that, and need not be decoded: where the
// same bytes stand around another JSON string, that is the next piece.
type textFrame struct{ before, after []byte }

const contentKey = `"content":`

// newTextFrame is what stands around content, a JSON string, in raw. It is the zero
// value, which is like no frame, if content is not the only one there.
func newTextFrame(raw, content []byte) (f textFrame) {
	at := bytes.Index(raw, []byte(contentKey)) + len(contentKey)
	if len(content) > 0 && content[0] == '"' && bytes.Count(bytes.ToLower(raw), []byte(`"content"`)) == 1 && bytes.HasPrefix(raw[at:], content) {
		f.before, f.after = bytes.Clone(raw[:at]), bytes.Clone(raw[at+len(content):])
	}
	return f
}

// text is the piece in a frame that is like f, and whether raw is one.
func (f *textFrame) text(raw []byte) (piece string, ok bool) {
	if len(f.before) == 0 || len(raw) < len(f.before)+len(f.after) || !bytes.HasPrefix(raw, f.before) || !bytes.HasSuffix(raw, f.after) {
		return "", false
	}
	quoted := raw[len(f.before) : len(raw)-len(f.after)]
	if len(quoted) < 2 || quoted[0] != '"' {
		return "", false
	}
	if in := quoted[1 : len(quoted)-1]; quoted[len(quoted)-1] == '"' && isPlain(in) && bytes.IndexByte(in, '\\') < 0 && bytes.IndexByte(in, '"') < 0 {
		return string(in), true
	}
	return piece, json.Unmarshal(quoted, &piece) == nil
}
