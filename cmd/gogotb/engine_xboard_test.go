//go:build conformance

package main

import (
	"bytes"
	"fmt"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// Debian's xboard, on a display without a screen, lets our engine play Fairy-Stockfish, from either side. The
// screenshots, in the folder that GOGOTB_SCREENSHOTS names, are for people to look at.
func TestXBoard(t *testing.T) {
	for name, black := range map[string]string{"white": "false", "black": "true"} {
		t.Run(name, func(t *testing.T) {
			x := startXBoard(t, "-scp", patientFairyStockfish(t), "-mode", "TwoMachines", "-firstPlaysBlack", black, "-timeControl", "0:05", "-timeIncrement", "0")
			log := x.wait(t, "result", regexp.MustCompile(`>first : result (\S+) \{(.*)\}`))
			for line := range strings.Lines(log) {
				if strings.Contains(line, "llegal") || strings.Contains(line, "orfeit") || strings.Contains(line, "<first : Error") {
					t.Errorf("%s in\n%s", line, log)
				}
			}
			for _, want := range []string{
				">first : variant minishogi", "<first : setup (P.BR.S...G.+.++.+Kp.br.s...g.+.++.+k) 5x5+5_shogi ", ">first : level 0 0:05 0",
				">first : time ", "<first : move ", ">second: usermove", "<second: move ", ">first : usermove",
			} {
				if !strings.Contains(log, want) {
					t.Errorf("no %q in\n%s", want, log)
				}
			}
			x.screenshot(t, name)
		})
	}
}

// patientFairyStockfish asks XBoard to wait for its features longer than the usual ten seconds, which a busy
// machine may need to load it.
func patientFairyStockfish(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "second")
	script := fmt.Sprintf("#!/bin/sh\necho feature done=0\nexec '%s'\n", fairyStockfish(t))
	if err := os.WriteFile(name, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return name
}

// xBoard is a running xboard with its debug log.
type xBoard struct {
	display string
	log     string
}

// startXBoard starts xboard with our engine as the first.
func startXBoard(t *testing.T, args ...string) *xBoard {
	t.Helper()
	for _, name := range []string{"Xvfb", "import"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Fatalf("%v (Debian: apt-get install xvfb xboard imagemagick)", err)
		}
	}
	xboard, err := exec.LookPath("xboard")
	if err != nil {
		xboard = "/usr/games/xboard"
	}
	x := &xBoard{display: startDisplay(t), log: filepath.Join(t.TempDir(), "debug")}
	cmd := exec.CommandContext(t.Context(), xboard, append([]string{
		"-fcp", engineScript(t, "xboard"), "-variant", "minishogi", "-boardSize", "72", "-debug", "-nameOfDebugFile", x.log,
		"-pid", "/usr/share/games/xboard/themes/shogi", "-flipBlack", "true", "-trueColors", "true",
		"-saveSettingsFile", filepath.Join(t.TempDir(), "settings"), "-settingsFile", filepath.Join(t.TempDir(), "none"),
	}, args...)...)
	cmd.Env = append(os.Environ(), "DISPLAY="+x.display, "HOME="+t.TempDir())
	cmd.Dir = t.TempDir()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		if t.Failed() {
			t.Logf("xboard says: %s", out.String())
		}
	})
	return x
}

// startDisplay starts an X server without a screen, which chooses its number.
func startDisplay(t *testing.T) string {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd := exec.CommandContext(t.Context(), "Xvfb", "-displayfd", "3", "-screen", "0", "800x600x24", "-nolisten", "tcp")
	cmd.ExtraFiles = []*os.File{w}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	var number int
	if _, err := fmt.Fscan(r, &number); err != nil {
		t.Fatalf("Xvfb: %v", err)
	}
	return fmt.Sprintf(":%d", number)
}

// wait returns the debug log when a line of it matches.
func (x *xBoard) wait(t *testing.T, what string, line *regexp.Regexp) string {
	t.Helper()
	const patience = 3 * time.Minute
	for begin := time.Now(); ; time.Sleep(200 * time.Millisecond) {
		log, err := os.ReadFile(x.log)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if line.Match(log) {
			return string(log)
		}
		if time.Since(begin) > patience {
			t.Fatalf("no %s in\n%s", what, log)
		}
	}
}

// screenshot takes a picture of the display, which must show something.
func (x *xBoard) screenshot(t *testing.T, name string) {
	t.Helper()
	dir := os.Getenv("GOGOTB_SCREENSHOTS")
	if dir == "" {
		dir = t.TempDir()
	}
	name = filepath.Join(dir, name+".png")
	cmd := exec.CommandContext(t.Context(), "import", "-window", "root", name)
	cmd.Env = append(os.Environ(), "DISPLAY="+x.display)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	picture, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	colours := map[[3]uint32]bool{}
	for y := range picture.Bounds().Dy() {
		for x := range picture.Bounds().Dx() {
			r, g, b, _ := picture.At(x, y).RGBA()
			colours[[3]uint32{r, g, b}] = true
		}
	}
	if len(colours) < 100 {
		t.Errorf("%d colours on the screen: there is no board", len(colours))
	}
}
