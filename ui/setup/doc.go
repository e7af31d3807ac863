// Package setup has the pages for the setup of the program: settings, providers and their keys, models,
// vaults, themes. They use the interfaces that the program provides ([Settings], [Providers], [Models],
// [Vaults]), do not depend on chats, and answer with requests. [VaultChoice] is a program of one page,
// for a start without a vault.
//
// Reading and writing runs in commands; the pages belong to the loop of the program.
package setup
