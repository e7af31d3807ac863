package vault

// Op says what happened to a file.
type Op int

// The things that happen to files.
const (
	Created Op = iota
	Modified
	Removed
	Renamed
)

// String is the operation in one lower-case word.
func (o Op) String() string {
	switch o {
	case Created:
		return "created"
	case Modified:
		return "modified"
	case Removed:
		return "removed"
	case Renamed:
		return "renamed"
	}
	return "unknown"
}

// Change is one difference between two states of the vault: a note or an
// attachment that came, changed, went or moved. A folder has no Change of its
// own; the files in it have.
type Change struct {
	Op   Op
	Path Path // where the file is now; for Removed, where it was
	From Path // Renamed only: where it was
}
