package io.cascade.relay.junction;

import io.cascade.carriage.junction.Junction;
import io.cascade.relay.pump.HeldMemory;
import io.cascade.relay.pump.MemoryBudget;
import io.cascade.relay.stream.StreamStart;
import io.netty.channel.EventLoop;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Resources that the junctions of a relay share.
 *
 * @param ledgers of the memory budget, by event loop
 * @param nanoTime the monotonic clock
 */
public record JunctionResources(
    Function<EventLoop, MemoryBudget.Ledger> ledgers,
    LongSupplier nanoTime,
    SegmentCounters counters) {
  /** Makes a stream's junction, without pipes, that counts its pipes by hop. */
  Junction junction(
      EventLoop loop, JunctionSettings settings, StreamStart start, Junction.Observer observer) {
    Junction made =
        new Junction(
            loop,
            settings.stream(),
            new HeldMemory(ledgers.apply(loop)),
            nanoTime,
            start.ingress(),
            start.client(),
            observer);
    made.openWindow();
    StreamPipes.count(made.connection());
    return made;
  }
}
