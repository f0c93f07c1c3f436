//go:build unix

package main

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

const clusterDeploy = "../../retro/cluster/deploy/"

// runScript runs a script of the folder, with programs of these names that are the shell commands, in a new folder.
func runScript(t *testing.T, name string, programs map[string]string, env []string, args ...string) (r result, dir string) {
	t.Helper()
	script, err := filepath.Abs(clusterDeploy + name)
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	bin := filepath.Join(dir, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range programs {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "bash", append([]string{script}, args...)...)
	cmd.Dir = dir
	path := strings.Join([]string{bin, filepath.Dir(program), os.Getenv("PATH")}, string(os.PathListSeparator))
	cmd.Env = append(append(os.Environ(), "PATH="+path, "TMPDIR="+dir), env...)
	return finish(t, cmd), dir
}

// TestFleetScript runs the script for a few machines with a worker on this one, and one on another that is this one, too:
// ssh there is a shell here.
func TestFleetScript(t *testing.T) {
	ssh := map[string]string{"ssh": `[ "$1" = node1 ] && exec sh -c "$2"`}
	bucket := filepath.Join(t.TempDir(), "bucket")
	r, dir := runScript(t, "fleet.sh", ssh, []string{"LISTEN=" + freePort(t), "WORKER=--jobs 1"},
		"localhost", "node1", "--", "--bucket", "file://"+filepath.ToSlash(bucket), "--dir", "tables", "GP", "SP", "R")
	if r.status != exitDone || strings.Count(r.stdout, "\n") != 4 || r.stderr != "" {
		t.Fatalf("status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
	checkLikeAlone(t, filepath.Join(dir, "tables"), "GP", "R", "SP")
	if left, err := filepath.Glob(filepath.Join(dir, "tmp.*")); err != nil || left != nil {
		t.Errorf("it leaves %q, %v", left, err)
	}
	if r, _ := runScript(t, "fleet.sh", nil, nil); r.status != exitUsage || !strings.Contains(r.stderr, "fleet.sh HOST... --") {
		t.Errorf("without hosts: status %d, %s", r.status, r.stderr)
	}
}

// TestSlurmScript runs the script for Slurm on a cluster of one node, without Slurm: srun runs a command here.
func TestSlurmScript(t *testing.T) {
	_, port, err := net.SplitHostPort(freePort(t))
	if err != nil {
		t.Fatal(err)
	}
	shared := t.TempDir()
	r, _ := runScript(t, "slurm.sh", map[string]string{"srun": `exec "$@"`},
		[]string{"SLURM_SUBMIT_DIR=" + shared, "SLURM_JOB_ID=1", "HEAD=127.0.0.1", "LISTEN=127.0.0.1", "PORT=" + port, "MEMORY=1GiB"}, "--sample", "10", "GP", "R")
	if r.status != exitDone || strings.Count(r.stdout, " sound ") != 2 {
		t.Fatalf("status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
	checkLikeAlone(t, filepath.Join(shared, "gogotb-fleet", "bucket", "tables"), "GP", "R")
}

// TestKubernetesManifest: it is YAML, and every container's arguments are a command of the program and flags that it has.
func TestKubernetesManifest(t *testing.T) {
	text, err := os.ReadFile(clusterDeploy + "kubernetes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	type container struct{ Args []string }
	type podSpec struct {
		Spec struct{ Containers []container }
	}
	var seen []string
	for d := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var object struct {
			Kind string
			Spec struct{ Template podSpec }
		}
		if err := d.Decode(&object); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		for _, c := range object.Spec.Template.Spec.Containers {
			cmd, rest, err := newRootCommand().Find(c.Args)
			if err == nil {
				err = cmd.ParseFlags(rest)
			}
			if err != nil || len(cmd.Flags().Args()) > 0 {
				t.Errorf("%s: gogotb %q: %v, left over %q", object.Kind, c.Args, err, cmd.Flags().Args())
			}
			seen = append(seen, object.Kind+" "+cmd.Name())
		}
	}
	if got, want := strings.Join(seen, ", "), "StatefulSet serve, Deployment worker, Job generate"; got != want {
		t.Errorf("it has %s, want %s", got, want)
	}
}
