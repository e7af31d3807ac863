package vectors

import (
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"ibid/vault/index"
)

const (
	chosenByBits = 500  // sections whose numbers are compared
	leastAlike   = 0.25 // of what the best of them is
	mostNumbers  = 1 << 14

	pieceBits = 12 // of the number of a vector: which piece it is of; the rest is that of the note in the table meaning
	lastPiece = 1<<pieceBits - 1

	questionTime = 800 * time.Millisecond // that a search waits for the vector of its question
	restTime     = 30 * time.Second       // that a server is not asked after it gave none
	mostKept     = 256                    // vectors of questions
)

// Embed makes a vector of each text.
type Embed func(ctx context.Context, texts []string) ([][]float32, error)

// Options say what a Finder works with.
type Options struct {
	Index  func(context.Context) *index.Index // nil while there is none
	Source index.Source
	Model  string // whose vectors are wanted
	// Open says how a model is asked, or why it is not. Nothing is sent but by what it gives.
	Open func(ctx context.Context, model string) (Embed, error)
}

// Finder finds sections by their meaning. Make it with New.
type Finder struct {
	Options

	trouble atomic.Value // of the last Fill of Run

	mu        sync.Mutex // guards these
	set       set
	questions map[string][]byte // their vectors, by model and text
	rest      time.Time         // until then no question is sent
}

// New makes a Finder. It asks nobody.
func New(o Options) *Finder { return &Finder{Options: o, questions: map[string][]byte{}} }

// set is what searches have in memory of the vectors of a model.
type set struct {
	id, last int64 // of the model, and of the note that was added last
	name     string
	size     int     // numbers of a vector
	ids      []int64 // of vectors
	bits     []byte  // of them, one after the other
}

// serving is the set that answers questions: that of the wanted model, unless only another one is whole.
const serving = " FROM model WHERE whole OR name = ? ORDER BY 2 * whole + (name = ?) DESC LIMIT 1"

// current is the set that serves, which is read again when something was added.
func (f *Finder) current(ctx context.Context, x *index.Index) (s set, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := x.Rows(ctx, func(rows *sql.Rows) error { return rows.Scan(&s.id, &s.name, &s.size, &s.last) },
		"SELECT id, name, size, (SELECT coalesce(max(id), 0) FROM meaning)"+serving, f.Model, f.Model); err != nil || s.id == f.set.id && s.last == f.set.last {
		return f.set, err
	}
	err = x.Rows(ctx, func(rows *sql.Rows) error {
		var id int64
		var hashes, bits sql.RawBytes
		err := rows.Scan(&id, &hashes, &bits)
		s.bits = append(s.bits, bits...)
		for id <<= pieceBits; len(hashes) > 0; id, hashes = id+1, hashes[8:] {
			if binary.LittleEndian.Uint64(hashes) != 0 {
				s.ids = append(s.ids, id)
			}
		}
		return err
	}, "SELECT id, hashes, bits FROM meaning WHERE model = ? AND id <= ?", s.id, s.last)
	f.set = s
	return s, err
}

// Like are the pieces of notes that are most like a text in their meaning: 1 for the first, where 0
// is as much as is usual of what is like it. There are none where no answer comes in time.
func (f *Finder) Like(ctx context.Context, text string) map[index.Piece]float64 {
	x := f.Index(ctx)
	if x == nil {
		return nil
	}
	s, err := f.current(ctx, x)
	if err != nil || len(s.ids) == 0 {
		return nil
	}
	question := f.question(ctx, &s, text)
	if question == nil {
		return nil
	}
	return s.search(ctx, x, question)
}

// search is Like for a vector.
func (s *set) search(ctx context.Context, x *index.Index, question []byte) map[index.Piece]float64 {
	var ids []int64
	nearestTo(signs(question), s.bits, chosenByBits, func(n int) { ids = append(ids, s.ids[n]) })
	chosen, _ := json.Marshal(ids)
	like, usual, most := map[index.Piece]float64{}, 0.0, 0.0
	_ = x.Rows(ctx, func(rows *sql.Rows) error { // without the file nothing is like it
		var of index.Piece
		var data sql.RawBytes
		err := rows.Scan(&of.Note, &of.Nth, &data)
		if len(data) == len(question) {
			like[of] = alike(data, question)
			usual, most = usual+like[of]/float64(len(ids)), max(most, like[of])
		}
		return err
	}, "SELECT meaning.path, value & ?, data FROM json_each(?) CROSS JOIN vector ON vector.id = value CROSS JOIN meaning ON meaning.id = value >> ?", lastPiece, string(chosen), pieceBits)
	for of, score := range like {
		if like[of] = (score - usual) / (most - usual); like[of] < leastAlike || most == usual {
			delete(like, of)
		}
	}
	return like
}

// question is the vector of a question, nil if it is not to be had in time.
func (f *Finder) question(ctx context.Context, s *set, text string) []byte {
	key := s.name + "\n" + text
	f.mu.Lock()
	kept, rests := f.questions[key], time.Now().Before(f.rest)
	f.mu.Unlock()
	if len(kept) == s.size || rests {
		return kept
	}
	_, before := introductions(s.name)
	limited, cancel := context.WithTimeout(ctx, questionTime)
	defer cancel()
	ask, err := f.Open(limited, s.name)
	var vectors [][]float32
	if err == nil {
		vectors, err = ask(limited, []string{before + text})
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return nil
	case err != nil || !areVectors(vectors, 1, s.size):
		f.rest = time.Now().Add(restTime)
		return nil
	case len(f.questions) >= mostKept:
		clear(f.questions)
	}
	f.questions[key] = pack(vectors[0])
	return f.questions[key]
}

// introductions are what models want to stand in front of a text of a note, and of a question.
func introductions(model string) (note, question string) {
	for _, row := range [][3]string{
		{"nomic-embed", "search_document: ", "search_query: "},
		{"embeddinggemma", "title: none | text: ", "task: search result | query: "},
		{"e5-", "passage: ", "query: "},
		{"mxbai-embed", "", "Represent this sentence for searching relevant passages: "},
		{"arctic-embed", "", "Represent this sentence for searching relevant passages: "},
		{"qwen3-embedding", "", "Instruct: Given a question, find passages of notes that answer it\nQuery: "},
	} {
		if strings.Contains(strings.ToLower(model), row[0]) {
			return row[1], row[2]
		}
	}
	return "", ""
}

// State is how far the vectors are.
type State struct {
	Serves      string // the model whose vectors searches use, "" for none
	Done, Notes int    // notes that have theirs of the wanted model, and all that are to have them
	Memory      int    // bytes that searches take
	Trouble     error  // why what is missing is not asked for now; nil for nothing
}

// State says how far the vectors are. It asks no server.
func (f *Finder) State(ctx context.Context) (s State, err error) {
	last, _ := f.trouble.Load().(trouble)
	s.Trouble = last.error
	for _, n := range f.Source.Notes() {
		if !n.Private && !n.Chat {
			s.Notes++
		}
	}
	if x := f.Index(ctx); x != nil {
		err = x.Rows(ctx, func(rows *sql.Rows) error { return rows.Scan(&s.Serves, &s.Memory, &s.Done) },
			"WITH serves AS (SELECT *"+serving+`) SELECT coalesce(max(name), ''),
			(SELECT coalesce(sum(length(bits) + length(hashes)), 0) FROM meaning WHERE model = serves.id),
			(SELECT count(*) FROM note JOIN model ON model.id = vectors WHERE name = ?) FROM serves`, f.Model, f.Model, f.Model)
	}
	return s, err
}
