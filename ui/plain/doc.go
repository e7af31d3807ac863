// Package plain is ibid without a screen: it prints the events of a desk as text for people, pipes and screen
// readers, or as JSON, one object per line, for programs.
package plain
