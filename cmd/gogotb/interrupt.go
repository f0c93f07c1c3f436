package main

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// Ctrl-C, SIGTERM, and SIGHUP, which comes when the terminal goes and nohup did not ask to stay, end every command with
// exitInterrupted: at once, unless it has something to put in order before it goes, see interruptible. A second signal
// ends these at once, too.

// windingDown is what stops a command that ends by itself; nil: there is none.
var windingDown struct {
	sync.Mutex
	stop context.CancelFunc
}

// patience is how long a command that winds down may wait for a reader of its results who does not read.
const patience = time.Second

// endOnSignal makes the signals end the process, which writes its results to out.
func endOnSignal(out *checkedWriter) {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, signals...)
	go func() {
		<-caught
		windingDown.Lock()
		stop := windingDown.stop
		windingDown.Unlock()
		if stop == nil {
			os.Exit(exitInterrupted)
		}
		stop()
		for {
			before := out.calls.Load()
			select {
			case <-caught:
				os.Exit(exitInterrupted)
			case <-time.After(patience):
				if now := out.calls.Load(); now == before && now%2 == 1 {
					os.Exit(exitInterrupted)
				}
			}
		}
	}()
}

// interruptible returns a context that ends with the signals, for commands that have something to put in order
// before they go. From here on they must not wait for anything without looking at it.
func interruptible(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := context.WithCancel(parent)
	windingDown.Lock()
	defer windingDown.Unlock()
	windingDown.stop = stop
	return ctx, stop
}
