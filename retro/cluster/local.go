package cluster

import (
	"context"
	"os"
	"sync"
)

// LocalOptions say what a fleet in one process is.
type LocalOptions struct {
	Workers int // how many; each takes its share of the room
	Worker  WorkerOptions
}

// Local runs a whole fleet in this process, without a port that others could connect to, until f returns.
func Local(ctx context.Context, opt LocalOptions, f func(context.Context, *Client) error) error {
	folder, err := os.MkdirTemp("", "gogotb-cluster-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	s, err := StartServer(ServerOptions{Store: folder, Versions: opt.Worker.Versions})
	if err != nil {
		return err
	}
	defer s.Stop()
	conn, err := s.Connect()
	if err != nil {
		return err
	}
	defer conn.Close()
	c, err := NewClient(ctx, conn, opt.Worker.Versions)
	if err != nil {
		return err
	}
	var workers sync.WaitGroup
	defer workers.Wait()
	working, stop := context.WithCancel(ctx)
	defer stop()
	one := opt.Worker
	one.Room.Memory /= uint64(opt.Workers)
	one.Room.Jobs = max(1, one.Room.Jobs/opt.Workers)
	failed := make(chan error, opt.Workers)
	for range opt.Workers {
		workers.Go(func() {
			if err := NewWorker(conn, one).Run(working); err != nil {
				failed <- err
				stop()
			}
		})
	}
	err = f(working, c)
	stop()
	workers.Wait()
	select {
	case failure := <-failed:
		return failure // which has ended f
	default:
		return err
	}
}
