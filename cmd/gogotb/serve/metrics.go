package serve

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"gogotb/storage"
)

// metrics are what Prometheus collects at /metrics.
type metrics struct {
	registry  *prometheus.Registry
	requests  *prometheus.CounterVec   // by route and status
	seconds   *prometheus.HistogramVec // by route
	inFlight  prometheus.Gauge
	positions prometheus.Counter
}

func newMetrics(tables *storage.Tables, queues map[string]*queue) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "gogotb_http_requests_total", Help: "Requests answered."}, []string{"route", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "gogotb_http_request_seconds", Help: "Time to answer a request.",
			Buckets: []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}}, []string{"route"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "gogotb_http_requests_in_flight", Help: "Requests being answered."}),
		positions: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "gogotb_positions_probed_total", Help: "Positions looked up with all their moves."}),
	}
	cache := func(name, help string, read func(storage.CacheStats) float64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help}, func() float64 { return read(tables.CacheStats()) })
	}
	m.registry.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		m.requests, m.seconds, m.inFlight, m.positions,
		cache("gogotb_cache_hits_total", "Blocks of tables found in the cache.", func(c storage.CacheStats) float64 { return float64(c.Hits) }),
		cache("gogotb_cache_misses_total", "Blocks of tables read and unpacked.", func(c storage.CacheStats) float64 { return float64(c.Misses) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "gogotb_cache_bytes", Help: "Unpacked blocks in the cache."},
			func() float64 { return float64(tables.CacheStats().Bytes) }),
	)
	for name, q := range queues {
		m.watch(name, q)
	}
	return m
}

// watch counts what happens in a queue. Searches for a mate have one, and large questions another.
func (m *metrics) watch(name string, q *queue) {
	labels := prometheus.Labels{"queue": name}
	waited := prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "gogotb_queue_wait_seconds", Help: "Time that questions waited for their turn.", ConstLabels: labels,
		Buckets: []float64{.001, .01, .1, .5, 1, 2.5, 5, 10, 20, 30}})
	refused := prometheus.NewCounter(prometheus.CounterOpts{
		Name: "gogotb_queue_refused_total", Help: "Questions that had no place in the queue, or waited too long.", ConstLabels: labels})
	ended := prometheus.NewCounter(prometheus.CounterOpts{
		Name: "gogotb_queue_ended_total", Help: "Questions whose turn was ended for others.", ConstLabels: labels})
	q.seen = queueMetrics{func(d time.Duration) { waited.Observe(d.Seconds()) }, refused.Inc, ended.Inc}
	m.registry.MustRegister(waited, refused, ended,
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "gogotb_queue_running", Help: "Questions being answered.", ConstLabels: labels}, func() float64 {
			running, _ := q.load()
			return float64(running)
		}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "gogotb_queue_waiting", Help: "Questions that wait.", ConstLabels: labels}, func() float64 {
			_, waiting := q.load()
			return float64(waiting)
		}),
	)
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}
