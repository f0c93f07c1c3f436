//go:build unix

package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

const clusterDeploy = "../../retro/cluster/deploy/"

// TestFleetScript runs the script for a few machines with two workers on this one.
func TestFleetScript(t *testing.T) {
	script, err := filepath.Abs(clusterDeploy + "fleet.sh")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	bucket := "file://" + filepath.ToSlash(filepath.Join(dir, "bucket"))
	cmd := exec.CommandContext(t.Context(), "bash", script, "localhost", "localhost", "--", "--bucket", bucket, "--dir", "tables", "GP", "R")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOGOTB="+program, "LISTEN="+freePort(t), "WORKER=--jobs 1")
	if r := finish(t, cmd); r.status != exitDone || strings.Count(r.stdout, "\n") != 3 || r.stderr != "" {
		t.Fatalf("status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
	checkLikeAlone(t, filepath.Join(dir, "tables"), "GP", "R")
	if r := finish(t, exec.CommandContext(t.Context(), "bash", script)); r.status != exitUsage || !strings.Contains(r.stderr, "fleet.sh HOST... --") {
		t.Errorf("without hosts: status %d, %s", r.status, r.stderr)
	}
}

// TestSlurmScript: bash can read it.
func TestSlurmScript(t *testing.T) {
	if out, err := exec.CommandContext(t.Context(), "bash", "-n", clusterDeploy+"slurm.sh").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
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
