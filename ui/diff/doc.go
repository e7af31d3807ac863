// Package diff draws the changes of a text: hunk by hunk, with line numbers and marks for the words
// that differ, in one column or side by side.
//
// [Draw] and [Text] are pure functions. The texts may be foreign: each row has the requested width at
// most, and contains only text and styles.
package diff
