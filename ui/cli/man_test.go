package cli

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"
)

// program runs the program in process, without a terminal and an environment.
func program(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = Run(t.Context(), Env{
		Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs,
		Getenv: func(string) string { return "" }, Dir: t.TempDir(), Version: "1.2.3",
	})
	return status, out.String(), errs.String()
}

// Wrong words after commands that come from the command library are mistakes of
// usage as everywhere else.
func TestUnknownWords(t *testing.T) {
	for args, want := range map[string]int{
		"help": 0, "help ask": 0, "help chats show": 0, "help nothing": 2, "help chats nothing": 2,
		"completion bash": 0, "completion powershell": 0, "completion": 2, "completion tcsh": 2, "completion zsh twice": 2,
		"man": 0, "man twice": 2, "--version": 0,
	} {
		status, stdout, stderr := program(t, strings.Fields(args)...)
		if status != want {
			t.Errorf("ibid %s: exit status %d, want %d", args, status, want)
		}
		if want == 0 && (stdout == "" || stderr != "") || want != 0 && (stdout != "" || strings.Count(stderr, "\n") != 1) {
			t.Errorf("ibid %s: standard output %.60q, standard error %q", args, stdout, stderr)
		}
	}
}

// The manual names every command and flag that a person can see, and nothing
// in it is taken for a request of the format.
func TestManual(t *testing.T) {
	_, man, _ := program(t, "man")
	a := &app{env: Env{Version: "1.2.3"}}
	root := a.makeCommands()
	requireKnownWords(root)
	for _, c := range root.Commands() {
		if c.Name() != "help" && !strings.Contains(man, `\fB`+strings.ReplaceAll(c.Name(), "-", `\-`)+`\fP`) {
			t.Errorf("the manual lacks the command %s", c.Name())
		}
	}
	for _, line := range strings.Split(root.LocalFlags().FlagUsages(), "\n") {
		_, rest, _ := strings.Cut(line, "--")
		if name, _, _ := strings.Cut(rest, " "); name != "" && name != "help" && !strings.Contains(man, `\fB`+strings.ReplaceAll("--"+name, "-", `\-`)+`\fP`) {
			t.Errorf("the manual lacks the flag --%s", name)
		}
	}
	for _, line := range strings.Split(man, "\n") {
		if strings.HasPrefix(line, ".") && !strings.Contains(" .nh .TH .SH .SS .PP .TP .RS .RE .IP .EX .EE .TS .TE .br .nf .fi ", " "+strings.Fields(line)[0]+" ") {
			t.Errorf("a line reads as a request: %q", line)
		}
		if strings.HasPrefix(line, "'") && line != `'\" t` {
			t.Errorf("a line reads as a request: %q", line)
		}
	}
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("groff is not here to judge the page")
	}
	c := exec.Command(groff, "-k", "-t", "-man", "-ww", "-Tutf8", "-z")
	c.Stdin = strings.NewReader(man)
	if out, err := c.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("groff: %v\n%s", err, out)
	}
}
