package vault

// Op is a kind of change.
type Op string

// The kinds of changes.
const (
	Created  Op = "created"
	Modified Op = "modified"
	Removed  Op = "removed"
	Renamed  Op = "renamed"
)

// Change is one difference between two states of the vault: a note or an attachment was created, modified,
// removed or renamed. A folder has no Change of its own; the files in it have.
type Change struct {
	Op   Op
	Path Path // present path; for Removed, the last one
	From Path // Renamed only: the path before
}
