package cluster

import (
	"github.com/nats-io/nats-server/v2/server"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// Metrics returns what Prometheus collects of the server.
func (s *Server) Metrics() *prometheus.Registry {
	registry := prometheus.NewRegistry()
	of := func(name, help string, read func(*server.Varz, *server.JSInfo) float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 {
			v, err := s.nats.Varz(nil)
			if err != nil {
				return 0
			}
			js, err := s.nats.Jsz(nil)
			if err != nil {
				return 0
			}
			return read(v, js)
		})
	}
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		of("gogotb_cluster_connections", "Workers and clients that are connected.",
			func(v *server.Varz, _ *server.JSInfo) float64 { return float64(v.Connections) }),
		of("gogotb_cluster_routes", "Connections to the other servers.",
			func(v *server.Varz, _ *server.JSInfo) float64 { return float64(v.Routes) }),
		of("gogotb_cluster_received_bytes", "Bytes from workers and clients since the start.",
			func(v *server.Varz, _ *server.JSInfo) float64 { return float64(v.InBytes) }),
		of("gogotb_cluster_sent_bytes", "Bytes to workers and clients since the start.",
			func(v *server.Varz, _ *server.JSInfo) float64 { return float64(v.OutBytes) }),
		of("gogotb_cluster_store_bytes", "Bytes that JetStream has on the disk.",
			func(_ *server.Varz, js *server.JSInfo) float64 { return float64(js.Store) }),
		of("gogotb_cluster_messages", "Entries that JetStream has.",
			func(_ *server.Varz, js *server.JSInfo) float64 { return float64(js.Messages) }),
		of("gogotb_cluster_leader", "Does this server lead the others? 1 or 0.",
			func(*server.Varz, *server.JSInfo) float64 {
				if s.nats.JetStreamIsLeader() {
					return 1
				}
				return 0
			}),
	)
	return registry
}
