//go:build unix

package ownfile_test

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"ibid/vault/ownfile"
)

// TestReadOthers: what is no regular file is an error, and is not waited for.
func TestReadOthers(t *testing.T) {
	dir, err := os.MkdirTemp("", "") // short, as the address of a socket must be
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	pipe, socket, link, plain := filepath.Join(dir, "pipe"), filepath.Join(dir, "socket"), filepath.Join(dir, "link"),
		filepath.Join(dir, "plain")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	if err := os.Symlink(pipe, link); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{dir, pipe, link, socket, os.DevNull} {
		if data, err := ownfile.Read(name); data != nil || err == nil || err.Error() != name+" is no regular file" {
			t.Errorf("%q, %v", data, err)
		}
	}
	if err := ownfile.Replace(plain, []byte("text"), 0o640); err != nil {
		t.Fatal(err)
	}
	if data, err := ownfile.Read(plain); string(data) != "text" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
	if info, err := os.Stat(plain); err != nil || info.Mode() != 0o640 {
		t.Error(info, err)
	}
}
