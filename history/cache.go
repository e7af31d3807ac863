package history

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"time"

	"ibid/vault"
	"ibid/vault/codec"
)

// Cache keeps what was read of chats for the next run of the program. Lost entries are read again.
type Cache interface {
	// Load calls each with the data of every document; the data is valid during the call only.
	Load(ctx context.Context, each func(data []byte))
	// Keep replaces the data of docs, and forgets the documents at gone.
	Keep(ctx context.Context, docs map[vault.Path][]byte, gone []vault.Path)
}

// CacheIn makes the store use c. It must be called before the first List.
func (s *Store) CacheIn(c Cache) { s.list.cache = c }

// load reads the cache, once.
func (in *listCache) load(ctx context.Context) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.loaded || in.cache == nil {
		return
	}
	in.loaded, in.byPath = true, map[vault.Path]*listedFile{}
	in.cache.Load(ctx, func(data []byte) {
		if l, ok := decodeListed(data); ok {
			in.byPath[l.path] = l
		}
	})
}

// replace replaces the list by all. anew are the indexes of the files that were read again; their data goes to the
// cache.
func (in *listCache) replace(ctx context.Context, folder vault.Path, all []*listedFile, anew []int) {
	byPath := make(map[vault.Path]*listedFile, len(all))
	for _, l := range all {
		byPath[l.path] = l
	}
	var gone []vault.Path
	in.mu.Lock()
	for p := range in.byPath {
		if _, ok := byPath[p]; !ok && p.In(folder) {
			gone = append(gone, p)
		}
	}
	in.byPath = byPath
	in.mu.Unlock()
	if in.cache == nil {
		return
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

// MessageTexts reads the texts of the messages of the chat at p, in their order; a file that is no chat has
// none. With unsaved, it includes the reply that is not in the file yet.
func (s *Store) MessageTexts(p vault.Path, unsaved bool) (texts []string, err error) {
	data, err := s.read(p)
	if err != nil {
		return nil, fmt.Errorf("read chat %s: %w", p, err)
	}
	c, _, _ := decode(data, s.opts.Zone) // the only error is that it is no chat
	if unsaved {
		s.mu.Lock()
		s.overlay(&c)
		s.mu.Unlock()
	}
	for _, m := range c.Messages {
		texts = append(texts, m.Text)
	}
	return texts, nil
}

// summaryVersion goes up whenever a file's summary would change: data in a cache with another version is read
// again.
const summaryVersion = 4

// code reads or writes the fields that a cache keeps of a file.
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

// encode returns l as bytes, with a checksum and the version in front.
func (l *listedFile) encode() []byte {
	c, kept := codec.Coder{Out: []byte{0, 0, 0, 0, summaryVersion}}, *l
	kept.code(&c)
	binary.LittleEndian.PutUint32(c.Out, crc32.ChecksumIEEE(c.Out[4:]))
	return c.Out
}

// decodeListed reads what encode wrote; ok is false if the data is damaged or has another version.
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
