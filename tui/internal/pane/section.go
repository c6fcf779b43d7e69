package pane

// section is a part of a pane that may be left out when there is no room.
type section struct {
	// keep is how long it stays: the section with the lowest goes first.
	keep  int
	lines []string
}

// fitSections leaves out sections until the others fit.
func fitSections(sections []section, height int) []string {
	for {
		total, lowest := 0, 0
		for i, s := range sections {
			total += len(s.lines)
			if s.keep < sections[lowest].keep {
				lowest = i
			}
		}
		if total <= height || len(sections) == 1 {
			break
		}
		sections = append(append([]section{}, sections[:lowest]...), sections[lowest+1:]...)
	}
	var lines []string
	for _, s := range sections {
		lines = append(lines, s.lines...)
	}
	return lines
}
