package query

// An expr is a part of an expression, which has a value for each row. What goes wrong is kept in the run, see fail.
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
		fn   any // of functions
		args []expr
	}
	callOf struct { // of what an expression gives
		fn   expr
		args []expr
	}
	linkTo  struct{ link link }            // as written, to be resolved
	dateFor struct{ name, written string } // today, or 2026-03-04: in the zone of the clock

	// Of bases only.
	ifOf    struct{ args []expr } // if(condition, value, other)
	filters struct{ of expr }     // does not hold where it cannot be evaluated
	unknown struct{ err error }   // a formula that was not understood
)
