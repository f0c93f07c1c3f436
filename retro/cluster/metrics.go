package cluster

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"gogotb/retro/cluster/bucket"
)

// Metrics are what Prometheus collects of a worker.
type Metrics struct {
	Registry     *prometheus.Registry
	done         *prometheus.CounterVec // by kind of task
	failed       *prometheus.CounterVec
	seconds      *prometheus.CounterVec
	lost         prometheus.Counter
	plies        prometheus.Counter
	bucketErrors prometheus.Counter
	bytes        *prometheus.CounterVec // by operation
	requests     *prometheus.CounterVec
}

// NewMetrics returns metrics in a registry of their own.
func NewMetrics() *Metrics {
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Name: name, Help: help})
	}
	vector := func(name, help, label string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, []string{label})
	}
	m := &Metrics{
		Registry:     prometheus.NewRegistry(),
		done:         vector("gogotb_cluster_tasks_done_total", "Tasks done.", "kind"),
		failed:       vector("gogotb_cluster_tasks_failed_total", "Tasks that cannot be done.", "kind"),
		seconds:      vector("gogotb_cluster_task_seconds_total", "Time that the tasks took which are done.", "kind"),
		lost:         counter("gogotb_cluster_leases_lost_total", "Tasks that another worker had taken meanwhile."),
		plies:        counter("gogotb_cluster_steps_total", "Plies and ranks of analyses."),
		bucketErrors: counter("gogotb_cluster_bucket_errors_total", "Requests to buckets that failed and were tried again."),
		bytes:        vector("gogotb_cluster_bucket_bytes_total", "Bytes to and from buckets.", "operation"),
		requests:     vector("gogotb_cluster_bucket_requests_total", "Requests to buckets.", "operation"),
	}
	m.Registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		m.done, m.failed, m.seconds, m.lost, m.plies, m.bucketErrors, m.bytes, m.requests)
	return m
}

// metered counts what goes to and comes from a bucket.
type metered struct {
	bucket.Bucket
	m *Metrics
}

func (b *metered) Put(ctx context.Context, key string, body bucket.Body) error {
	b.m.requests.WithLabelValues("put").Inc()
	err := b.Bucket.Put(ctx, key, body)
	if err == nil {
		b.m.bytes.WithLabelValues("put").Add(float64(body.Size()))
	}
	return err
}

func (b *metered) Get(ctx context.Context, key string, offset, n int64) ([]byte, error) {
	b.m.requests.WithLabelValues("get").Inc()
	body, err := b.Bucket.Get(ctx, key, offset, n)
	b.m.bytes.WithLabelValues("get").Add(float64(len(body)))
	return body, err
}
