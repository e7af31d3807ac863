package vault

import (
	"io"
	"os"
	"syscall"
	"time"
)

// folder is an open folder of the vault, from which many files are read. The system
// is asked directly: package os would prepare each file for things that do not
// happen to files which are read once.
type folder struct{ *os.File }

func openFolder(root *os.Root, name string) (folder, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_DIRECTORY, 0)
	return folder{f}, err
}

// plainFile is an open file, as it was when it was opened.
type plainFile struct {
	fd    int
	size  int64
	mtime time.Time
	id    fileID
}

// open opens a file of the folder. What is no regular file, such as a link, is an
// error.
func (d folder) open(name string) (*plainFile, error) {
	var f plainFile
	err := again(func() (err error) {
		f.fd, err = syscall.Openat(int(d.Fd()), name, syscall.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
		return err
	})
	if err != nil {
		return nil, err
	}
	var st syscall.Stat_t
	err = again(func() error { return syscall.Fstat(f.fd, &st) })
	if err == nil && st.Mode&syscall.S_IFMT != syscall.S_IFREG {
		err = syscall.EINVAL
	}
	if err != nil {
		f.close()
		return nil, err
	}
	f.size, f.mtime, f.id = st.Size, time.Unix(st.Mtim.Unix()), fileID{dev: uint64(st.Dev), ino: st.Ino}
	return &f, nil
}

// Read is that of an io.Reader.
func (f *plainFile) Read(p []byte) (n int, err error) {
	err = again(func() (err error) {
		n, err = syscall.Read(f.fd, p)
		return err
	})
	if n <= 0 && err == nil && len(p) > 0 {
		err = io.EOF
	}
	return max(n, 0), err
}

func (f *plainFile) close() { _ = syscall.Close(f.fd) } // opened to look, nothing to lose

// again calls the system until no signal interrupts it.
func again(call func() error) error {
	for {
		if err := call(); err != syscall.EINTR {
			return err
		}
	}
}
