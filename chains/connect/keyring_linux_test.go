package connect

import (
	"net"
	"path/filepath"
	"testing"
	"time"

	"ibid/chains/connect/keystore"
)

// TestHangingKeyring: a keyring that does not answer holds no start, which goes on with
// the model that was named, and nothing keeps the end of the program.
func TestHangingKeyring(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "bus")
	bus, err := net.Listen("unix", socket)
	noError(t, err)
	asked := make(chan net.Conn, 10)
	go func() {
		for c, err := bus.Accept(); err == nil; c, err = bus.Accept() {
			asked <- c // and says nothing
		}
	}()
	t.Cleanup(func() {
		_ = bus.Close()
		for len(asked) > 0 {
			_ = (<-asked).Close()
		}
	})
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+socket)
	all := newTestProviders(t, Config{Provider: "work", Providers: map[string]Settings{"work": {BaseURL: "http://127.0.0.1:1/v1", Model: "m"}}}, nil, Flags{})
	all.Keys = keystore.Store{File: filepath.Join(t.TempDir(), "keys.toml")}
	all.Screen = true
	began := time.Now()
	c, err := all.Choose(t.Context(), true)
	all.Close(t.Context())
	if took := time.Since(began); took > 10*patience { // the keyring is waited for ten times as long
		t.Errorf("it took %v", took)
	}
	if err != nil || c.Options.ModelName != "m" {
		t.Errorf("%q answers, %v", c.Options.ModelName, err)
	}
	if len(asked) == 0 {
		t.Error("no keyring was asked")
	}
}
