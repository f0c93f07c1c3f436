//go:build browser

package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// browser is a tab of Debian's chromium with a profile of its own, and what its console
// has said.
type browser struct {
	context.Context
	t    testing.TB
	root string // address of the server

	mu       sync.Mutex
	console  []string
	tolerate string // part of messages that are expected
}

// What a test in the browser may take, and how long it waits for something to happen: far more than it
// needs on a machine that has other work as well.
const (
	browserTime = 5 * time.Minute
	waitingTime = time.Minute
)

// openBrowser starts a browser; the test fails at its end if the console has errors.
func openBrowser(t testing.TB, address string) *browser {
	t.Helper()
	profile, err := os.MkdirTemp("", "gogotb-chromium-")
	if err != nil {
		t.Fatal(err)
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.UserDataDir(profile),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("lang", "en-US"), chromedp.Flag("hide-scrollbars", true),
	}
	allocator, cancelAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	root, cancelRoot := chromedp.NewContext(allocator, chromedp.WithErrorf(func(format string, args ...any) {
		// chromium is newer than the list of events
		if text := fmt.Sprintf(format, args...); !strings.Contains(text, "unhandled") {
			t.Log(text)
		}
	}))
	ctx, cancel := context.WithTimeout(root, browserTime)
	t.Cleanup(func() {
		chromedp.Cancel(root) // waits until the browser has gone
		cancel()
		cancelRoot()
		cancelAllocator()
		os.RemoveAll(profile)
	})
	b := &browser{Context: ctx, t: t, root: address}
	chromedp.ListenTarget(ctx, b.listen)
	t.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, line := range b.console {
			if b.tolerate == "" || !strings.Contains(line, b.tolerate) {
				t.Errorf("console: %s", line)
			}
		}
	})
	b.size(1280, 900)
	return b
}

// listen keeps errors and warnings of the console.
func (b *browser) listen(event any) {
	var line string
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		line = "exception: " + e.ExceptionDetails.Error()
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning {
			args, _ := json.Marshal(e.Args)
			line = string(e.Type) + ": " + string(args)
		}
	case *cdplog.EventEntryAdded:
		if e.Entry.Level == cdplog.LevelError || e.Entry.Level == cdplog.LevelWarning {
			line = fmt.Sprintf("%s: %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL)
		}
	}
	if line != "" {
		b.mu.Lock()
		b.console = append(b.console, line)
		b.mu.Unlock()
	}
}

// do runs actions; the test ends if one fails.
func (b *browser) do(actions ...chromedp.Action) {
	b.t.Helper()
	if err := chromedp.Run(b, actions...); err != nil {
		b.t.Fatalf("%v; the verdict is %q", err, b.tryText("#verdict-text"))
	}
}

// size sets the size of the window.
func (b *browser) size(width, height int64) {
	b.t.Helper()
	b.do(emulation.SetDeviceMetricsOverride(width, height, 1, false))
}

// telephone makes the window that of a telephone, with a finger.
func (b *browser) telephone() {
	b.t.Helper()
	b.do(emulation.SetDeviceMetricsOverride(390, 844, 2, true), emulation.SetTouchEmulationEnabled(true))
}

// open loads the page and waits until it shows an answer.
func (b *browser) open(query string) {
	b.t.Helper()
	b.do(chromedp.Navigate(b.root+"/"+query), chromedp.WaitReady(`html[data-ready="true"]`, chromedp.ByQuery))
	b.settle()
}

// settle waits until the answer for the position shown is there.
func (b *browser) settle() {
	b.t.Helper()
	b.until(`document.querySelector("#verdict").getAttribute("aria-busy") === "false"`)
}

// until waits for an expression to be true.
func (b *browser) until(expression string) {
	b.t.Helper()
	var ok bool
	if err := chromedp.Run(b, chromedp.Poll(expression, &ok, chromedp.WithPollingTimeout(waitingTime), chromedp.WithPollingInterval(30*time.Millisecond))); err != nil {
		b.t.Fatalf("%s: %v; the verdict is %q, the address %s", expression, err, b.tryText("#verdict-text"), b.value("location.search"))
	}
}

// value is an expression's value as text.
func (b *browser) value(expression string) string {
	b.t.Helper()
	var v any
	if err := chromedp.Run(b, chromedp.Evaluate(expression, &v)); err != nil {
		return "?"
	}
	return fmt.Sprint(v)
}

func (b *browser) text(selector string) string {
	b.t.Helper()
	return b.value(fmt.Sprintf("document.querySelector(%q).textContent.trim()", selector))
}

func (b *browser) tryText(selector string) string {
	return b.value(fmt.Sprintf("document.querySelector(%q)?.textContent.trim() ?? 'none'", selector))
}

// screenshot writes a picture into the folder of $SCREENSHOTS, if there is one.
func (b *browser) screenshot(name string) {
	b.t.Helper()
	dir := os.Getenv("SCREENSHOTS")
	if dir == "" {
		return
	}
	var picture []byte
	b.do(chromedp.CaptureScreenshot(&picture))
	if err := os.WriteFile(dir+"/"+name+".png", picture, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// awaitPromise has an expression's promise kept before its value is read.
func awaitPromise(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }
