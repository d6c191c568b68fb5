package io.cascade.studies.bench;

import io.cascade.api.client.BoundedExchange;
import io.cascade.api.client.BoundedExchange.Bounds;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;

/** Bytes allocated on the heap, as the relays' metrics report them. */
record HeapAllocations(List<URI> controls) {
  private static final String SERIES = "jvm_allocated_bytes_total ";
  private static final Bounds BOUNDS = new Bounds(Duration.ofSeconds(10), 16 << 20);

  /** For processes that do not report allocations. */
  static final HeapAllocations UNKNOWN = new HeapAllocations(List.of());

  /**
   * Sum of the bytes that all relays allocated since their start. The request itself allocates as
   * well.
   */
  OptionalDouble allocatedBytes() throws IOException {
    double sum = 0;
    for (URI control : controls) {
      HttpRequest request = HttpRequest.newBuilder(control.resolve("/control/v1/metrics")).build();
      String metrics = BoundedExchange.shared().send(request, BOUNDS).body();
      sum +=
          metrics
              .lines()
              .filter(line -> line.startsWith(SERIES))
              .mapToDouble(line -> Double.parseDouble(line.substring(SERIES.length())))
              .findFirst()
              .orElse(Double.NaN);
    }
    return controls.isEmpty() || Double.isNaN(sum)
        ? OptionalDouble.empty()
        : OptionalDouble.of(sum);
  }
}
