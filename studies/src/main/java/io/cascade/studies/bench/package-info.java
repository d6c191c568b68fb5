/**
 * This project's relay beside other proxies and the direct connection, interleaved in the same run
 * on this machine.
 *
 * <p>A {@link io.cascade.studies.bench.BenchContender} is started, a {@link
 * io.cascade.studies.bench.Trial} is run against it, and its values are added to {@link
 * io.cascade.studies.bench.RoundValues}. This process is both ends of every connection: {@link
 * io.cascade.studies.bench.Destination} is the server, and the loads are the clients.
 */
@NullMarked
package io.cascade.studies.bench;

import org.jspecify.annotations.NullMarked;
