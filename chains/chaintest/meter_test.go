package chaintest

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

func requestOf(t interface{ Fatal(...any) }, messages []string) *wireRequest {
	var list []object
	for i, m := range messages {
		list = append(list, object{"role": []string{"system", "user", "assistant"}[min(i, 1+(i+1)%2)], "content": m})
	}
	var r wireRequest
	if err := json.Unmarshal(encode(object{"model": "oak", "messages": list}), &r); err != nil {
		t.Fatal(err)
	}
	return &r
}

// In a conversation that only grows, everything of the request before is found
// again; in any other, no more than there was.
func TestMeterProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &meter{seen: map[string][]request{}}
		text := rapid.StringN(0, 12, -1)
		messages := []string{text.Draw(t, "system")}
		before := 0
		for range rapid.IntRange(1, 6).Draw(t, "turns") {
			grown := len(messages) > 1
			if grown && rapid.IntRange(0, 3).Draw(t, "edit") == 0 {
				i := rapid.IntRange(0, len(messages)-1).Draw(t, "at")
				messages[i] += "!"
				grown = false
			}
			messages = append(messages, text.Draw(t, "text"), text.Draw(t, "text"))
			r := requestOf(t, messages)
			total, cached := total(r), m.cached(r)
			size := 0
			for _, s := range messages {
				size += count(s)
			}
			if total != size || cached < 0 || cached > total {
				t.Fatalf("%d of %d tokens cached, the texts have %d", cached, total, size)
			}
			if grown && cached < before {
				t.Fatalf("%d tokens cached of a request that holds the %d of the one before", cached, before)
			}
			if again := m.cached(r); again != total {
				t.Fatalf("the same request again: %d of %d", again, total)
			}
			before = total
		}
	})
}

// FuzzRequest sends whatever: the server understands it or says that it does not.
func FuzzRequest(f *testing.F) {
	f.Add(`{"model":"oak","messages":[{"role":"user","content":"Is it warm?"}],"stream":true}`)
	f.Add(`{"messages":[{"content":[{"image_url":{"url":"data:"}}],"tool_calls":[{}]}]}`)
	f.Add(`{"messages":[{"content":7}]}`)
	f.Add(`{"tools":[]}`)
	f.Fuzz(func(t *testing.T, body string) {
		var r wireRequest
		if json.Unmarshal([]byte(body), &r) != nil {
			return
		}
		m := &meter{seen: map[string][]request{}}
		m.cached(&r)
		want := total(&r)
		if want == count(string(r.Tools)) {
			want = 0 // tools without a message are no prefix of anything
		}
		is(t, m.cached(&r), want)
		w := &reply{answer: &Answer{Text: r.echo()}, model: r.Model}
		for _, frame := range w.frames() {
			if len(frame) == 0 {
				t.Error("an empty frame")
			}
		}
	})
}
