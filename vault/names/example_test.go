package names_test

import (
	"fmt"

	"ibid/vault"
	"ibid/vault/names"
)

// What a picker shows while a person types.
func ExampleFinder() {
	notes := []*vault.Note{
		vault.ParseNote("Piano/Lesson 4.md", "#lesson"),
		vault.ParseNote("Piano/Week 12.md", "---\naliases: [Lesson plan]\n---\n[[Lesson 4]]"),
		vault.ParseNote("Inbox/Guitar lesson ideas.md", ""),
	}
	all := names.New(notes, []vault.Path{"Files/les-paul.png"})
	links := vault.NewLinks(notes, func(target string, _ vault.Path) vault.FoundNote {
		return vault.FoundNote{State: vault.OK, Path: vault.Path("Piano/" + target + ".md")}
	})
	f := names.Finder{List: all, Near: links.Near("Piano/Lesson 4.md")}
	for _, query := range []string{"l", "le", "les", "less 4"} {
		fmt.Printf("%s: ", query)
		found, total := f.Find(query, 3)
		for _, m := range found {
			fmt.Printf("%s (%s); ", m.Title, m.Text)
		}
		fmt.Println(total)
	}
	// Output:
	// l: Lesson 4 (Lesson 4); Week 12 (Lesson plan); les-paul.png (les-paul.png); 6
	// le: Lesson 4 (Lesson 4); Week 12 (Lesson plan); les-paul.png (les-paul.png); 6
	// les: Lesson 4 (Lesson 4); Week 12 (Lesson plan); les-paul.png (les-paul.png); 6
	// less 4: Lesson 4 (Lesson 4); 1
}
