package index

import (
	"context"
	"database/sql"
	"errors"
)

// change is what is written in one transaction. After an error it does nothing.
type change struct {
	tx         *sql.Tx
	statements map[string]*sql.Stmt // A batch is short, and written to its end: none of them looks at a context, which costs more than it does
	err        error
}

// change calls f to change the file: all that it does, or nothing if it fails. Once begun,
// it is made to its end, whatever ctx says: else what it has done goes away beneath it.
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

// Change calls f to change tables of the file that another package keeps: all that it does, or
// nothing.
func (x *Index) Change(ctx context.Context, f func(Exec)) error {
	return x.change(ctx, func(c *change) { f(c.exec) })
}

// statement is one that was prepared, nil after an error.
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

// row reads the row that a query finds for arg, if there is one.
func (c *change) row(query string, arg any, to ...any) (found bool) {
	if s := c.statement(query); c.err == nil {
		if c.err = s.QueryRow(arg).Scan(to...); errors.Is(c.err, sql.ErrNoRows) {
			c.err = nil
			return false
		}
	}
	return c.err == nil
}

// column gives each the one column of a query.
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
