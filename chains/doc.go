// Package chains runs the life of a turn: prompt, model, events, history.
package chains
