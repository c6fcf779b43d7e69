package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/sim/simtest/golden"
)

// TestGrowth holds the table of the page to the curves, and the pictures to the table.
func TestGrowth(t *testing.T) {
	data, err := os.ReadFile(pageFile)
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	for _, c := range curves() {
		points, err := pointsOf(page, c.name)
		if err != nil {
			t.Fatal(err)
		}
		var sizes []int
		for _, p := range points {
			sizes = append(sizes, int(p.size))
		}
		if fmt.Sprint(sizes) != fmt.Sprint(c.sizes) {
			t.Errorf("the page has %s of %v, and the sizes are %v: make performance", c.name, sizes, c.sizes)
			continue
		}
		file := pictureFile(pageFile, c.name)
		golden.Compare(t, file, picture(c, points))
		if !strings.Contains(page, "](images/growth-"+c.name+".svg)") {
			t.Errorf("the page does not show %s", file)
		}
	}
}

// TestTheScenariosOfGrowth reads what is measured.
func TestTheScenariosOfGrowth(t *testing.T) {
	for _, c := range curves() {
		for _, size := range c.sizes {
			if _, err := (&workload{text: c.text(size)}).load(); err != nil {
				t.Errorf("%d %s: %v", size, c.axis, err)
			}
		}
	}
}

// TestPicture holds that a picture is well-formed, has colors for light and dark, and draws nothing outside of its panels.
func TestPicture(t *testing.T) {
	c := curve{name: "things", axis: "things & others"}
	text := picture(c, []point{{10, 0.31, 170}, {100, 0.9, 250}, {2000, 17, 1100}})
	decoder := xml.NewDecoder(strings.NewReader(text))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		start, _ := token.(xml.StartElement)
		for _, a := range start.Attr {
			var x, y float64
			if n, _ := fmt.Sscanf(a.Value, "%f,%f", &x, &y); a.Name.Local == "points" && (n != 2 || x < 0 || x > pictureWidth) {
				t.Errorf("points at %s", a.Value)
			}
		}
	}
	for _, want := range []string{"prefers-color-scheme: dark", "things &amp; others", "CPU time (s)", "Peak memory (MB)", ">2000<", ">0.2<"} {
		if !strings.Contains(text, want) {
			t.Errorf("the picture has no %q", want)
		}
	}
}

func TestAround(t *testing.T) {
	for _, c := range []struct{ least, most, from, to float64 }{
		{10, 2000, 10, 2000}, {0.31, 17, 0.2, 20}, {170, 1100, 100, 2000}, {0.05, 0.05, 0.05, 0.1}, {99, 101, 50, 200},
	} {
		if s := around(c.least, c.most, 0, 1); s.least != c.from || s.most != c.to {
			t.Errorf("%v to %v: %v to %v", c.least, c.most, s.least, s.most)
		}
	}
}
