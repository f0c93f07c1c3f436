//go:build conformance && linux

package main

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

const (
	deploy     = "serve/deploy"
	repository = "../.."
)

// image is what a Dockerfile has made: a folder with all that there is in the container.
type image struct {
	root, workdir string
	env           []string
	uid, gid      uint32
	entrypoint    []string
	cmd           []string
	healthcheck   []string
}

// buildImage does by hand what docker build does with a Dockerfile, as far as ours goes: the steps run on this
// machine, in folders that stand for the containers.
func buildImage(t *testing.T, dockerfile string) *image {
	t.Helper()
	text, err := os.ReadFile(dockerfile)
	if err != nil {
		t.Fatal(err)
	}
	stages := map[string]*image{}
	var now *image
	for line := range strings.Lines(strings.ReplaceAll(string(text), "\\\n", " ")) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		verb, rest, _ := strings.Cut(line, " ")
		words := strings.Fields(rest)
		switch verb {
		case "FROM":
			now = &image{root: t.TempDir(), workdir: "/", env: os.Environ()}
			if err := os.Chmod(now.root, 0o755); err != nil {
				t.Fatal(err)
			}
			if len(words) == 3 && words[1] == "AS" {
				stages[words[2]] = now
				// The image of Go is one of Debian's, and has its certificates.
				now.makeDir(t, "/etc/ssl/certs")
				if err := os.WriteFile(filepath.Join(now.root, "/etc/ssl/certs/ca-certificates.crt"), []byte("those of Debian\n"), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if rest != "scratch" {
				t.Fatalf("%s: the image is not from scratch", line)
			}
		case "WORKDIR":
			now.workdir = rest
			now.makeDir(t, rest)
		case "ENV":
			now.env = append(now.env, words...)
		case "COPY":
			now.copyIn(t, stages, words)
		case "RUN":
			cmd := exec.CommandContext(t.Context(), "sh", "-c", rest)
			cmd.Dir, cmd.Env = filepath.Join(now.root, now.workdir), now.env
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", line, err, out)
			}
		case "USER":
			if rest != "65532:65532" {
				t.Fatalf("%s: not the user nobody has", line)
			}
			now.uid, now.gid = 65532, 65532
		case "VOLUME":
			now.makeDir(t, rest)
		case "EXPOSE":
		case "HEALTHCHECK":
			now.healthcheck = listOf(t, strings.TrimPrefix(rest, "CMD "))
		case "ENTRYPOINT":
			now.entrypoint = listOf(t, rest)
		case "CMD":
			now.cmd = listOf(t, rest)
		default:
			t.Fatalf("%s: not known here", line)
		}
	}
	return now
}

func listOf(t *testing.T, text string) (list []string) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return list
}

func (i *image) makeDir(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(i.root, path), 0o755); err != nil {
		t.Fatal(err)
	}
}

// copyIn copies files from the repository or from another stage.
func (i *image) copyIn(t *testing.T, stages map[string]*image, words []string) {
	t.Helper()
	from, ignored := repository, ignoredFiles(t)
	if name, ok := strings.CutPrefix(words[0], "--from="); ok {
		from, ignored, words = stages[name].root, nil, words[1:]
	}
	sources, target := words[:len(words)-1], words[len(words)-1]
	if !filepath.IsAbs(target) {
		target = filepath.Join(i.workdir, target)
	}
	for _, source := range sources {
		source := filepath.Join(from, source)
		err := filepath.WalkDir(source, func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			name, err := filepath.Rel(source, path)
			if err != nil {
				return err
			}
			if slices.Contains(ignored, name) {
				if entry.IsDir() {
					return fs.SkipDir
				}
				return nil
			}
			to := filepath.Join(i.root, target, name)
			if name == "." && !entry.IsDir() && (len(sources) > 1 || strings.HasSuffix(target, "/")) {
				to = filepath.Join(to, filepath.Base(source))
			}
			if entry.IsDir() {
				return os.MkdirAll(to, 0o755)
			}
			if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
				return err
			}
			return copyFile(path, to)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// ignoredFiles are those at the top of the repository that docker does not see.
func ignoredFiles(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(deploy, "Dockerfile.dockerignore"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(text))
}

func copyFile(from, to string) error {
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, content, info.Mode().Perm())
}

// run is a program in the container: it sees nothing but the image, and is nobody.
func (i *image) run(t *testing.T, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Dir, cmd.Env = "/", []string{"PATH=/"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: i.root, Credential: &syscall.Credential{Uid: i.uid, Gid: i.gid}}
	return cmd
}

// TestDockerfile builds the image by hand and runs it, its health check and another command in a container of the
// program, its licence, certificates and the tables (root).
func TestDockerfile(t *testing.T) {
	image := buildImage(t, filepath.Join(deploy, "Dockerfile"))
	files, err := os.ReadDir(image.root)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
	}
	if want := []string{"LICENSE", "etc", "gogotb", "tables"}; !slices.Equal(names, want) {
		t.Errorf("the image has %v, want %v", names, want)
	}
	// It runs on an empty volume, too; the port is one that is free here.
	at := func(args []string, address string) []string {
		changed := slices.Clone(args)
		i := slices.Index(changed, ":8055")
		if i < 0 {
			t.Fatalf("%q does not say :8055", args)
		}
		changed[i] = address
		return changed
	}
	for range 2 {
		server := start(t, image.run(t, append(slices.Clone(image.entrypoint), at(image.cmd, "127.0.0.1:0")...)...), 1)
		address := server.addresses[0]
		if r := finish(t, image.run(t, at(image.healthcheck, address)...)); r.status != exitDone {
			t.Errorf("the health check: %+v", r)
		}
		if status, body := getAt(t, "tcp", address, "/"); status != http.StatusOK || !strings.Contains(body, "<title>gogotb") {
			t.Errorf("the page: %d %.200s", status, body)
		}
		server.interrupt()
		if r := finish(t, image.run(t, at(image.healthcheck, address)...)); r.status != exitFailed {
			t.Errorf("the health check when it is gone: %+v", r)
		}
		if err := os.CopyFS(filepath.Join(image.root, "tables"), os.DirFS(smallTables(t))); err != nil && !os.IsExist(err) {
			t.Fatal(err)
		}
	}
	r := finish(t, image.run(t, append(slices.Clone(image.entrypoint), "probe", "--json", "4k/5/5/5/K4 b RG 1")...))
	if want := succeed(t, "--dir", smallTables(t), "probe", "--json", "4k/5/5/5/K4 b RG 1"); r.status != exitDone || r.stdout != want {
		t.Errorf("%+v, want %s", r, want)
	}
}

// TestDockerfileGo: the image is built with the Go that go.mod wants.
func TestDockerfileGo(t *testing.T) {
	module, err := os.ReadFile(filepath.Join(repository, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(module), "\ngo ")
	version, _, _ := strings.Cut(rest, "\n")
	major, patch, _ := strings.Cut(version, ".")
	minor, _, _ := strings.Cut(patch, ".")
	dockerfile, err := os.ReadFile(filepath.Join(deploy, "Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "\nFROM golang:" + major + "." + minor + " AS build\n"; !strings.Contains(string(dockerfile), want) {
		t.Errorf("no line %q", want)
	}
}

// TestUnits: systemd finds nothing wrong with the units.
func TestUnits(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"gogotb.service", "gogotb.socket"} {
		text, err := os.ReadFile(filepath.Join(deploy, name))
		if err != nil {
			t.Fatal(err)
		}
		// It looks whether the program is there.
		unit := strings.ReplaceAll(string(text), "/usr/local/bin/gogotb", program)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(unit), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "systemd-analyze", "verify", "--man=no", "--recursive-errors=no",
		filepath.Join(dir, "gogotb.service"), filepath.Join(dir, "gogotb.socket"))
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}
