// Package query answers the queries that people keep in their notes: blocks of the dataview language, and
// bases. It uses the vault's metadata and, where a query needs fields, lists or tasks in the text, the notes
// themselves; it writes nothing.
//
// # Queries
//
// LIST, TABLE and TASK, WITHOUT ID, AS; then FROM with folders and files in quotes, #tags, [[links]],
// outgoing([[links]]), and, or, negation by - or !, and parentheses; then any number of WHERE, SORT with
// several keys, LIMIT, FLATTEN and GROUP BY with rows, which are applied in the order in which they are
// written. Lines that begin with // are comments.
//
// Expressions have numbers, texts, true, false, null, lists, objects, [[links]], date(today) and the other days
// of the calendar, date(2026-03-04), dur(1 week), functions as (x) => x + 1, the operators = != < <= > >= + - *
// / % and or !, evaluated from left to right, "and" and "or" with the same rank, and parts of values: of a link
// those of its note, of dates and durations their units, of a list those of all items. Values of different
// types are never equal; null is less than everything.
//
// The functions are all, any, array, average, ceil, choice, contains, containsword, date, dateformat, default,
// dur, econtains, endswith, filter, flat, floor, icontains, join, ldefault, length, link, list, lower, map,
// max, meta, min, none, nonnull, number, object, product, regexmatch, regexreplace, regextest, replace,
// reverse, round, sort, split, startswith, string, striptime, substring, sum, trunc, truncate, typeof, unique
// and upper.
//
// A note has its properties, the fields in its text (key:: value on a line, [key:: value] and (key:: value)
// within one) and file with name, path, folder, ext, link, size, ctime, mtime, cday, mday, day, tags, etags,
// aliases, inlinks, outlinks, tasks, lists and frontmatter. An item of a list has text, task, line, lineCount,
// path, section, link, tags, outlinks, children, parent and blockId, a task also status, checked, completed and
// fullyCompleted, both the fields in their text.
//
// # Bases
//
// Views of the type table with filters (and, or, not), formulas, names of columns, order, sort and limit.
// Expressions have the operators == != < <= > >= + - * / % && || !, the functions date, duration, if, link,
// list, max, min, now, number and today, and the methods abs, asFile, asLink, ceil, contains, containsAll,
// containsAny, date, endsWith, filter, flat, floor, hasLink, hasProperty, hasTag, inFolder, isEmpty, join,
// linksTo, lower, map, replace, reverse, round, slice, sort, split, startsWith, toString, trim, unique and
// upper. Bases see the properties of notes, not the fields in their text. Texts that are numbers count as
// numbers. file.name has no .md. Missing values are sorted last.
//
// # What is not supported
//
// CALENDAR, other kinds of views, scripts, and every unknown word give an Error that names the word: a table is
// never something else than the query asks for. Differences from the programs that these languages come from:
// dates are written as 2026-03-04 and durations in days and shorter units; the difference of two dates is a
// number of days by the calendar; TASK lists each matching task once, without other tasks below it; sum and
// average ignore null; code has no fields; the functions of regular expressions are those of Go; numbers in
// texts are ordered by value, and emoji and Han characters by their code points.
//
// # What is left out
//
// Private notes, saved chats and what the vault excludes contribute nothing, not even their paths. A query
// makes at most 100,000 rows, and texts of at most 1 MiB; it ends with its context.
//
// # Concurrency
//
// An Engine may be used from any goroutine. A Query, a Base and a Result never change after they were made. The
// package starts no goroutines.
package query
