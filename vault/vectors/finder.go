package vectors

import (
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/md"
)

const (
	chosenByBits = 500  // sections whose numbers are compared
	minAlike     = 0.25 // of what the best of them is

	questionTime = 800 * time.Millisecond // that a search waits for the vector of its question
	restTime     = 30 * time.Second       // that a server is not asked after it gave none
	maxQuestions = 256                    // vectors of questions
	maxQuestion  = 2000                   // runes of a question, as many as a piece of a note has
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
	dropped   chan struct{}     // gets a value for Run when a set was dropped; nil before
}

// set holds the bits of the vectors of one model, for searches.
type set struct {
	id, last int64 // of the model, and of the note that was added last
	name     string
	size     int          // numbers of a vector
	ids      []int64      // of vectors: the id of the note in the table meaning, and 12 bits for the number of the piece
	bits     []byte       // of them, one after the other
	damaged  []vault.Path // notes whose rows have lengths that do not fit: they are left out
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
	err = x.Rows(ctx, func(rows *sql.Rows) error {
		var id int64
		var path vault.Path
		var hashes, bits sql.RawBytes
		err := rows.Scan(&id, &path, &hashes, &bits)
		if err == nil && !s.add(id, hashes, bits) {
			s.damaged = append(s.damaged, path)
		}
		return err
	}, "SELECT id, path, hashes, bits FROM meaning WHERE model = ? AND id <= ?", s.id, s.last)
	if err == nil {
		f.set = s
	}
	return f.set
}

// add adds the vectors of a note. A row whose lengths do not fit the set and each other is left out.
func (s *set) add(id int64, hashes, bits []byte) bool {
	var ids []int64
	for nth := range len(hashes) / hashBytes {
		if binary.LittleEndian.Uint64(hashes[nth*hashBytes:]) != 0 {
			ids = append(ids, id<<12|int64(nth))
		}
	}
	if len(hashes)%hashBytes != 0 || len(bits) != len(ids)*signBytes(s.size) {
		return false
	}
	s.ids = append(s.ids, ids...)
	s.bits = append(s.bits, bits...)
	return true
}

// Like scores the pieces of notes whose meaning is nearest to that of a text: 1 for the nearest, 0 for the mean of the
// compared ones; scores below minAlike are left out. It returns nil if the server gives no vector in time.
func (f *Finder) Like(ctx context.Context, text string) map[index.Piece]float64 {
	x := f.Index(ctx)
	if x == nil {
		return nil
	}
	s := f.current(ctx, x)
	question := f.question(ctx, x, &s, text)
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
func (f *Finder) question(ctx context.Context, x *index.Index, s *set, text string) []byte {
	if s.size == 0 {
		return nil
	}
	text = md.Clip(text, maxQuestion)
	key := s.name + "\n" + text
	f.mu.Lock()
	kept := f.questions[key]
	rests := time.Now().Before(f.rest)
	f.mu.Unlock()
	if len(kept) == s.size {
		return kept
	}
	if rests {
		return nil
	}
	v := f.askQuestion(ctx, x, s, text)
	if v == nil {
		return nil
	}
	packed := pack(v)
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.questions)%maxQuestions == 0 { // there are none yet, or too many
		f.questions = map[string][]byte{}
	}
	f.questions[key] = packed
	return packed
}

// askQuestion asks a server for the vector of a question. A server that is late or fails is left alone for a while, but
// not for a question that it does not take.
func (f *Finder) askQuestion(ctx context.Context, x *index.Index, s *set, text string) []float32 {
	_, before := introductions(s.name)
	limited, cancel := context.WithTimeout(ctx, questionTime)
	defer cancel()
	a := asker{ask: f.Embed, model: s.name, size: s.size}
	answer, err := f.Embed(limited, s.name, []string{before + text})
	size := 0
	if err == nil {
		size, err = a.sizeOf(limited, answer)
	}
	switch {
	case ctx.Err() != nil || errors.Is(err, ErrText):
		return nil
	case err == nil && size != s.size: // another model has the name by now
		_ = dropSet(ctx, x, s.id) // what fails now is tried again with the next question
		f.sayDropped()
		return nil
	case err != nil:
		f.mu.Lock()
		f.rest = time.Now().Add(restTime)
		f.mu.Unlock()
		return nil
	case len(answer) != 1 || len(answer[0]) != s.size || !isUsable(answer[0]):
		return nil
	}
	return answer[0]
}

// sayDropped has Run make the vectors anew.
func (f *Finder) sayDropped() {
	f.mu.Lock()
	defer f.mu.Unlock()
	select {
	case f.dropped <- struct{}{}:
	default: // it knows, or nothing runs
	}
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
	Refused     int    // sections of these that the server does not take
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
		err = x.Rows(ctx, func(rows *sql.Rows) error { return rows.Scan(&s.Serves, &s.Memory, &s.Done, &s.Refused) },
			"WITH serves AS (SELECT *"+serving+`) SELECT coalesce(max(name), ''),
			(SELECT coalesce(sum(length(bits) + length(hashes)), 0) FROM meaning WHERE model = serves.id),
			(SELECT count(*) FROM note JOIN model ON model.id = vectors WHERE name = ?),
			(SELECT coalesce(sum(refused), 0) FROM meaning JOIN model ON model.id = model WHERE name = ?) FROM serves`,
			f.Model, f.Model, f.Model, f.Model)
	}
	return s, err
}
