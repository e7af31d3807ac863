// Package dates parses days and periods as people write them: "2024-01-15", "last week", "between May and
// June", "vor 3 Tagen", "la semaine dernière", "上周五". It knows English, German, French, Spanish, Chinese and
// Japanese; words.txt has the words.
//
// A Range consists of whole days in the time zone of the moment to which the text is relative. Weeks begin on
// Monday. Without a year, the last period that is over or running is meant: in January "May" is that of the
// year before. A text in which some words of time are not understood gives no range: none is better than a
// wrong one.
//
// [Format] formats a time by the formats of Moment, which Obsidian uses to name notes. [Layout] reads what it has
// written, and [Names] reads the dates in the names of notes: by the formats of a vault, then by common ones.
//
// All functions are pure and take time proportional to the length of the text.
package dates
