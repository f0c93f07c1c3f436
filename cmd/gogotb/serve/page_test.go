package serve

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	imported  = regexp.MustCompile(`(?m)^import .* from "\./([\w-]+\.js)";$`)
	preloaded = regexp.MustCompile(`<link rel="modulepreload" href="js/([\w-]+\.js)">`)
	entered   = regexp.MustCompile(`<script type="module" src="js/([\w-]+\.js)">`)
)

// TestModulesAreNamed: each page names all modules that it takes, so that a browser asks for all of them at once
// instead of finding them one after the other.
func TestModulesAreNamed(t *testing.T) {
	files := pageFiles()
	for _, page := range []string{"/index.html", "/about.html"} {
		text := string(files[page].content)
		entry := entered.FindStringSubmatch(text)
		if entry == nil {
			t.Fatalf("%s has no script", page)
		}
		needed := []string{entry[1]}
		for i := 0; i < len(needed); i++ {
			file := files["/js/"+needed[i]]
			if file == nil {
				t.Fatalf("%s: there is no %s", page, needed[i])
			}
			for _, m := range imported.FindAllStringSubmatch(string(file.content), -1) {
				if !slices.Contains(needed, m[1]) {
					needed = append(needed, m[1])
				}
			}
		}
		needed = needed[1:]
		var named []string
		for _, m := range preloaded.FindAllStringSubmatch(text, -1) {
			named = append(named, m[1])
		}
		slices.Sort(needed)
		slices.Sort(named)
		if !slices.Equal(needed, named) {
			t.Errorf("%s names  %v,\nbut needs %v", page, named, needed)
		}
	}
}

// TestFilesHaveTypes: a browser takes a file for what it is called, and for nothing else.
func TestFilesHaveTypes(t *testing.T) {
	for name, file := range pageFiles() {
		if file.contentType == "" || len(file.content) == 0 || !strings.HasPrefix(name, "/") {
			t.Errorf("%s: %q, %d bytes", name, file.contentType, len(file.content))
		}
	}
}
