// Package index finds notes.
package index
