package chaintest

import (
	"net"
	"sync"
	"syscall"
	"testing"
	"time"
)

// DropConnections returns an address of this machine where connections are neither accepted nor
// refused. After refuse they are refused; clients that wait find out at their next try, some
// seconds later.
func DropConnections(t testing.TB) (addr string, refuse func()) {
	t.Helper()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	refuse = sync.OnceFunc(func() { _ = syscall.Close(fd) })
	t.Cleanup(refuse)
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Listen(fd, 0); err != nil {
		t.Fatal(err)
	}
	name, err := syscall.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	addr = (&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: name.(*syscall.SockaddrInet4).Port}).String()
	for range 3 { // fill the queue, which nobody empties
		if c, err := net.DialTimeout("tcp", addr, 100*time.Millisecond); err == nil {
			t.Cleanup(func() { _ = c.Close() })
		}
	}
	return addr, refuse
}
