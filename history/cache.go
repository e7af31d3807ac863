package history

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"time"

	"ibid/vault"
	"ibid/vault/codec"
)

// Document is the words of a chat.
type Document struct {
	Title    string
	Sections []string // its messages, one each as Display counts
}

// Cache keeps from one run of the program to the next what was read of chats.
// What it loses is read again.
type Cache interface {
	// Load gives each the data of every document, which is valid during the call.
	Load(ctx context.Context, each func(data []byte))
	// Keep replaces data by the paths of documents, and forgets others.
	Keep(ctx context.Context, docs map[vault.Path][]byte, gone []vault.Path)
}

// CacheIn makes the store use a cache, for as long as the store is used. It is
// called before anything is listed.
func (s *Store) CacheIn(c Cache) { s.list.cache = c }

// load takes in what the cache knows, once.
func (in *listCache) load(ctx context.Context) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.loaded || in.cache == nil {
		return
	}
	in.loaded = true
	if in.byPath == nil {
		in.byPath = map[vault.Path]*listedFile{}
	}
	in.cache.Load(ctx, func(data []byte) {
		if l, ok := decodeListed(data); ok {
			if _, known := in.byPath[l.path]; !known {
				in.byPath[l.path] = l
			}
		}
	})
}

// set makes all what was listed last, of which some was read anew, and gives that
// to the cache.
func (in *listCache) set(ctx context.Context, folder vault.Path, all []*listedFile, anew []int) {
	in.mu.Lock()
	same := len(anew) == 0 && len(all) == len(in.byPath)
	in.mu.Unlock()
	if same {
		return
	}
	byPath := make(map[vault.Path]*listedFile, len(all))
	for _, l := range all {
		byPath[l.path] = l
	}
	in.mu.Lock()
	was := in.byPath
	in.byPath = byPath
	in.mu.Unlock()
	if in.cache == nil {
		return
	}
	var gone []vault.Path
	for p := range was {
		if _, ok := byPath[p]; !ok && p.In(folder) {
			gone = append(gone, p)
		}
	}
	docs := map[vault.Path][]byte{}
	for _, n := range anew {
		if l := all[n]; !l.seen.IsZero() {
			docs[l.path] = l.encode()
		}
	}
	if len(docs) > 0 || len(gone) > 0 {
		in.cache.Keep(ctx, docs, gone)
	}
}

// Document reads the words of the file at p, which are none if that is no chat: Sections is
// never nil. With unsaved, it has the reply that is not in the file yet too.
func (s *Store) Document(p vault.Path, unsaved bool) (Document, error) {
	data, err := s.read(p)
	if err != nil {
		return Document{}, fmt.Errorf("read chat %s: %w", p, err)
	}
	sum, _ := summary(p, data, s.opts.Zone)
	d := Document{Title: sum.Title, Sections: []string{}}
	c, _, err := decode(data, s.opts.Zone)
	if err != nil && !errors.Is(err, ErrNotChat) {
		return Document{}, fmt.Errorf("read chat %s: %w", p, err)
	}
	if unsaved {
		s.mu.Lock()
		s.overlay(&c)
		s.mu.Unlock()
	}
	for _, m := range c.Display() {
		d.Sections = append(d.Sections, m.Text)
	}
	return d, nil
}

// summaryVersion goes up whenever a summary says something else about a file than
// it did before: what is in a cache is read again then.
const summaryVersion = 3

// code codes what a cache keeps of a file.
func (l *listedFile) code(c *codec.Coder) {
	s := &l.sum
	codec.Text(c, &l.path)
	codec.Number(c, &l.size, &s.Epoch, &s.Origin.Epoch)
	codec.Number(c, &s.Turns, &s.Origin.Message)
	codec.Text(c, &s.Title, &s.Model, &s.Chain)
	c.Texts(&s.Notes, &s.Tags, &s.Problems)
	c.Bool(&l.chat, &s.Pinned)
	for _, t := range []*time.Time{&l.mtime, &l.seen} {
		nano := t.UnixNano()
		codec.Number(c, &nano)
		*t = time.Unix(0, nano)
	}
}

// encode is l as bytes, with a checksum and the version in front.
func (l *listedFile) encode() []byte {
	c, kept := codec.Coder{Out: []byte{0, 0, 0, 0, summaryVersion}}, *l
	kept.code(&c)
	binary.LittleEndian.PutUint32(c.Out, crc32.ChecksumIEEE(c.Out[4:]))
	return c.Out
}

// decodeListed reads what encode wrote, false if it is damaged or of another
// version.
func decodeListed(data []byte) (l *listedFile, ok bool) {
	if len(data) < 5 || crc32.ChecksumIEEE(data[4:]) != binary.LittleEndian.Uint32(data) || data[4] != summaryVersion {
		return nil, false
	}
	c := codec.Reader(string(data[5:]))
	l = &listedFile{}
	l.code(c)
	l.sum.Path, l.sum.Modified = l.path, l.mtime
	return l, c.Whole()
}
