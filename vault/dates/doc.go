// Package dates reads what people write of days: "2024-01-15", "last week",
// "between May and June", "vor 3 Tagen", "la semaine dernière", "上周五". It knows
// English, German, French, Spanish, Chinese and Japanese; words.txt has the words.
//
// A Range is whole days in the time zone of the moment that it is read at. Weeks
// begin on Monday. What leaves the year open means the last one that is over or
// running: in January "May" is that of the year before. A text that speaks of a time
// in words of which some are not understood is no time: better none than a wrong one.
//
// [Format] writes a moment in the formats of Moment, as Obsidian names notes.
//
// All of it are pure functions in time proportional to the length of the text.
package dates
