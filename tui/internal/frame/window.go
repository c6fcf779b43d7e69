package frame

// Window is the part of n lines that is shown in height lines, so that line at stays near the middle of it.
//
// bubbles/list turns pages instead: at the end of a page the selected line jumps from the bottom to the top. It also
// has no headings between its lines, which the list of scenarios has, and keeps the lines, which here are new at
// every record.
func Window(n, at, height int) (from, to int) {
	from = min(max(at-height/2, 0), max(n-height, 0))
	return from, min(from+max(height, 0), n)
}
