package io.cascade.testbed.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;

/** What relays say they have allocated on their heaps. */
record Garbage(List<URI> controls) {
  private static final String SERIES = "jvm_allocated_bytes_total ";
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  /** Of those that allocate none, or do not say. */
  static final Garbage UNKNOWN = new Garbage(List.of());

  /** Bytes since they started, all together; asking costs them some more. */
  OptionalDouble allocatedBytes() throws IOException, InterruptedException {
    double sum = 0;
    for (URI control : controls) {
      HttpRequest request =
          HttpRequest.newBuilder(control.resolve("/control/v1/metrics")).timeout(PATIENCE).build();
      String metrics = CLIENT.send(request, HttpResponse.BodyHandlers.ofString()).body();
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
