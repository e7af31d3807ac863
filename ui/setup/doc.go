// Package setup is the pages about what the program is set up with: settings, providers and
// their keys, models, vaults, themes. They work with what the program hands over
// ([Settings], [Providers], [Models], [Vaults]), know nothing of chats, and answer with
// requests. [VaultChoice] is a program of one page, for when no vault is known yet.
//
// What is read or written runs in commands; the pages belong to the loop of the program.
package setup
