package history

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"ibid/vault"
	"ibid/vault/md"
)

// Summary is a chat in a list.
type Summary struct {
	Path     vault.Path
	Epoch    int64 // identity: milliseconds since 1970 of the first message
	Title    string
	Modified time.Time
	Turns    int      // messages of the person
	Notes    []string // paths that the chat names, in the order of first appearance
	Pinned   bool
	Problems []string // what a person should know before opening it, one line each
}

// listCache keeps what was read of each file as long as the file stays the same.
type listCache struct {
	mu     sync.Mutex
	byPath map[vault.Path]listed
}

// chatFile is a markdown file in the folder of chats.
type chatFile struct {
	path  vault.Path
	size  int64
	mtime time.Time
}

type listed struct {
	chatFile
	seen time.Time // when the file was read
	chat bool
	sum  Summary
}

// fresh reports whether what was read still describes the file f. A file that was
// so young when it was read that it could change without showing it is read again.
func (l *listed) fresh(f *chatFile) bool {
	const tick = 50 * time.Millisecond
	return l.size == f.size && l.mtime.Equal(f.mtime) && l.seen.Sub(f.mtime) > tick
}

// List is every chat in the folder, subfolders and archive included: the pinned
// ones, then the others, each with the one changed last in front. Of a file that did not change since the last call only the size and the
// time are looked at. Files that are no chats are left out; one that cannot be
// read is listed with that problem. A folder that does not exist holds no chats.
func (s *Store) List(ctx context.Context) ([]Summary, error) {
	all, err := s.summaries(ctx.Err)
	if err != nil {
		return nil, fmt.Errorf("list the chats in %s: %w", s.folder, err)
	}
	s.overlaid(&s.state, all)
	if s.vault.Scanned() {
		s.missing(all)
	}
	slices.SortStableFunc(all, func(a, b Summary) int { return cmp.Compare(rank(a), rank(b)) })
	return all, nil
}

// summaries lists the chats until stop returns an error.
func (s *Store) summaries(stop func() error) ([]Summary, error) {
	files, err := s.files(stop)
	if err != nil {
		return nil, err
	}
	got := make([]listed, len(files))
	var stale []int
	s.list.mu.Lock()
	for i := range files {
		l, ok := s.list.byPath[files[i].path]
		if ok && l.fresh(&files[i]) {
			got[i] = l
		} else {
			stale = append(stale, i)
		}
	}
	s.list.mu.Unlock()
	err = parallel(len(stale), stop, func(i int) { got[stale[i]] = s.summarize(files[stale[i]]) })
	if err != nil {
		return nil, err
	}
	byPath := make(map[vault.Path]listed, len(files))
	all := make([]Summary, 0, len(files))
	for i := range got {
		byPath[files[i].path] = got[i]
		if got[i].chat {
			all = append(all, got[i].sum)
		}
	}
	s.list.mu.Lock()
	s.list.byPath = byPath
	s.list.mu.Unlock()
	slices.SortFunc(all, func(a, b Summary) int {
		return cmp.Or(b.Modified.Compare(a.Modified), strings.Compare(string(a.Path), string(b.Path)))
	})
	return all, nil
}

// files is the markdown files in the folder of chats.
func (s *Store) files(stop func() error) ([]chatFile, error) { return s.filesIn(s.folder, stop) }

// filesIn is the markdown files in a folder. Files and folders with a dot in front
// belong to programs.
func (s *chatDir) filesIn(folder vault.Path, stop func() error) ([]chatFile, error) {
	var files []chatFile
	var walk func(dir vault.Path) error
	walk = func(dir vault.Path) error {
		if err := stop(); err != nil {
			return err
		}
		entries, err := s.vault.ReadOwnDir(dir)
		if err != nil {
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
				if err := walk(p); err != nil {
					return err
				}
			case e.Mode().IsRegular() && p.IsNote():
				files = append(files, chatFile{path: p, size: e.Size(), mtime: e.ModTime()})
			}
		}
		return nil
	}
	err := walk(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return files, err
}

// parallel calls do for 0..n-1 from a few goroutines and waits for them.
func parallel(n int, stop func() error, do func(int)) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(n, max(2, runtime.GOMAXPROCS(0))) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && stop() == nil; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	wg.Wait()
	return stop()
}

// summarize reads one file.
func (s *Store) summarize(f chatFile) listed {
	l := listed{chatFile: f, seen: time.Now()}
	data, err := s.read(f.path)
	if err != nil {
		l.chat = !errors.Is(err, fs.ErrNotExist)
		l.sum = Summary{Path: f.path, Title: f.path.Base(), Problems: []string{"cannot be read: " + err.Error()}}
	} else {
		l.sum, l.chat = summary(f.path, data, s.opts.Zone)
	}
	l.sum.Modified = f.mtime
	return l
}

// unanswered is the problem of a chat that ends in a question.
const unanswered = "no reply to the last message"

// summary reads of a chat only what a list shows: the properties, the first
// message, the context lines.
func summary(p vault.Path, data []byte, zone *time.Location) (Summary, bool) {
	r, err := parts(string(data))
	if !r.src.isChat(len(r.spans), true) {
		return Summary{}, false
	}
	sum := Summary{Path: p, Epoch: r.src.read.Epoch, Pinned: r.src.read.Pinned}
	if err != nil {
		sum.Problems = append(sum.Problems, "the properties are damaged")
	}
	if r.src.read.file.version > version {
		sum.Problems = append(sum.Problems, "written by a newer ibid")
	}
	d := decoder{zone: zone}
	head := Chat{Path: p}
	body := r.norm[r.body:]
	for _, sp := range r.spans {
		if sp.role != User {
			continue
		}
		text := body[sp.start:sp.end]
		m := d.message(sp, text, text, 0, new(place))
		if sum.Turns++; sum.Turns == 1 {
			head.Messages = []Message{{Role: User, Text: m.Text}}
			if sum.Epoch == 0 && !m.Time.IsZero() {
				sum.Epoch = m.Time.UnixMilli()
			}
		}
		sum.Notes = append(sum.Notes, m.Context.paths()...)
	}
	sum.Notes = unique(sum.Notes)
	if n := len(r.spans); n > 0 && r.spans[n-1].role == User {
		sum.Problems = append(sum.Problems, unanswered)
	}
	known := sum.hidden(body[:r.first])
	if head.Title = r.front.name(); r.front.legacy {
		head.Title = r.front.edited(known)
	}
	sum.Title = head.Name()
	return sum, true
}

// hidden reads what the hidden block says about the end of the chat, without
// decoding what it says about each message, and under which title old files were
// saved.
func (sum *Summary) hidden(preamble string) (title string) {
	start, end, ok := md.Hidden(preamble)
	if !ok {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(preamble[start:end]), "\n")
	var head block
	if json.Unmarshal([]byte(strings.TrimPrefix(lines[0], md.HiddenOpen)+"]}"), &head) == nil {
		title = head.Title
	}
	var last turn
	if n := len(lines) - 2; n > 0 && json.Unmarshal([]byte(lines[n]), &last) == nil && last.S != "" {
		sum.Problems = append(sum.Problems, "the last reply "+last.S.Describe())
	}
	return title
}

// missing adds a problem for the notes that are not where the chat says. The
// cached summaries are shared, so that lists are extended by copying.
func (s *Store) missing(all []Summary) {
	in := &lookup{vault: s.vault}
	known := map[string]bool{}
	for i := range all {
		sum := &all[i]
		var gone []string
		for _, note := range sum.Notes {
			there, ok := known[note]
			if !ok {
				p, err := vault.ParsePath(note)
				there = err == nil && p != "" && (in.exists(p) || in.exists(p+".md") || len(in.named(p.Name())) == 1 && p.Dir() == "")
				known[note] = there
			}
			if !there {
				gone = append(gone, show(note))
			}
		}
		if len(gone) > 0 {
			text := "moved or missing: " + strings.Join(gone, ", ")
			sum.Problems = append(slices.Clip(slices.Clone(sum.Problems)), text)
		}
	}
}

// Hit is a chat that holds what was searched for.
type Hit struct {
	Summary
	Message int    // 1-based, as Display counts; 0 if only the title fits
	Snippet string // one line around the first word
}

// Search finds the chats whose title or displayed messages hold every word of
// text, in any case, the one changed last in front. Notes to self and metadata
// are not searched. A text without words finds nothing.
func (s *Store) Search(ctx context.Context, text string) ([]Hit, error) {
	words := strings.Fields(strings.ToLower(text))
	if len(words) == 0 {
		return nil, nil
	}
	all, err := s.summaries(ctx.Err)
	if err == nil {
		hits := make([]Hit, len(all))
		err = parallel(len(all), ctx.Err, func(i int) { hits[i] = s.search(all[i], words) })
		if err == nil {
			return slices.DeleteFunc(hits, func(h Hit) bool { return h.Path == "" }), nil
		}
	}
	return nil, fmt.Errorf("search the chats in %s: %w", s.folder, err)
}

// search looks for words in one chat. The zero Hit means that it does not fit.
func (s *Store) search(sum Summary, words []string) Hit {
	data, err := s.read(sum.Path)
	if err != nil {
		return Hit{}
	}
	title := strings.ToLower(sum.Title)
	left := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return strings.Contains(title, w) })
	lower := bytes.ToLower(data)
	if slices.ContainsFunc(left, func(w string) bool { return !bytes.Contains(lower, []byte(w)) }) {
		return Hit{}
	}
	c, _, err := decode(data, s.opts.Zone)
	if err != nil {
		return Hit{}
	}
	hit := Hit{Summary: sum}
	best := 0
	for n, m := range c.Display() {
		lower := strings.ToLower(m.Text)
		count := 0
		for _, w := range words {
			if strings.Contains(lower, w) {
				count++
				left = slices.DeleteFunc(left, func(l string) bool { return l == w })
			}
		}
		if count > best {
			best = count
			hit.Message, hit.Snippet = n, snippet(m.Text, lower, words)
		}
	}
	if len(left) > 0 {
		return Hit{}
	}
	return hit
}

// snippet is the text around the first of words, on one line.
func snippet(text, lower string, words []string) string {
	at := len(lower)
	for _, w := range words {
		if i := strings.Index(lower, w); i >= 0 {
			at = min(at, i)
		}
	}
	if len(lower) != len(text) {
		text = lower // some letters change their length: offsets fit only the folded text
	}
	const before, length = 40, 160
	start := cutAt(text, max(at-before, 0))
	end := start + cutAt(text[start:], length)
	line := cleanTitle(text[start:end])
	if start > 0 {
		line = "…" + line
	}
	if end < len(text) {
		line += "…"
	}
	return line
}
