package export

import (
	"path"

	"github.com/kubestep/kubestep/scenarios/reading/localization"
	"github.com/kubestep/kubestep/scenarios/web/internal/catalog"
	"github.com/kubestep/kubestep/scenarios/web/page"
)

// folderOf is the folder of the pages in a language, in that of all pages: none for English.
func folderOf(language *localization.Language) string {
	if language == nil {
		return "."
	}
	return language.Tag
}

// way leads from a page in a language to a file in the folder of all pages: ../index.html from de/create.html.
func way(from *localization.Language, to string) string {
	if from == nil {
		return to
	}
	return path.Join("..", to)
}

// translations lead from the page of a lesson in a language to those in all others, English first.
func translations(name string, languages []*localization.Language, from *localization.Language) (all []page.Translation) {
	for _, to := range append([]*localization.Language{nil}, languages...) {
		all = append(all, page.Translation{Tag: to.String(), Name: to.Name(), Href: way(from, path.Join(folderOf(to), name+".html"))})
	}
	return all
}

// leads sets the links of a page: to the list that has it, to the next lesson, in its language if there is one, and to the page in
// other languages.
func leads(lesson *page.Lesson, of, next *catalog.Entry, languages []*localization.Language, in *localization.Language) {
	lesson.Up, lesson.UpTitle = way(in, catalog.CourseFile), in.Page("Course")
	if of.Unit == "" {
		lesson.Up, lesson.UpTitle = way(in, catalog.GalleryFile), catalog.GalleryTitle
	}
	for _, other := range translations(of.Name, languages, in) {
		if other.Tag != in.String() {
			lesson.Translations = append(lesson.Translations, other)
		}
	}
	if next == nil {
		return
	}
	lesson.Next, lesson.NextTitle = next.Name+".html", in.Lesson(next.Title)
	if !in.Has(next.Name) {
		lesson.Next = way(in, lesson.Next)
	}
}
