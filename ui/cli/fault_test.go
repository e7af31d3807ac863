package cli

import (
	"log/slog"
	"os"
	"strings"
	"testing"
)

// TestKeepFault: the newest panic stands first, the file stays small, and a folder that cannot be written is said.
func TestKeepFault(t *testing.T) {
	p := &parts{app: &app{}, log: slog.New(slog.DiscardHandler)}
	p.folder.state = t.TempDir()
	for _, value := range []string{"first", "second"} {
		if said := p.keepFault("closed this page", value, []byte("stack of "+value)); !strings.Contains(said, "fault.txt") {
			t.Error(said)
		}
	}
	text, err := os.ReadFile(p.faultPath())
	first, second := strings.Index(string(text), "stack of first"), strings.Index(string(text), "stack of second")
	if err != nil || second < 0 || first < second || !strings.Contains(string(text), "A panic closed this page: second") {
		t.Errorf("%v\n%s", err, text)
	}
	p.keepFault("closed this page", "large", []byte(strings.Repeat("x", 2*maxFaultBytes)))
	if info, err := os.Stat(p.faultPath()); err != nil || info.Size() > maxFaultBytes {
		t.Error(info.Size(), err)
	}
	p.folder.state = p.faultPath() // a file in place of the folder
	if said := p.keepFault("closed this page", "x", nil); !strings.Contains(said, "could not be kept") {
		t.Error(said)
	}
}
