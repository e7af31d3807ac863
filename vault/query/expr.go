package query

// An expr is a part of an expression; it has a value for each row. Errors are kept in the run, see fail.
type expr interface {
	eval(r *run, row object) any
}

type (
	literal  struct{ value any }
	variable struct{ name string }
	wholeRow struct{} // row: all names of the row
	notExpr  struct{ of expr }
	binary   struct {
		op          string
		left, right expr
	}
	listOf   struct{ items []expr }
	objectOf struct {
		names  []string
		values []expr
	}
	lambdaOf struct {
		params []string
		body   expr
	}
	index struct{ of, key expr }
	call  struct {
		name string
		fn   any // a function, see queryFunctions
		args []expr
	}
	linkTo  struct{ link link }            // as written, not resolved yet
	dateFor struct{ name, written string } // today, or 2026-03-04: in the time zone of the clock

	// For bases only.
	ifOf    struct{ args []expr } // if(condition, value, other)
	filters struct{ of expr }     // false where it cannot be evaluated
	unknown struct{ err error }   // a formula that could not be parsed
)
