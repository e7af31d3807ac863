package tokens

import "math"

const (
	unknownImage = 1000 // tokens of an image of which nothing is known
	geminiImage  = 258  // tokens of a tile
)

// ImageTokens estimates what an image of width by height pixels costs a model,
// in tokens, by its vendor's published rule; 1,000 for an unknown vendor or size.
func ImageTokens(model string, width, height int) int {
	if width <= 0 || height <= 0 {
		return unknownImage
	}
	w, h := float64(width), float64(height)
	switch r := find(model); {
	case r == nil:
		return unknownImage
	case r.family == "claude":
		return claudeImage(r, w, h)
	case r.family == "gemini":
		return geminiImage * tiles(w, h, 768, 384)
	case r.cache.Kind == MatchBoundary, r.family == "o4", r.word == "mini", r.word == "nano":
		// Patches of 32 pixels, 1,536 at most; small models pay them several fold.
		patches := math.Min(1536, math.Ceil(w/32)*math.Ceil(h/32))
		if r.word == "mini" || r.family == "o4" {
			patches *= 1.62
		} else if r.word == "nano" {
			patches *= 2.46
		}
		return int(math.Ceil(patches))
	case r.cache.Kind == MatchPrefix && r.cache.Step == 128, r.word == "turbo":
		return openaiImage(w, h)
	}
	return unknownImage
}

// openaiImage: scaled into 2,048 by 2,048, then to a short side of 768; 170 for
// each tile of 512 pixels, and 85.
func openaiImage(w, h float64) int {
	w, h = within(w, h, 2048)
	if short := math.Min(w, h); short > 768 {
		w, h = w*768/short, h*768/short
	}
	return 85 + 170*int(math.Ceil(w/512)*math.Ceil(h/512))
}

// claudeImage: a token for 750 pixels after scaling to the longest side and the
// number of tokens that the model takes, both larger since 4.7.
func claudeImage(r *rule, w, h float64) int {
	long, most := 1568.0, 1600.0
	if r.factor > 1 {
		long, most = 2576, 4784
	}
	w, h = within(w, h, long)
	return int(math.Ceil(math.Min(most, w*h/750)))
}

// within scales a picture down until its longer side is at most side.
func within(w, h, side float64) (float64, float64) {
	if long := math.Max(w, h); long > side {
		return w * side / long, h * side / long
	}
	return w, h
}

// tiles is the number of tiles of side pixels; a picture whose sides are both at
// most small is one.
func tiles(w, h, side, small float64) int {
	if w <= small && h <= small {
		return 1
	}
	return int(math.Ceil(w/side) * math.Ceil(h/side))
}
