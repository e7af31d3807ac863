package vault

// Op says what happened to a file.
type Op string

// The things that happen to files.
const (
	Created  Op = "created"
	Modified Op = "modified"
	Removed  Op = "removed"
	Renamed  Op = "renamed"
)

// Change is one difference between two states of the vault: a note or an
// attachment that came, changed, went or moved. A folder has no Change of its
// own; the files in it have.
type Change struct {
	Op   Op
	Path Path // where the file is now; for Removed, where it was
	From Path // Renamed only: where it was
}
