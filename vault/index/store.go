package index

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"ibid/vault"
	"ibid/vault/ownfile"
)

// schemaVersion goes up whenever the tables or the tokens in them change. A
// file with another version is made anew.
const schemaVersion = 14

// The text of notes is not stored, only the places of its words: the file is small, and
// snippets come from the notes themselves. A row of text is a piece of a note; its number is the
// id of the note and the number of the piece (see pieceBits). A row of title has the number of
// the first piece of its note. Package vectors fills the last tables and the column vectors of
// notes; what they hold of a note is removed with it.
const schema = `
CREATE TABLE IF NOT EXISTS vault (name TEXT NOT NULL, complete INTEGER NOT NULL, gone INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS note (
	id    INTEGER PRIMARY KEY,
	path  TEXT NOT NULL UNIQUE,
	mtime INTEGER NOT NULL,
	size  INTEGER NOT NULL,
	pieces INTEGER NOT NULL,
	vectors INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS word (folded TEXT NOT NULL, stem TEXT NOT NULL, PRIMARY KEY (folded, stem)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS word_stem ON word(stem);
CREATE VIRTUAL TABLE IF NOT EXISTS text USING fts5(tags, body, content='', contentless_delete=1, tokenize='ascii', prefix='2 3');
CREATE VIRTUAL TABLE IF NOT EXISTS title USING fts5(names, content='', contentless_delete=1, detail=none, tokenize='ascii');
CREATE VIRTUAL TABLE IF NOT EXISTS vocabulary USING fts5vocab(text, row);
CREATE TABLE IF NOT EXISTS document (path TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS model (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, whole INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS meaning (id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL, model INTEGER NOT NULL, hashes BLOB, bits BLOB, refused INTEGER NOT NULL DEFAULT 0, UNIQUE (path, model));
CREATE TABLE IF NOT EXISTS vector (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TRIGGER IF NOT EXISTS model_gone AFTER DELETE ON model BEGIN DELETE FROM meaning WHERE model = old.id; END;
CREATE TRIGGER IF NOT EXISTS meaning_gone AFTER DELETE ON meaning BEGIN DELETE FROM vector WHERE id BETWEEN old.id << 12 AND old.id << 12 | 4095; END;
`

// Vectors cost time or money. Those of the version before are kept, and go with texts that are the same.
const (
	vectorsVersion = 13
	keepVectors    = `
DROP TABLE text; DROP TABLE title; DROP TABLE note; DROP TABLE word; DROP TABLE vault;
ALTER TABLE meaning ADD COLUMN refused INTEGER NOT NULL DEFAULT 0;
`
)

// Options say where an index lives.
type Options struct {
	Dir   string // folder for index files, made if missing: the user's cache, never the vault
	Vault string // identity of the vault, e.g. its absolute path; it names the file
	Look  bool   // only for Status: the file is neither made nor removed nor changed
}

// Index is the full-text index of one vault, a file in the user's cache. All
// methods are safe for concurrent use, also by several processes on one file.
// The file is derived: it may be deleted at any time. One that turns out to be
// damaged is made anew; then the index is not Ready until the next Sync.
type Index struct {
	file, vault string
	look        bool

	mu    sync.RWMutex // held to use db, and alone to replace it
	db    *sql.DB
	info  os.FileInfo // of the opened file
	write sync.Mutex  // one batch of notes at a time: waiting here is fairer than in SQLite

	ready  atomic.Bool
	counts sync.Map // cached statistics: of all notes, and of terms with many rows, until the next Sync

	planned, stored atomic.Int64                  // numbers of notes, for Progress
	synced          atomic.Pointer[[]*vault.Note] // the notes after the last Sync, nil after a change
	purged          atomic.Int64                  // when Purge ended last, in Unix seconds
}

// Open opens the index of a vault, makes it if there is none, and makes it anew
// if it is damaged or of an older version. It reads no notes: call Sync. An error
// means that the folder cannot be used, ErrNewer, ErrBusy, or with Look ErrUnsound; a
// Searcher without an Index still answers.
func Open(ctx context.Context, opts Options) (*Index, error) {
	dir, err := filepath.Abs(opts.Dir) // SQLite would look for a relative one in the root
	if err == nil && !opts.Look {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return nil, fmt.Errorf("open search index: %w", err)
	}
	x := &Index{file: opts.file(dir), vault: opts.Vault, look: opts.Look}
	if err := x.open(ctx, false); err != nil {
		return nil, fmt.Errorf("open search index %s: %w", x.file, err)
	}
	return x, nil
}

// file returns the path of the index in a folder.
func (o Options) file(dir string) string {
	sum := sha256.Sum256([]byte(o.Vault))
	return filepath.Join(dir, hex.EncodeToString(sum[:12])+".sqlite")
}

// Exists reports whether there is a file, in any state. Unlike Open it makes none.
func Exists(opts Options) bool {
	_, err := os.Lstat(opts.file(opts.Dir))
	return !errors.Is(err, os.ErrNotExist)
}

// File returns the path of the index.
func (x *Index) File() string { return x.file }

// Close ends the use of the index. Call it after Sync, Apply and searches have
// returned.
func (x *Index) Close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.ready.Store(false)
	if x.db == nil {
		return nil
	}
	db := x.db
	x.db = nil
	return db.Close()
}

// Ready reports whether the index has held the whole vault once, by a Sync in
// this process or an earlier one. From then on searches use it.
func (x *Index) Ready() bool { return x.ready.Load() }

// errForeign says that a file is not an index of this version and vault.
var errForeign = errors.New("index of another version or vault")

// Errors of Open.
var (
	ErrNewer   = errors.New("it was made by a newer version of ibid") // which may use it
	ErrUnsound = errors.New("it is damaged, or was made by an older version of ibid")
	ErrBusy    = errors.New("another program holds it")
)

// open sets db. It removes a damaged file first, and with anew the one that was opened last. If the
// file disappears meanwhile, it tries again.
func (x *Index) open(ctx context.Context, anew bool) (err error) {
	if !x.look {
		defer x.lockFiles(ctx)()
	}
	for range 5 {
		if anew {
			if err := x.remove(); err != nil {
				return err
			}
		}
		if err = x.openFile(ctx); err == nil {
			return nil
		}
		switch faultOf(err) {
		case sound:
			return err
		case busy: // SQLite has waited
			return fmt.Errorf("%w: %w", ErrBusy, err)
		case damaged:
			anew = true
		case lost:
			anew = false
		}
	}
	return err
}

// openWait limits the wait for other processes that open the file.
const openWait = 3 * time.Second

// lockFiles waits until nobody else opens or removes the file. SQLite knows it and the
// files beside it by their names: whoever opens one while another removes the others
// gets a new database with the log of the old. If the file system has no locks, or a
// holder does not end, it goes on without: open tries again if that goes wrong.
func (x *Index) lockFiles(ctx context.Context) (unlock func()) {
	lock := flock.New(x.file + ".lock")
	ctx, cancel := context.WithTimeout(ctx, openWait)
	defer cancel()
	_, _ = lock.TryLockContext(ctx, 5*time.Millisecond)
	return func() { _ = lock.Close() }
}

// openFile opens the file, or makes one, and sets info, db and ready.
func (x *Index) openFile(ctx context.Context) (err error) {
	// SQLite would make the file readable for others; it holds words of notes.
	mode := os.O_RDWR | os.O_CREATE
	if x.look {
		mode = os.O_RDONLY
	}
	f, err := os.OpenFile(x.file, mode, 0o600)
	if err != nil {
		return err
	}
	x.info, err = f.Stat()
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	db, err := sql.Open("sqlite", dsn(x.file, x.look))
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(4)
	db.SetMaxIdleConns(4)
	complete, err := x.check(ctx, db)
	if err != nil {
		return errors.Join(err, db.Close())
	}
	x.db = db
	x.ready.Store(complete)
	return nil
}

// check returns an error unless a file has the tables of this version and vault. It makes them in
// an empty file.
func (x *Index) check(ctx context.Context, db *sql.DB) (complete bool, err error) {
	var version int
	err = db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
	switch {
	case err != nil:
	case version > schemaVersion:
		err = ErrNewer
	case version == 0 && !x.look:
		err = x.makeTables(ctx, db, "")
	case version == vectorsVersion && !x.look:
		err = x.makeTables(ctx, db, keepVectors)
		if err != nil {
			err = errors.Join(errForeign, err)
		} else {
			_, err = db.ExecContext(ctx, "VACUUM") // words of removed notes are in free pages
		}
	case version == schemaVersion:
		if err = db.QueryRowContext(ctx, "SELECT complete FROM vault WHERE name = ?", x.vault).Scan(&complete); err != nil {
			err = errors.Join(errForeign, err)
		}
	default:
		err = errForeign
	}
	return complete, err
}

// makeTables makes the tables that are not there, after other statements.
func (x *Index) makeTables(ctx context.Context, db *sql.DB, before string) error {
	_, err := db.ExecContext(ctx, fmt.Sprintf(
		"BEGIN IMMEDIATE; %s %s; PRAGMA user_version = %d; INSERT INTO vault VALUES (?, 0, 0); COMMIT",
		before, schema, schemaVersion), x.vault)
	return err
}

// dsn returns the name of the file for SQLite, read-only for look. Transactions take the write lock
// at once, so that two processes wait for each other and do not fail halfway.
func dsn(file string, look bool) string {
	p := filepath.ToSlash(file)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p // a Windows drive
	}
	options := "_txlock=immediate&_pragma=busy_timeout(5000)&_pragma=synchronous(NORMAL)&_pragma=cache_size(-16000)" +
		"&_pragma=secure_delete(ON)&_pragma=temp_store(MEMORY)"
	if !ownfile.Durable {
		options += "&_pragma=synchronous(OFF)"
	}
	if look {
		options += "&mode=ro"
	} else {
		options += "&_pragma=journal_mode(WAL)"
	}
	return (&url.URL{Scheme: "file", Path: p, RawQuery: options}).String()
}

// remove removes the file that was opened last, unless another process has put a new
// one in its place.
func (x *Index) remove() error {
	if x.look {
		return ErrUnsound
	}
	if !x.inPlace() {
		return nil
	}
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		if err := ownfile.Remove(x.file + suffix); err != nil {
			return err
		}
	}
	return nil
}

// inPlace reports whether the file that was opened last is still the one of its name.
func (x *Index) inPlace() bool {
	info, err := os.Stat(x.file)
	return err == nil && os.SameFile(info, x.info)
}

// fault is the state of the file after an error.
type fault uint8

const (
	sound   fault = iota
	damaged       // it is no database, or no index of this version
	lost          // it was removed or replaced while it was open, or lacks tables
	busy
)

func faultOf(err error) fault {
	var e *sqlite.Error
	if errors.Is(err, errForeign) {
		return damaged
	}
	if !errors.As(err, &e) {
		return sound
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT:
		return damaged
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN,
		sqlite3.SQLITE_ERROR, sqlite3.SQLITE_SCHEMA:
		return lost
	case sqlite3.SQLITE_BUSY:
		return busy
	}
	return sound
}

// errClosed is returned for work on an Index after Close.
var errClosed = errors.New("search index is closed")

// use calls f with the database. If f finds it damaged or lost, use opens it
// anew, empty if need be, and returns errReopened: what f knows no longer holds.
func (x *Index) use(ctx context.Context, f func(*sql.DB) error) error {
	x.mu.RLock()
	db := x.db
	if db == nil {
		x.mu.RUnlock()
		return errClosed
	}
	err := f(db)
	x.mu.RUnlock()
	of := faultOf(err)
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err() // SQLite calls it by many names
	case of != damaged && of != lost:
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.db == db { // nobody else has done it meanwhile
		if err := x.reopen(ctx, of == damaged); err != nil {
			return err
		}
	}
	return fmt.Errorf("%w: %w", errReopened, err)
}

// reopen opens the file again, or makes it anew. x.mu is held.
func (x *Index) reopen(ctx context.Context, anew bool) error {
	x.ready.Store(false)
	db := x.db
	x.db = nil
	_ = db.Close() // nothing in it is worth an error
	return x.open(ctx, anew)
}

// follow opens the file again if it was deleted or replaced: SQLite goes on
// with a deleted file without a word, and all work in it would be lost.
func (x *Index) follow(ctx context.Context) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.db == nil {
		return errClosed
	}
	if x.inPlace() {
		return nil
	}
	return x.reopen(ctx, false)
}

var errReopened = errors.New("search index was opened anew")
