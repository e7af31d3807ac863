package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// edit sets one key of one object inside a JSON document and leaves every
// other byte as it is: what was hashed is what is sent.
type edit struct {
	path  []any // keys (string) and indices (int) that lead to the object
	key   string
	value json.RawMessage
}

// applyEdits makes the edits one after the other.
func applyEdits(doc []byte, edits []edit) ([]byte, error) {
	for _, e := range edits {
		var err error
		if doc, err = e.apply(doc); err != nil {
			return nil, err
		}
	}
	return doc, nil
}

func (e edit) apply(doc []byte) ([]byte, error) {
	start, end := 0, len(doc)
	for _, step := range e.path {
		s, n, err := member(doc[start:end], step)
		if err != nil {
			return nil, err
		}
		if n == 0 {
			return nil, fmt.Errorf("edit request at %v: nothing there", e.path)
		}
		start, end = start+s, start+s+n
	}
	object := bytes.TrimSpace(doc[start:end])
	if len(object) < 2 || object[0] != '{' || object[len(object)-1] != '}' {
		return nil, fmt.Errorf("edit request at %v: not an object", e.path)
	}
	at, n, err := member(doc[start:end], e.key)
	if err != nil {
		return nil, err
	}
	insert := e.value
	if at += start; n == 0 { // the key is new: it goes in front of the closing brace
		at = bytes.LastIndexByte(doc[:end], '}')
		name, _ := json.Marshal(e.key)
		insert = append(append(name, ':'), e.value...)
		if len(bytes.TrimSpace(object[1:len(object)-1])) > 0 {
			insert = append([]byte{','}, insert...)
		}
	}
	out := make([]byte, 0, len(doc)+len(insert))
	out = append(append(out, doc[:at]...), insert...)
	return append(out, doc[at+n:]...), nil
}

// member finds the value under step in the object or array doc: its offset and
// its length, which is 0 if there is no such member.
func member(doc []byte, step any) (at, n int, err error) {
	dec := json.NewDecoder(bytes.NewReader(doc))
	if _, err := dec.Token(); err != nil {
		return 0, 0, fmt.Errorf("edit request: %w", err)
	}
	for i := 0; dec.More(); i++ {
		found := step == any(i)
		if key, ok := step.(string); ok {
			name, err := dec.Token()
			if err != nil {
				return 0, 0, fmt.Errorf("edit request: %w", err)
			}
			found = name == json.Token(key)
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return 0, 0, fmt.Errorf("edit request: %w", err)
		}
		if found {
			return int(dec.InputOffset()) - len(value), len(value), nil
		}
	}
	return 0, 0, nil
}
