/**
 * Peers in the same run: this project's relay beside other proxies and the direct connection, on
 * this machine, interleaved.
 *
 * <p>From a {@link io.cascade.studies.bench.BenchContender} that is started, over a {@link
 * io.cascade.studies.bench.Trial} that is run against it, to {@link
 * io.cascade.studies.bench.RoundValues}. The ends of every connection are one process, this one:
 * {@link io.cascade.studies.bench.Destination} answers, the loads beside it ask.
 */
@NullMarked
package io.cascade.studies.bench;

import org.jspecify.annotations.NullMarked;
