package chatview

import "context"

// titleRequest ends the asking for a title.
type titleRequest struct{ Cancel context.CancelFunc } // nil if none is asked for

// Stop gives up the title that is being asked for: what is sent goes first.
func (n *titleRequest) Stop() {
	if n.Cancel != nil {
		n.Cancel()
		n.Cancel = nil
	}
}
