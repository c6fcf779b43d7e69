// Package qr draws addresses as QR codes, which phones scan: as the path of an SVG picture in a page, and as half blocks in a terminal.
package qr

import (
	"fmt"
	"image/color"
	"strings"

	"github.com/boombuler/barcode/qr"
)

// Code is a QR code.
type Code struct {
	// Size is how many modules it has in each direction, without the quiet zone around it.
	Size  int
	black [][]bool
}

// quiet is the width of the white border that scanners need, in modules.
const quiet = 4

// New encodes a text, which is an address. A camera reads it with 15% of it covered (level M). A text that is too long for a QR code,
// more than about 2,300 bytes, is an error.
func New(text string) (*Code, error) {
	drawn, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		return nil, fmt.Errorf("make a QR code: %w", err)
	}
	bounds := drawn.Bounds()
	c := &Code{Size: bounds.Dx()}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		row := make([]bool, 0, c.Size)
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			row = append(row, color.GrayModel.Convert(drawn.At(x, y)).(color.Gray).Y < 128)
		}
		c.black = append(c.black, row)
	}
	return c, nil
}

// Black reports whether a module is black. Those outside of the code are white.
func (c *Code) Black(x, y int) bool {
	return y >= 0 && y < c.Size && x >= 0 && x < c.Size && c.black[y][x]
}

// Width is the size of the picture with the quiet zone, in modules.
func (c *Code) Width() int { return c.Size + 2*quiet }

// Path is the black part as the path of an SVG picture. A module is 1 wide, and the picture Width().
func (c *Code) Path() string {
	var b strings.Builder
	for y := range c.Size {
		for x := 0; x < c.Size; x++ {
			from := x
			for c.Black(x, y) {
				x++
			}
			if x > from {
				fmt.Fprintf(&b, "M%d %dh%dv1h-%dz", from+quiet, y+quiet, x-from, x-from)
			}
		}
	}
	return b.String()
}

// Terminal draws the code with half blocks, two modules a character, in black on white whatever the colors of the terminal are.
func (c *Code) Terminal() string {
	var b strings.Builder
	for y := -quiet; y < c.Size+quiet; y += 2 {
		b.WriteString("\x1b[30;107m")
		for x := -quiet; x < c.Size+quiet; x++ {
			b.WriteString(map[[2]bool]string{
				{false, false}: " ", {true, false}: "▀", {false, true}: "▄", {true, true}: "█",
			}[[2]bool{c.Black(x, y), c.Black(x, y+1)}])
		}
		b.WriteString("\x1b[0m\n")
	}
	return b.String()
}
