// Package cluster makes the tables of many material sets on many machines: a fleet of workers that share a queue in
// NATS JetStream and a bucket of objects that never change. The tables are those that one machine makes, to the last
// byte.
//
// # The protocol
//
// What is true is in the bucket (FORMAT.md says what lies there): the tables of a set and the object that says it is
// done, checkpoints of those that are not, reports of audits. NATS has what can be lost: which plans there are, who works
// on what, who is there. There is no coordinator.
//
//   - A plan (plan.go) names the sets to make, how many positions of each to audit, and the bucket. Its name is the hash
//     of its content. Whoever knows a plan, a client that waits for it or a worker, announces it again if NATS has lost it.
//   - A plan's tasks are to make each set and to audit it. A worker looks for one that is not done, that nobody has, and
//     that fits its memory, the largest first, and claims it: it creates a key in a key-value store whose entries vanish
//     after 15 seconds, and renews it every five (lease.go). Of two that claim, one creates the key. A queue of
//     messages, as JetStream has them, too, could not give each worker the largest set that fits it.
//   - Whatever a set's analysis has committed to its checkpoint is copied to the bucket. When a worker dies, its
//     lease ends, and whoever claims the set next goes on from there (checkpoint.go).
//   - A worker whose lease has ended, because it was stopped or cut off, learns it when it renews, and drops the task. What
//     it has written by then does no harm: an object has one possible content, and the second to write it compares.
//     Where contents differ, a processor or memory is broken, or an object is: that stops the set, with an error that
//     names both writers or the object (store.go).
//   - A set that fits no worker is made in parts (parts.go), each a task of its own; the set's own task is then to make
//     its tables of what they have found (assemble.go). Parts go in step: each puts what it has found in a step into one
//     object, and says so by NATS; it goes on when it has read what all others have put there for it (exchange.go). Who
//     hears nothing looks into the bucket. Every part adds up the sums of all, and so knows when a phase ends. Who takes over a
//     part begins at the last ply or rank that all parts have ended, with what the objects before it say.
//   - Workers for whom NATS is silent go on with what they have, and claim nothing new. If the bucket fails they try
//     again until it works, and say so in their entry.
//   - A worker tells its versions, of the program, the rules, the tables and this protocol; so do plans and buckets. Who
//     has others is refused (versions.go).
//
// # Where things are
//
//	plan.go        plans and their tasks         versions.go        who may work with whom
//	control.go     what is in NATS               lease.go           who works on what
//	store.go       what is in the bucket         tables.go          tables and their checksums there
//	checkpoint.go  checkpoints there             scratch.go         a worker's own folder
//	worker.go      taking tasks                  job.go             a task and its lease
//	make.go        making a set                  audit.go           auditing one
//	parts.go       parts of a set                worker_parts.go    doing some of them at once
//	exchange.go    steps of parts                delta.go           what is in their objects
//	assemble.go    tables of what parts found    divide.go          how many parts
//	client.go      submitting, following         local.go           all of it in one process
//	server.go      the NATS server inside        server_metrics.go  for Prometheus
//	security.go    TLS and credentials           metrics.go         for Prometheus, of workers
//	connect.go     reaching servers, in patience
//	bucket/        objects in a folder, S3 or NATS
//	deploy/        for Kubernetes, Slurm and a shell
package cluster
