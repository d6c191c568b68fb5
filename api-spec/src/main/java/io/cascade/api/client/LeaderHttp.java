package io.cascade.api.client;

import io.cascade.api.client.BoundedExchange.Bounds;
import io.cascade.api.orchestrator.OrchestratorHealth;
import io.cascade.api.orchestrator.OrchestratorRole;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * JSON over HTTP to the leader among several orchestrators. If the last known leader does not
 * answer, or reports that it no longer leads, all are asked in parallel which one does. The call is
 * then sent there once, unless the first attempt may have taken effect. No address is taken from an
 * answer: keys are sent only to the orchestrators that were configured. Each is verified by the
 * pins of its own URL, which those of its cluster update.
 */
final class LeaderHttp {
  private static final Bounds HEALTH = new Bounds(Duration.ofSeconds(2), 64 << 10);
  private static final Executor THREADS = Executors.newVirtualThreadPerTaskExecutor();
  private static final String CLOSING = "urn:cascade:problem:closing";

  private final List<ServerAddress> addresses;
  private final List<JsonHttp> servers;

  /** Index of the server to call: a standby if the leader is unknown. */
  private volatile int leader;

  LeaderHttp(List<ServerAddress> addresses, @Nullable String token) {
    if (addresses.isEmpty()) {
      throw new IllegalArgumentException("no orchestrator");
    }
    this.addresses = List.copyOf(addresses);
    this.servers =
        addresses.stream().map(address -> new JsonHttp(address, token, others(address))).toList();
  }

  private List<ServerAddress> others(ServerAddress than) {
    return addresses.stream().filter(address -> !address.equals(than)).toList();
  }

  /**
   * The servers that do not lead, as far as is known, with the pins that are accepted at present.
   */
  List<ServerAddress> others() {
    return others(server()).stream()
        .map(other -> new ServerAddress(other.base(), BoundedExchange.to(other).accepted()))
        .toList();
  }

  /** The server that leads, as far as is known. */
  ServerAddress server() {
    return addresses.get(leader);
  }

  <T> T call(
      String method,
      String path,
      @Nullable Object body,
      Class<T> answer,
      Bounds bounds,
      Map<String, String> headers) {
    boolean isRepeatable = !method.equals("POST") || headers.containsKey("Idempotency-Key");
    return ask(isRepeatable, http -> http.call(method, path, body, answer, bounds, headers));
  }

  <T> T call(String method, String path, @Nullable Object body, Class<T> answer, Bounds bounds) {
    return call(method, path, body, answer, bounds, Map.of());
  }

  void call(String method, String path, Object body, Bounds bounds) {
    ask(
        !method.equals("POST"),
        http -> {
          http.call(method, path, body, bounds);
          return true;
        });
  }

  void call(String method, String path, Bounds bounds) {
    ask(
        !method.equals("POST"),
        http -> {
          http.call(method, path, bounds);
          return true;
        });
  }

  /** Connects to the one that leads, and sends nothing. */
  void reach(Duration deadline) {
    ask(
        true,
        http -> {
          http.reach(deadline);
          return true;
        });
  }

  AnswerLines lines(String path, Map<String, String> headers, Duration deadline, Duration silence) {
    return ask(true, http -> http.lines(path, headers, deadline, silence));
  }

  /**
   * Sends a call to the leader.
   *
   * @param isRepeatable whether the call may be sent twice without harm
   * @throws UnreachableException also if only standbys of several orchestrators answer
   */
  <T> T ask(boolean isRepeatable, Function<JsonHttp, T> call) {
    int asked = leader;
    try {
      return call.apply(servers.get(asked));
    } catch (ProblemException e) {
      boolean isRefused = e.isNotOfTheLeader();
      if (!(isRefused || e.type().equals(CLOSING))) {
        throw e;
      }
      boolean isFound = find();
      if (!isFound && isRefused && servers.size() > 1) {
        throw new UnreachableException(String.valueOf(e.getMessage()), e);
      }
      if (!isFound || !(isRefused || isRepeatable)) {
        throw e;
      }
    } catch (UnreachableException e) {
      if (!find() || !(isRepeatable || wasNotSent(e))) {
        throw e;
      }
    }
    return call.apply(servers.get(leader));
  }

  /**
   * Asks all in parallel which of them leads; returns false if none does. In that case a standby
   * that answered is called next: it reports sooner than an unreachable host that there is no
   * leader yet.
   *
   * @throws UnreachableException if none leads, and one has another key than the pinned ones: it
   *     may be the leader
   */
  boolean find() {
    if (servers.size() == 1) {
      return false;
    }
    List<CompletableFuture<@Nullable OrchestratorHealth>> asked = new ArrayList<>();
    for (JsonHttp server : servers) {
      asked.add(CompletableFuture.supplyAsync(() -> health(server), THREADS));
    }
    UnreachableException distrusted = null;
    int found = -1;
    int standby = -1;
    long greatest = -1;
    for (int i = 0; i < asked.size(); i++) {
      OrchestratorHealth health = null;
      try {
        health = asked.get(i).join();
      } catch (CompletionException e) {
        if (e.getCause() instanceof UnreachableException why && why.isAboutTrust()) {
          distrusted = why;
        }
      }
      if (health != null && health.role() != OrchestratorRole.STANDBY) {
        long epoch = Objects.requireNonNullElse(health.epoch(), 0L);
        if (epoch > greatest) {
          greatest = epoch;
          found = i;
        }
      } else if (health != null && standby < 0) {
        standby = i;
      }
    }
    if (found < 0 && distrusted != null) {
      throw distrusted;
    }
    if (found >= 0 || standby >= 0) {
      leader = found >= 0 ? found : standby;
    }
    return found >= 0;
  }

  private static @Nullable OrchestratorHealth health(JsonHttp server) {
    try {
      return server.call("GET", "/api/v1/health", null, OrchestratorHealth.class, HEALTH);
    } catch (ProblemException e) {
      return null;
    }
  }

  private static boolean wasNotSent(Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof ConnectException || at instanceof HttpConnectTimeoutException) {
        return true;
      }
    }
    return false;
  }
}
