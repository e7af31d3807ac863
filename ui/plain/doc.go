// Package plain is ibid without a screen: it prints what happens at a desk as
// text for people, pipes and screen readers, or as one JSON object a line for
// programs.
package plain
