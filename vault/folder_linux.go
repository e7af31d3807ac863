package vault

import (
	"io"
	"os"
	"strings"
	"syscall"
	"time"
)

// folder is an open folder of the vault, from which many files are read. The system
// is asked directly: package os would prepare each file for things that do not
// happen to files which are read once.
type folder struct{ fd int }

// openTop opens the folder of the vault itself.
func openTop(root *os.Root) (folder, error) {
	f, err := root.Open(".")
	if err != nil {
		return folder{}, err
	}
	defer f.Close()
	return folder{int(f.Fd())}.folder(".")
}

// folder opens a folder below d. A link on the way is an error.
func (d folder) folder(name string) (folder, error) {
	at := d
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." {
			part = "" // an error
		}
		fd, err := openAt(at.fd, part, syscall.O_DIRECTORY)
		if at != d {
			at.close()
		}
		if err != nil {
			return folder{}, err
		}
		at = folder{fd}
	}
	return at, nil
}

func (d folder) close() { _ = syscall.Close(d.fd) } // opened to look, nothing to lose

// openAt opens what is in an open folder, unless it is a link.
func openAt(folder int, name string, flags int) (fd int, err error) {
	err = again(func() error {
		fd, err = syscall.Openat(folder, name, flags|syscall.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
		return err
	})
	return fd, err
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
	fd, err := openAt(d.fd, name, 0)
	if err != nil {
		return nil, err
	}
	f := plainFile{fd: fd}
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
