package tokens

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"ibid/vault/ownfile"
)

const (
	minFactor = 0.5
	maxFactor = 3.0

	observeFrom  = 256  // counted tokens below which the frame around the messages distorts the ratio
	observeFull  = 2048 // counted tokens from which an observation has its full weight
	startWeight  = 0.25 // weight of the start value, in observations of full weight
	memoryWeight = 4.0  // maximum weight of earlier observations, so that they fade

	truncateFrom  = 1536 // counted tokens below which no server cuts a prompt
	truncateBelow = 0.6  // share of the expected tokens below which the prompt was cut
	drift         = 0.8  // share of the start value to which observations may lower the expectation
)

// Calibration holds the ratios between providers' token counts and ours, per provider and model. The zero value is
// ready for use and is not saved.
type Calibration struct {
	path string

	mu      sync.Mutex
	factors map[string]map[string]modelFactor // by provider, then model
}

// modelFactor is the ratio for one model.
type modelFactor struct {
	Factor float64 `json:"factor"`
	Weight float64 `json:"weight"` // in observations of full weight
}

// stateFile is the file of a Calibration.
type stateFile struct {
	Version int                               `json:"version"`
	Factors map[string]map[string]modelFactor `json:"factors"`
}

// OpenCalibration reads the ratios from the file at path. If there is no file, or it has another content, it starts
// empty, and the file will be replaced. The result is always usable; after an error, which is one of reading the
// file, it is not saved.
func OpenCalibration(path string) (*Calibration, error) {
	learned, err := readState(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &Calibration{}, fmt.Errorf("read the token calibration: %w", err)
	}
	return &Calibration{path: path, factors: learned}, nil
}

// Factor returns the provider's tokens per token of ours: initially 1, or 1.3 for Claude 4.7 and later; always
// between 0.5 and 3.
func (c *Calibration) Factor(provider, model string) float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.factorOf(provider, model).Factor
}

// Observe learns from a request whose prompt was counted here and reported by the provider, in tokens. It ignores
// prompts of fewer than 256 tokens, and prompts that the server cut. It writes the file; an error is one of
// writing. Of several programs that share the file, the last one counts.
func (c *Calibration) Observe(provider, model string, counted, reported int) error {
	if counted < observeFrom || reported <= 0 {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	was := c.factorOf(provider, model)
	if was.truncated(model, counted, reported) {
		return nil
	}
	weight := min(1, float64(counted)/observeFull)
	share := weight / (was.Weight + weight)
	now := modelFactor{
		Factor: clamp(was.Factor + share*(clamp(float64(reported)/float64(counted))-was.Factor)),
		Weight: min(memoryWeight, was.Weight+weight),
	}
	if c.factors == nil {
		c.factors = map[string]map[string]modelFactor{}
	}
	if c.factors[provider] == nil {
		c.factors[provider] = map[string]modelFactor{}
	}
	c.factors[provider][model] = now
	if c.path == "" {
		return nil
	}
	if err := writeState(c.path, c.factors); err != nil {
		return fmt.Errorf("save the token calibration: %w", err)
	}
	return nil
}

// Truncated reports whether the server cut a prompt silently: it reported far fewer tokens than this model should
// count for a prompt of that size. It needs a prompt of at least 1,536 tokens.
func (c *Calibration) Truncated(provider, model string, counted, reported int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.factorOf(provider, model).truncated(model, counted, reported)
}

// truncated compares reported with the tokens that the model's tokenizer should count. A learned factor does not
// raise that expectation, because tools and templates add to it, and hardly lowers it, because a conversation that
// outgrows a window does so step by step and would teach a lower factor with each.
func (l modelFactor) truncated(model string, counted, reported int) bool {
	start := startFactor(model)
	expected := max(drift*start, min(start, l.Factor)) * float64(counted)
	return counted >= truncateFrom && reported > 0 && float64(reported) < truncateBelow*expected
}

// factorOf returns the ratio for a model. The caller holds mu.
func (c *Calibration) factorOf(provider, model string) modelFactor {
	if k, ok := c.factors[provider][model]; ok {
		return modelFactor{clamp(k.Factor), k.Weight} // the file may have been edited
	}
	return modelFactor{Factor: startFactor(model), Weight: startWeight}
}

func clamp(f float64) float64 { return max(minFactor, min(maxFactor, f)) }

// readState reads the file at path; it returns nil for another content.
func readState(path string) (map[string]map[string]modelFactor, error) {
	data, err := ownfile.Read(path)
	if err != nil {
		return nil, err
	}
	var f stateFile
	if json.Unmarshal(data, &f) != nil || f.Version != 1 {
		return nil, nil
	}
	return f.Factors, nil
}

// writeState replaces the file at path atomically.
func writeState(path string, learned map[string]map[string]modelFactor) error {
	data, err := json.MarshalIndent(stateFile{Version: 1, Factors: learned}, "", "  ")
	if err != nil {
		return err
	}
	return ownfile.Replace(path, append(data, '\n'), 0o600)
}
