package index

import (
	"context"
	"database/sql"
	"errors"
)

// change writes in one transaction. After an error it does nothing.
type change struct {
	tx *sql.Tx
	// without a context: a batch is short, and the context would cost more than the statement
	statements map[string]*sql.Stmt
	err        error
}

// change calls f to change the file: all that it does, or nothing if it fails. Once begun, it
// does not end with ctx, which would roll the transaction back while f still works.
func (x *Index) change(ctx context.Context, f func(*change)) error {
	return x.use(ctx, func(db *sql.DB) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		tx, err := db.BeginTx(context.WithoutCancel(ctx), nil)
		if err != nil {
			return err
		}
		defer func() { _ = tx.Rollback() }() // after Commit it has nothing to do
		c := change{tx: tx, statements: map[string]*sql.Stmt{}}
		if f(&c); c.err != nil {
			return c.err
		}
		return tx.Commit()
	})
}

// Change calls f to change tables that another package keeps in the file: all that it does, or
// nothing.
func (x *Index) Change(ctx context.Context, f func(Exec)) error {
	return x.change(ctx, func(c *change) { f(c.exec) })
}

// statement returns a prepared statement, nil after an error.
func (c *change) statement(query string) *sql.Stmt {
	s := c.statements[query]
	if s == nil && c.err == nil {
		s, c.err = c.tx.Prepare(query)
		c.statements[query] = s
	}
	return s
}

// Exec changes rows, and returns the id of the last one that was inserted and how many were changed. After an error
// it does nothing, and nothing of the transaction is kept.
type Exec = func(query string, args ...any) (id, rows int64)

func (c *change) exec(query string, args ...any) (id, rows int64) {
	if s := c.statement(query); c.err == nil {
		var done sql.Result
		if done, c.err = s.Exec(args...); c.err == nil {
			id, _ = done.LastInsertId() // it and the next have no errors in SQLite
			rows, _ = done.RowsAffected()
		}
	}
	return id, rows
}

// row reads the first row of a query with one argument.
func (c *change) row(query string, arg any, to ...any) (found bool) {
	if s := c.statement(query); c.err == nil {
		if c.err = s.QueryRow(arg).Scan(to...); errors.Is(c.err, sql.ErrNoRows) {
			c.err = nil
			return false
		}
	}
	return c.err == nil
}

// column calls each with the values of a query for one column.
func (x *Index) column(ctx context.Context, each func(sql.RawBytes), query string, args ...any) error {
	return x.Rows(ctx, func(rows *sql.Rows) error {
		var column sql.RawBytes
		err := rows.Scan(&column)
		each(column)
		return err
	}, query, args...)
}

// Rows calls each for the rows of a query, until it returns an error.
func (x *Index) Rows(ctx context.Context, each func(*sql.Rows) error, query string, args ...any) error {
	return x.use(ctx, func(db *sql.DB) error {
		rows, err := db.QueryContext(ctx, query, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for err == nil && rows.Next() {
			err = each(rows)
		}
		return errors.Join(err, rows.Err())
	})
}
