// Package statespace draws the states of a search for orders (package orders) as an SVG, and as a page around it.
//
// The run in which all choices are 0 is a straight line from the left to the right. Every run that finds states of its own leaves a
// line that is already there, has a lane beside it, and joins a line again where it reaches a state that another run has been in:
//
//	          o--o            lane -1
//	         /    \
//	o--o--o--o--o--o--o--O    lane 0, the default run
//	    \         /
//	     o-------o            lane 1
//
//	layout.go   where states and ends are: columns by time and depth, and rows of columns if there are many
//	lanes.go    which lane a run has
//	edges.go    the lines of choices
//	draw.go     the SVG
//	page.go     the page
package statespace
