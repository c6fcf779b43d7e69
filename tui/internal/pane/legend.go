package pane

import "github.com/kubestep/kubestep/sim/recording"

// Legend explains glyphs that belong together.
type Legend struct {
	Title string
	// Glyphs are pairs of a glyph and what it means.
	Glyphs [][2]string
}

// Legends explains all glyphs of the screen.
func Legends() []Legend {
	pods := Legend{Title: "Pods"}
	for p := recording.Pending; p <= recording.Succeeded; p++ {
		pods.Glyphs = append(pods.Glyphs, [2]string{p.Mark(), p.Word()})
	}
	bar := Legend{Title: "The timeline", Glyphs: [][2]string{{"▲", "the cursor"}}}
	for _, s := range signs {
		bar.Glyphs = append(bar.Glyphs, [2]string{s.glyph, s.word})
	}
	bar.Glyphs = append(bar.Glyphs, [2]string{partedGlyph, "here the branch diverges from its parent"},
		[2]string{"╌", "a long wait, shortened"})
	return []Legend{pods, bar, {"The ruler of a rollout", [][2]string{
		{"┃", "the limit that applies: minimum available, maximum Pods, all updated"},
		{"│", "the other limits"},
	}}, {"The trace", [][2]string{
		{"▸", "the record at the cursor"}, {">", "an action of the scenario"}, {"|", "a note"}, {"?", "a question"}, {"=", "its answer"},
		{partedGlyph, "the first record that the parent does not have"},
		{"◂", "what caused it"}, {"<-", "why a sync ran"},
	}}, {"Queues and objects", [][2]string{
		{"●", "a change that the cache has not received yet"}, {"*", "the object that the record wrote"},
	}}}
}
