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

	"ibid/vault"
	"ibid/vault/index"
)

const (
	chosenByBits = 500  // sections whose numbers are compared
	minAlike     = 0.25 // of what the best of them is

	questionTime = 800 * time.Millisecond // that a search waits for the vector of its question
	restTime     = 30 * time.Second       // that a server is not asked after it gave none
	maxQuestions = 256                    // vectors of questions
)

// Finder finds sections by their meaning. It sends nothing by itself.
type Finder struct {
	Index  func(context.Context) *index.Index // nil while there is none
	Source index.Source
	Model  string // whose vectors are wanted
	// Embed asks a model for a vector for each text, or returns the reason why it may not be asked.
	Embed func(ctx context.Context, model string, texts []string) ([][]float32, error)

	trouble atomic.Pointer[error] // of the last Fill of Run

	mu        sync.Mutex // guards these
	set       set
	questions map[string][]byte // their vectors, by model and text
	rest      time.Time         // until then no question is sent
}

// set holds the bits of the vectors of one model, for searches.
type set struct {
	id, last int64 // of the model, and of the note that was added last
	name     string
	size     int     // numbers of a vector
	ids      []int64 // of vectors: the id of the note in the table meaning, and 12 bits for the number of the piece
	bits     []byte  // of them, one after the other
}

// serving selects the model whose vectors answer questions: the wanted one, unless only another one is whole.
const serving = " FROM model WHERE whole OR name = ? ORDER BY 2 * whole + (name = ?) DESC LIMIT 1"

// current returns the set of the serving model. It reads the set again if notes were added.
func (f *Finder) current(ctx context.Context, x *index.Index) (s set) {
	f.mu.Lock()
	defer f.mu.Unlock()
	err := x.Rows(ctx, func(rows *sql.Rows) error { return rows.Scan(&s.id, &s.name, &s.size, &s.last) },
		"SELECT id, name, size, (SELECT coalesce(max(id), 0) FROM meaning)"+serving, f.Model, f.Model)
	if err != nil || s.id == f.set.id && s.last == f.set.last {
		return f.set
	}
	if x.Rows(ctx, func(rows *sql.Rows) error {
		var id int64
		var hashes, bits sql.RawBytes
		err := rows.Scan(&id, &hashes, &bits)
		s.bits = append(s.bits, bits...)
		for id <<= 12; len(hashes) > 0; id, hashes = id+1, hashes[8:] {
			if binary.LittleEndian.Uint64(hashes) != 0 {
				s.ids = append(s.ids, id)
			}
		}
		return err
	}, "SELECT id, hashes, bits FROM meaning WHERE model = ? AND id <= ?", s.id, s.last) == nil {
		f.set = s
	}
	return f.set
}

// Like scores the pieces of notes whose meaning is nearest to that of a text: 1 for the nearest, 0 for the mean of the
// compared ones; scores below minAlike are left out. It returns nil if the server gives no vector in time.
func (f *Finder) Like(ctx context.Context, text string) map[index.Piece]float64 {
	x := f.Index(ctx)
	if x == nil {
		return nil
	}
	s := f.current(ctx, x)
	question := f.question(ctx, &s, text)
	if question == nil {
		return nil
	}
	ids := s.nearest(signs(question))
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
	}, "SELECT meaning.path, value & 4095, data FROM json_each(?) CROSS JOIN vector ON vector.id = value CROSS JOIN meaning ON meaning.id = value >> 12", string(chosen))
	for of, score := range like {
		if like[of] = (score - usual) / (most - usual); like[of] < minAlike || most == usual {
			delete(like, of)
		}
	}
	return like
}

// question returns the packed vector of a question, nil if the set is empty or the server gives none in time.
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
	vectors, _ := f.Embed(limited, s.name, []string{before + text}) // after an error it has none
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return nil
	case sizeOf(vectors, 1) != s.size:
		f.rest = time.Now().Add(restTime)
		return nil
	case len(f.questions)%maxQuestions == 0: // there are none yet, or too many
		f.questions = map[string][]byte{}
	}
	f.questions[key] = pack(vectors[0])
	return f.questions[key]
}

// introductions returns the prefixes that a model was trained with, for a text of a note and for a question.
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

// IsSent reports whether the texts of a note may go to a model: not those of private notes and saved chats.
func IsSent(n *vault.Note) bool { return n.Ordinary() }

// State counts the vectors that exist and those that are missing.
type State struct {
	Serves      string // the model whose vectors searches use, "" for none
	Done, Notes int    // notes with vectors of the wanted model, and all notes that get them
	Memory      int    // bytes in memory that searches need
	Trouble     error  // reason why missing vectors are not asked for now, nil for none
}

// State returns the state of the vectors. It asks no server.
func (f *Finder) State(ctx context.Context) (s State, err error) {
	if last := f.trouble.Load(); last != nil {
		s.Trouble = *last
	}
	for _, n := range f.Source.Notes() {
		if IsSent(n) {
			s.Notes++
		}
	}
	if x := f.Index(ctx); x != nil {
		err = x.Rows(ctx, func(rows *sql.Rows) error { return rows.Scan(&s.Serves, &s.Memory, &s.Done) },
			"WITH serves AS (SELECT *"+serving+`) SELECT coalesce(max(name), ''),
			(SELECT coalesce(sum(length(bits) + length(hashes)), 0) FROM meaning WHERE model = serves.id),
			(SELECT count(*) FROM note JOIN model ON model.id = vectors WHERE name = ?) FROM serves`,
			f.Model, f.Model, f.Model)
	}
	return s, err
}
