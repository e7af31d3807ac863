package embed_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"ibid/chains"
	"ibid/chains/embed"
	"ibid/chains/wire"
)

// TestTexts: vectors of either form stand in the order of the texts, those that are missing, odd, or perhaps those of
// another text are nil, and what is no list of vectors is an error.
func TestTexts(t *testing.T) {
	for _, row := range []struct {
		reply, want string
		kind        chains.ErrorKind
	}{
		{`{"object":"list","data":[{"index":1,"embedding":[3,4]},{"index":0,"embedding":[1,2]}]}`, "[[1 2] [3 4]]", ""},
		{`{"data":[{"index":1,"embedding":[3,4]}]}`, "[[] [3 4]]", ""},
		{`{"data":[{"embedding":[1,2]},{"embedding":[3,4]}]}`, "[[1 2] [3 4]]", ""},
		{`{"data":[{"index":0,"embedding":[1,2]},{"index":0,"embedding":[3,4]}]}`, "[[1 2] [3 4]]", ""},
		{`{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":[3,null]}]}`, "[[1 2] []]", ""},
		{`{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":[1e99,4]}]}`, "[[1 2] []]", ""},
		{`{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":"AACAPw=="}]}`, "[[1 2] []]", ""},
		{`{"data":[{"index":1,"embedding":[1,2]},{"index":2,"embedding":[3,4]}]}`, "[[] []]", ""},
		{`{"data":[{"index":1,"embedding":[1,2]},{"index":1,"embedding":[3,4]}]}`, "[[] []]", ""},
		{`{"data":[{"index":7,"embedding":[3,4]},{"index":-1,"embedding":[5]},{"index":1,"embedding":[1]}]}`, "[[] []]", ""},
		{`{"model":"oak","embeddings":[[1,2],[3,4]]}`, "[[1 2] [3 4]]", ""},
		{`{"model":"oak","embeddings":[[1,2],null]}`, "[[1 2] []]", ""},
		{`{"embeddings":[[1,2]]}`, "[[] []]", ""},
		{`{"embeddings":[[1,2],[NaN,4]]}`, "[[] []]", chains.ErrBadReply},
		{`{"error":{"message":"This model takes 512 tokens."}}`, "[[] []]", chains.ErrConfig},
		{`{"data":[]}`, "[[] []]", chains.ErrBadReply},
		{`<html>Log in first</html>`, "[[] []]", chains.ErrBadReply},
		{`{"data":[{"index":0,"embed`, "[[] []]", chains.ErrBadReply},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, row.reply)
		}))
		c, err := wire.New(wire.Options{BaseURL: s.URL})
		if err != nil {
			t.Fatal(err)
		}
		got, err := embed.Texts(t.Context(), c, "oak", 2, func(ctx context.Context, out *wire.OutgoingRequest, d wire.Decoder) error {
			return c.Exchange(ctx, s.URL, nil, []byte("{}"), "application/json", out, d)
		})
		if fmt.Sprint(got) != row.want || wire.ErrorOf(err).Kind != row.kind {
			t.Errorf("%s: %v, %v", row.reply, got, err)
		}
		s.Close()
	}
}
