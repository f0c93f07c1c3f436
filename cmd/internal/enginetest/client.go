package enginetest

import (
	"bufio"
	"io"
	"strings"
	"testing"
	"time"
)

// Client is a program that talks to a session of a protocol, line by line.
type Client struct {
	t     *testing.T
	in    io.WriteCloser
	lines chan string
	ended chan error
	log   []string
}

// Connect starts a session, which ends with the test.
func Connect(t *testing.T, session func(in io.Reader, out io.Writer) error) *Client {
	inReader, in := io.Pipe()
	outReader, out := io.Pipe()
	c := &Client{t: t, in: in, lines: make(chan string, 10_000), ended: make(chan error, 1)}
	go func() {
		err := session(inReader, out)
		out.Close()
		c.ended <- err
	}()
	go func() {
		s := bufio.NewScanner(outReader)
		for s.Scan() {
			c.lines <- s.Text()
		}
		close(c.lines)
	}()
	t.Cleanup(func() {
		in.Close()
		for range c.lines {
		}
	})
	return c
}

// Send sends lines.
func (c *Client) Send(lines ...string) {
	c.t.Helper()
	for _, line := range lines {
		c.log = append(c.log, "> "+line)
		if _, err := io.WriteString(c.in, line+"\n"); err != nil {
			c.t.Fatal(err)
		}
	}
}

// patience is how long a test waits for what has to come. It is no measure of speed.
const patience = 60 * time.Second

// Read returns the next line that begins with one of the prefixes, and those before it.
func (c *Client) Read(prefixes ...string) (lines []string) {
	c.t.Helper()
	timeout := time.After(patience)
	for {
		select {
		case line, ok := <-c.lines:
			if !ok {
				c.t.Fatalf("the session ended without %q:\n%s", prefixes, c.talk())
			}
			c.log = append(c.log, "< "+line)
			lines = append(lines, line)
			for _, p := range prefixes {
				if strings.HasPrefix(line, p) {
					return lines
				}
			}
		case <-timeout:
			c.t.Fatalf("no %q:\n%s", prefixes, c.talk())
		}
	}
}

// Last returns the next line that begins with the prefix.
func (c *Client) Last(prefix string) string {
	c.t.Helper()
	lines := c.Read(prefix)
	return lines[len(lines)-1]
}

// Expect reads up to a line with the prefix, which must be as wanted.
func (c *Client) Expect(prefix, want string) {
	c.t.Helper()
	if got := c.Last(prefix); got != want {
		c.t.Errorf("%s, want %s:\n%s", got, want, c.talk())
	}
}

// Silent fails the test if a line with the prefix comes within a moment.
func (c *Client) Silent(prefix string) {
	c.t.Helper()
	timeout := time.After(150 * time.Millisecond)
	for {
		select {
		case line, ok := <-c.lines:
			if !ok {
				c.t.Fatalf("the session ended:\n%s", c.talk())
			}
			c.log = append(c.log, "< "+line)
			if strings.HasPrefix(line, prefix) {
				c.t.Fatalf("%s came too early:\n%s", prefix, c.talk())
			}
		case <-timeout:
			return
		}
	}
}

// Quit tells the session to end and returns what it still says.
func (c *Client) Quit() (lines []string) {
	c.t.Helper()
	c.Send("quit")
	if err := <-c.ended; err != nil {
		c.t.Fatal(err)
	}
	for line := range c.lines {
		lines = append(lines, line)
	}
	return lines
}

// talk returns all that has been said.
func (c *Client) talk() string { return strings.Join(c.log, "\n") }
