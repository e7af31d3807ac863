package connect

import (
	"reflect"
	"strings"
	"testing"

	"ibid/chains/wire"
)

// TestProtocols: each row can be chosen in the configuration, opens a server, and is made
// for a provider of the table of hosts.
func TestProtocols(t *testing.T) {
	field, _ := reflect.TypeFor[Settings]().FieldByName("Kind")
	kinds := strings.Split(field.Tag.Get("values"), "|")
	rows := protocols()
	if len(rows) != len(kinds) {
		t.Errorf("%d rows, and the configuration has %q", len(rows), kinds)
	}
	all := newTestProviders(t, Config{}, nil, Flags{})
	for i, row := range rows {
		if row.kind != kinds[i] || row.words == "" {
			t.Errorf("%+v is called %q in the configuration", row, kinds[i])
		}
		if _, ok := wire.FindProvider(row.kind); !ok {
			t.Errorf("no provider is called %q", row.kind)
		}
		e := row.endpoint("https://models.example/v1")
		if s, err := all.server(&e); err != nil || s.Name() != row.kind {
			t.Errorf("%s: %v", row.kind, err)
		}
	}
}
