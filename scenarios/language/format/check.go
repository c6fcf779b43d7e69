package format

// Describe describes a check in one line.
func (c Check) Describe() string {
	text := c.Name + ": "
	switch {
	case c.Always != "":
		text += "always " + c.Always
	case c.Eventually != "":
		text += "eventually " + c.Eventually
	default:
		text += "at the end " + c.AtEnd
	}
	if c.From != "" {
		text += ", from " + c.From
	}
	if c.Until != "" {
		text += ", until " + c.Until
	}
	return text
}
