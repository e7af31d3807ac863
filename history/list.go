package history

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"

	"ibid/vault"
	"ibid/vault/routine"
)

// Summary describes a chat in a list.
type Summary struct {
	Path     vault.Path `json:"path"`
	Epoch    int64      `json:"epoch"` // identity: time of the first message in milliseconds since 1970
	Title    string     `json:"title"`
	Modified time.Time  `json:"-"`
	Turns    int        `json:"turns"` // number of messages of the person
	Notes    []string   `json:"-"`     // paths in context lines, in the order of first appearance
	Pinned   bool       `json:"pinned,omitempty"`
	Tags     []string   `json:"tags"` // without the tag that every chat has
	Model    string     `json:"model"`
	Chain    string     `json:"chain"`           // the way its turns are answered; "chat" if the file does not say
	Origin   Origin     `json:"branch,omitzero"` // the chat and message that it was branched off
	Problems []string   `json:"problems"`        // warnings for the person, one line each

	Copy    vault.Path `json:"copy_of,omitempty"` // chat of which a sync program made this file, "" if it is no copy
	Unsaved bool       `json:"-"`                 // the end of the last reply is in a journal, not in the file
}

// Hit is a saved chat that a search found.
type Hit struct {
	Summary
	// number of the message from 1, 0 if only the title matches
	Message int    `json:"message,omitempty"`
	Snippet string `json:"snippet,omitempty"` // one line around the matching words
}

// listCache holds the summaries of files as long as the files do not change.
type listCache struct {
	cache Cache // nil if nothing is kept for the next run

	mu     sync.Mutex
	byPath map[vault.Path]*listedFile // the values are never changed
	loaded bool                       // whether the cache was read
}

// chatFile is a markdown file in the folder of chats.
type chatFile struct {
	path  vault.Path
	size  int64
	mtime time.Time
}

// listedFile is the summary of a file and the state of the file when it was read.
type listedFile struct {
	chatFile
	seen time.Time // time when the file was read, zero if it could not be
	chat bool
	sum  Summary
}

// fresh reports whether l still describes the file f. A file that was changed less than 2 s before it was read
// is read again: some file systems have a resolution of two seconds, so it could change without another time.
func (l *listedFile) fresh(f *chatFile) bool {
	const tick = 2 * time.Second
	return l.size == f.size && l.mtime.Equal(f.mtime) && l.seen.Sub(f.mtime) > tick
}

// at returns the summary of a file, and reads the file if it is new or changed.
func (c *listCache) at(d *chatDir, f chatFile) *listedFile {
	c.mu.Lock()
	defer c.mu.Unlock()
	l, ok := c.byPath[f.path]
	if !ok || !l.fresh(&f) {
		l = d.summarize(f)
		c.byPath[f.path] = l
	}
	return l
}

// List returns every chat in the folder, with subfolders and archive: pinned chats first, and each group by
// last change, newest first. For a file that did not change since this process, or one with the same Cache,
// read it, only size and time are checked. Files that are no chats are left out; a chat that cannot be read is
// listed with that problem. A missing folder is an empty list.
func (s *Store) List(ctx context.Context) ([]Summary, error) {
	var loading routine.Group
	loading.Go(func() { s.list.load(ctx) })
	files, err := s.filesIn(s.folder, ctx.Err)
	loading.Wait()
	if err != nil {
		return nil, fmt.Errorf("list the chats in %s: %w", s.folder, err)
	}
	read, anew, err := s.list.readChanged(ctx, &s.chatDir, files)
	if err != nil {
		return nil, fmt.Errorf("list the chats in %s: %w", s.folder, err)
	}
	s.list.replace(ctx, s.folder, read, anew)
	all := sortedSummaries(read)
	s.overlaySummaries(all)
	markCopies(all)
	s.reportMissing(all)
	return all, nil
}

// readChanged returns the summaries of files, and reads those that are new or changed, until ctx ends. anew are the
// indexes of those that it read.
func (c *listCache) readChanged(ctx context.Context, d *chatDir, files []chatFile) (all []*listedFile,
	anew []int, err error,
) {
	all = make([]*listedFile, len(files))
	c.mu.Lock()
	for i := range files {
		l, ok := c.byPath[files[i].path]
		if ok && l.fresh(&files[i]) {
			all[i] = l
		} else {
			anew = append(anew, i)
		}
	}
	c.mu.Unlock()
	err = parallel(ctx, len(anew), func(i int) { all[anew[i]] = d.summarize(files[anew[i]]) })
	return all, anew, err
}

// sortedSummaries returns the summaries of the chats among files, in the order of List.
func sortedSummaries(files []*listedFile) []Summary {
	all := make([]Summary, 0, len(files))
	for _, l := range files {
		if l.chat {
			all = append(all, l.sum)
		}
	}
	slices.SortFunc(all, func(a, b Summary) int {
		return cmp.Or(rank(&a)-rank(&b), b.Modified.Compare(a.Modified), cmp.Compare(a.Path, b.Path))
	})
	return all
}

// markCopies marks the copies that sync programs made.
func markCopies(all []Summary) {
	files := make(map[int64]int, len(all)) // number of files with an epoch
	for i := range all {
		files[all[i].Epoch]++
	}
	paths := map[int64][]vault.Path{}
	for i := range all {
		if e := all[i].Epoch; files[e] > 1 {
			paths[e] = append(paths[e], all[i].Path)
		}
	}
	for i := range all {
		if of := paths[all[i].Epoch]; of != nil {
			if from, ok := syncedFrom(all[i].Path, of); ok {
				all[i].Copy = from
				all[i].addProblem("a sync program copied it from " + displayText(from) + ": /merge puts them together")
			}
		}
	}
}

// addProblem appends to the problems of sum without changing the backing array, which other summaries may
// share.
func (sum *Summary) addProblem(text string) { sum.Problems = append(slices.Clip(sum.Problems), text) }

// hasName reports whether name is the file name, with or without extension, or the title, ignoring case.
func (sum *Summary) hasName(name string) bool {
	return strings.EqualFold(sum.Path.Name(), name) || strings.EqualFold(sum.Path.Base(), name) ||
		strings.EqualFold(sum.Title, name)
}

// readableFiles works like filesIn, up to a folder that cannot be listed.
func (s *chatDir) readableFiles(folder vault.Path) []chatFile {
	files, _ := s.filesIn(folder, func() error { return nil })
	return files
}

// filesIn returns the markdown files in folder and its subfolders.
func (s *chatDir) filesIn(folder vault.Path, stop func() error) (files []chatFile, err error) {
	err = s.walk(folder, stop, func(p vault.Path, info fs.FileInfo) {
		files = append(files, chatFile{path: p, size: info.Size(), mtime: info.ModTime()})
	})
	return files, err
}

// walk calls each for the markdown files in dir and its subfolders. It skips names that begin with a dot. A
// missing folder is empty.
func (s *chatDir) walk(dir vault.Path, stop func() error, each func(vault.Path, fs.FileInfo)) error {
	if err := stop(); err != nil {
		return err
	}
	entries, err := s.vault.ReadOwnDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return errors.Unwrap(err) // the caller names the folder
	}
	for _, e := range entries {
		p := vault.Path(e.Name())
		if dir != "" {
			p = dir + "/" + p
		}
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			if err := s.walk(p, stop, each); err != nil {
				return err
			}
		case e.Type().IsRegular() && p.IsNote():
			if info, err := e.Info(); err == nil { // else it was removed since it was listed
				each(p, info)
			}
		}
	}
	return nil
}

// parallel calls do for 0..n-1 from several goroutines, and waits for them.
func parallel(ctx context.Context, n int, do func(int)) error {
	return routine.Share(ctx, n, 1, func(mine iter.Seq[int]) {
		for i := range mine {
			do(i)
		}
	})
}

// summarize reads the summary of one file. A file that cannot be read gets a summary with that problem.
func (s *chatDir) summarize(f chatFile) *listedFile {
	l := &listedFile{chatFile: f, seen: time.Now()}
	data, err := s.read(f.path)
	if err == nil {
		l.sum, l.chat = parseSummary(l.path, data, s.opts.Zone, true)
		l.sum.Modified = l.mtime
		return l
	}
	l.seen, l.chat = time.Time{}, !errors.Is(err, fs.ErrNotExist)
	l.sum = Summary{
		Path: f.path, Title: f.path.Base(), Modified: f.mtime, Problems: []string{"cannot be read: " + err.Error()},
	}
	return l
}

// parseSummary returns what a list shows of the file of a chat. It returns false if the file is no chat; inFolder
// says that it is in the folder of chats.
func parseSummary(p vault.Path, data []byte, zone *time.Location, inFolder bool) (Summary, bool) {
	c, warnings, err := decode(data, zone)
	if err != nil || !c.file.src.isChat(len(c.Messages), inFolder) {
		return Summary{}, false
	}
	c.Path = p
	return c.summary(warnings), true
}

// summary returns what a list shows of a chat that was decoded with warnings.
func (c *Chat) summary(warnings []Warning) Summary {
	sum := Summary{
		Path: c.Path, Epoch: c.Epoch, Title: c.Name(), Turns: c.Turns(), Notes: c.paths(), Pinned: c.Pinned, Model: c.Model,
		Chain: cmp.Or(c.Chain, c.file.src.front.mode, "chat"), Origin: c.Origin,
	}
	for _, t := range c.Tags {
		if !strings.EqualFold(t, chatTag) {
			sum.Tags = append(sum.Tags, t)
		}
	}
	for _, w := range warnings {
		switch w.Kind {
		case "frontmatter":
			sum.Problems = append(sum.Problems, "the properties are damaged")
		case "newer":
			sum.Problems = append(sum.Problems, "written by a newer ibid")
		}
	}
	var last Message
	if n := len(c.Messages); n > 0 {
		last = c.Messages[n-1]
	}
	switch {
	case last.Role == User:
		sum.Problems = append(sum.Problems, "no reply to the last message")
	case last.Status != "" && last.Status != StatusCancelled:
		sum.Problems = append(sum.Problems, "the last reply "+last.Status.Describe())
	}
	return sum
}

// reportMissing adds a problem to chats that name notes which are not there any more.
func (s *chatDir) reportMissing(all []Summary) {
	known := map[string]bool{}
	for i := range all {
		sum := &all[i]
		var gone []string
		for _, note := range sum.Notes {
			there, ok := known[note]
			if !ok {
				there = s.mayExist(note)
				known[note] = there
			}
			if !there {
				gone = append(gone, displayText(note))
			}
		}
		if len(gone) > 0 {
			sum.addProblem("moved or missing: " + strings.Join(gone, ", "))
		}
	}
}

// mayExist reports whether a path in a chat leads to a file; bare names, as old chats have them, count as existing.
func (s *chatDir) mayExist(path string) bool {
	p, err := vault.ParsePath(path)
	switch {
	case err != nil || p == "":
		return false
	case p.Dir() == "" && !p.IsNote(), (&lookup{vault: s.vault}).exists(p): // without a look at the disk
		return true
	}
	_, err = s.vault.Stat(p)
	if errors.Is(err, fs.ErrNotExist) && !p.IsNote() {
		_, err = s.vault.Stat(p + ".md")
	}
	return !errors.Is(err, fs.ErrNotExist)
}
