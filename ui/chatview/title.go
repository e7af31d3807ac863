package chatview

import "context"

// naming ends the asking for a title.
type naming struct{ Cancel context.CancelFunc } // nil if none is asked for

// Stop gives up the title that is being asked for: what is sent goes first.
func (n *naming) Stop() {
	if n.Cancel != nil {
		n.Cancel()
		n.Cancel = nil
	}
}
