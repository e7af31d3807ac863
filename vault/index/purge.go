package index

import (
	"context"
	"database/sql"
	"time"
)

// What was removed from the file must not stay in it: words of a note that became private or was deleted. SQLite
// overwrites what is deleted (secure_delete), but FTS5 only marks rows as deleted until it merges its lists, the
// lexicon knows no notes, and the log of the file keeps old pages until it is cut.

// purgePause is the time between two purges for deleted notes: each rewrites the lists of words.
const purgePause = 10 * time.Minute

// purge removes what is left of removed notes, if there are any. It goes on the next time where it fails or ctx ends.
func (x *Index) purge(ctx context.Context) {
	gone := 0
	err := x.Rows(ctx, func(rows *sql.Rows) error { return rows.Scan(&gone) }, "SELECT gone FROM vault")
	if err != nil || gone == 0 {
		return
	}
	err = x.merge(ctx)
	if err == nil {
		err = x.pruneWords(ctx)
	}
	busy := true
	if err == nil {
		err = x.Rows(ctx, func(rows *sql.Rows) error {
			var pages, done int
			return rows.Scan(&busy, &pages, &done)
		}, "PRAGMA wal_checkpoint(TRUNCATE)")
	}
	if err != nil || busy {
		return
	}
	err = x.change(ctx, func(c *change) { c.exec("UPDATE vault SET gone = max(0, gone - ?)", gone) })
	if err == nil {
		x.purged.Store(time.Now().Unix())
	}
}

// pruneWords removes the words of the lexicon that no note has.
func (x *Index) pruneWords(ctx context.Context) error {
	var words []string
	err := x.column(ctx, func(word sql.RawBytes) { words = append(words, string(word)) },
		"SELECT folded FROM word EXCEPT SELECT term FROM vocabulary")
	if err != nil || len(words) == 0 {
		return err
	}
	return x.change(ctx, func(c *change) {
		for _, word := range words { // another process may have written a note with it meanwhile
			c.exec("DELETE FROM word WHERE folded = ? AND NOT EXISTS (SELECT 1 FROM text WHERE text MATCH ?)",
				word, (&term{folded: word}).match())
		}
	})
}
