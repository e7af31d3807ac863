// Package theme holds what all widgets of the screen share: colours by meaning, glyphs by meaning, and
// the one function that makes foreign text safe to show.
//
// A Theme is a value. New builds it from Options (dark or light, NO_COLOR, ASCII, colour depth) and
// nothing else: it reads no environment and asks no terminal, which is done once, at the top. A widget
// gets the Theme when it is made and again when it changes; it never keeps a style of its own in a
// package variable.
//
// There are three layers:
//
//   - Tokens name a colour by its meaning (Text, Muted, Cached, Drifted).
//   - Styles are the tokens as they are used.
//   - Glyphs repeat the meaning without colour. A glyph or a word stands beside every meaningful
//     colour, so a screen without colour loses nothing.
//
// # Foreign text
//
// Notes, replies, tool output, file names and error messages from elsewhere are foreign text: they may
// contain escape sequences that would move the cursor, write the clipboard or hide words. Every widget
// passes foreign text through Sanitize (or OneLine, for text that must stay on one line) before it
// styles it. Harmless text is returned as it is, without an allocation.
//
// # Concurrency
//
// A Theme, its Styles and its Glyphs are immutable after New and may be shared by any number of
// goroutines. The functions of the package keep no state.
package theme
