package keystore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"time"
	"unicode"
)

const (
	commandTime = 30 * time.Second // a command may ask the user for a password
)

// Clean is a key without the blanks and quotes that come along when it is copied.
func Clean(key string) string {
	return strings.TrimFunc(key, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("\"'`“”‘’\ufeff", r)
	})
}

// Words splits a command into its words, which quotes hold together. There is no
// shell: what only a shell understands is an error.
func Words(command string) ([]string, error) {
	quoted := regexp.MustCompile(`"([^"]*)"|'([^']*)'`)
	word := regexp.MustCompile("(?:" + quoted.String() + "|[^\\s\"'|&;<>$`()])+")
	words := word.FindAllString(command, -1)
	for i := range words {
		words[i] = quoted.ReplaceAllString(words[i], "$1$2")
	}
	switch rest := strings.TrimSpace(word.ReplaceAllString(command, "")); {
	case rest != "" && strings.Contains(`"'`, rest[:1]):
		return nil, errors.New("a quote is not closed")
	case rest != "":
		return nil, fmt.Errorf(
			"%q is for a shell, and none is started: put the command into a script, or that into quotes", rest[:1])
	case len(words) == 0:
		return nil, errors.New("it names no command")
	}
	return words, nil
}

// Run gives the key that a command prints as its first line. What else the command
// says is not repeated, for it may hold the key.
func Run(ctx context.Context, command string) (string, error) {
	words, err := Words(command)
	if err != nil {
		return "", fmt.Errorf("run key_command: %w", err)
	}
	inner, cancel := context.WithTimeout(ctx, commandTime)
	defer cancel()
	var out strings.Builder
	c := exec.CommandContext(inner, words[0], words[1:]...)
	c.Stdout, c.WaitDelay = &out, time.Second
	err = c.Run()
	line, _, _ := strings.Cut(strings.TrimSpace(out.String()), "\n")
	key := Clean(line)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case inner.Err() != nil:
		err = fmt.Errorf("it took longer than %v", commandTime)
	case err != nil:
		err = cmp.Or(errors.Unwrap(err), err) // without the path of a command that cannot be started
	case key == "":
		err = errors.New("it printed no key")
	default:
		return key, nil
	}
	return "", fmt.Errorf("run key_command %s: %w", words[0], err)
}
