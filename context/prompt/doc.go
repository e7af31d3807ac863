// Package prompt is the context engine of ibid: it decides what a model sees.
package prompt
