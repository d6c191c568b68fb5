package io.cascade.gateway.scap;

import io.cascade.api.Json;
import io.cascade.api.client.BoundedExchange;
import io.cascade.api.client.BoundedExchange.Bounds;
import io.cascade.api.client.BoundedExchange.Response;
import io.cascade.api.scap.ScapProblem;
import io.cascade.command.CommandException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;

/** Queries a running splitter/combiner. */
final class ControlClient {
  private static final Bounds BOUNDS = new Bounds(Duration.ofSeconds(10), 1 << 20);

  private final String address;

  /**
   * @param address ADDRESS:PORT, or a port of this machine's loopback
   */
  ControlClient(String address) {
    this.address = address.contains(":") ? address : "127.0.0.1:" + address;
  }

  String get(String path) {
    return answer(request(path).GET().build());
  }

  String put(String path, Object body) {
    String json = Json.lenient().writeValueAsString(body);
    return answer(request(path).PUT(BodyPublishers.ofString(json)).build());
  }

  private HttpRequest.Builder request(String path) {
    try {
      return HttpRequest.newBuilder(URI.create("http://" + address + "/scap/v1" + path));
    } catch (IllegalArgumentException e) {
      throw new CommandException("--control " + address + ": no address", e);
    }
  }

  private String answer(HttpRequest request) {
    try {
      Response response = BoundedExchange.shared().send(request, BOUNDS);
      if (response.status() == 200) {
        return response.body();
      }
      ScapProblem problem = Json.lenient().readValue(response.body(), ScapProblem.class);
      throw new CommandException(
          problem.detail() == null ? problem.title() : problem.title() + ": " + problem.detail());
    } catch (IOException e) {
      throw new CommandException(
          "no scap answers at %s; fix: start it with cascade scap up --control %s ..."
              .formatted(address, address),
          e);
    }
  }
}
