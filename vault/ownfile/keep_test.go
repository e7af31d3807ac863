package ownfile_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ibid/vault/ownfile"
)

func TestPack(t *testing.T) {
	for _, data := range [][]byte{nil, []byte("a"), bytes.Repeat([]byte("water "), 5000), {0x1f, 0x8b}} {
		packed := ownfile.Pack(data)
		if back, err := ownfile.Unpack(packed); err != nil || !bytes.Equal(back, data) ||
			len(data) > 100 && len(packed) > len(data)/10 {
			t.Errorf("%d bytes came back as %d, %v", len(data), len(back), err)
		}
		if _, err := ownfile.Unpack(packed[:len(packed)-3]); err == nil {
			t.Error("what was cut off is whole")
		}
	}
	if plain, err := ownfile.Unpack([]byte("{}")); string(plain) != "{}" || err != nil {
		t.Errorf("%q, %v", plain, err)
	}
}

// TestBound: the oldest go, and nothing that belongs to others or is in use.
func TestBound(t *testing.T) {
	dir := t.TempDir()
	for i, name := range []string{"1.x", "2.x", "other", "3.x", "4.x", "5.x"} {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, bytes.Repeat([]byte("a"), 100), 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(time.Duration(i-10) * time.Hour)
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
	mine := func(name string) bool { return strings.HasSuffix(name, ".x") }
	bound := func(most int64) string {
		ownfile.RemoveOldest(dir, most, mine, func(name string) bool { return name != "2.x" })
		names, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for i := range names {
			names[i] = strings.TrimSuffix(filepath.Base(names[i]), ".x")
		}
		slices.Sort(names)
		return fmt.Sprint(names)
	}
	for _, step := range []struct {
		most int64
		want string
	}{{500, "[1 2 3 4 5 other]"}, {499, "[2 3 4 5 other]"}, {250, "[2 5 other]"}, {0, "[2 other]"}} {
		if got := bound(step.most); got != step.want {
			t.Errorf("%d bytes: %s, want %s", step.most, got, step.want)
		}
	}
	if n := ownfile.Size(dir, mine); n != 100 {
		t.Errorf("%d bytes", n)
	}
}
