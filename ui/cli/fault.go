package cli

import (
	"os"
	"path/filepath"
	"time"

	"ibid/ui/term"
	"ibid/vault/ownfile"
)

// The last panics are kept in a file of the state folder, so that they can be sent with a bug report: the newest
// first, as many as fit.
const (
	faultFile     = "fault.txt"
	maxFaultBytes = 64 << 10
)

func (p *parts) faultPath() string { return filepath.Join(p.folder.state, faultFile) }

// keepFault writes down a panic and returns a line that says where a bug report finds it.
func (p *parts) keepFault(effect string, value any, stack []byte) string {
	report := term.Report(effect, value, stack, time.Now())
	p.log.Error("panic", "effect", effect, "stack", string(stack))
	before, _ := ownfile.Read(p.faultPath()) // mostly there is none yet
	all := append([]byte(report), before...)
	err := ownfile.Replace(p.faultPath(), all[:min(len(all), maxFaultBytes)], 0o600)
	if err != nil {
		return "what a bug report needs could not be kept: " + ownfile.Reason(err).Error()
	}
	return p.folder.tilde(p.faultPath()) + " has what a bug report needs"
}

// faults tells of the kept panics.
func (d *doctor) faults(p *parts) {
	info, err := os.Stat(p.faultPath())
	if err != nil {
		return // mostly there was none
	}
	name := d.folder.tilde(p.faultPath())
	d.Note("faults", "send it with a bug report, then delete it", "%s tells of a panic of ibid, the last one %s", name,
		info.ModTime().Format("2006-01-02 15:04"))
}
