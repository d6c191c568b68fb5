package io.cascade.orchestrator;

import io.cascade.orchestrator.security.OidcIssuer;
import io.cascade.orchestrator.store.PostgresServer;
import io.cascade.orchestrator.tls.TlsSettings;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Settings of an orchestrator on a free port of loopback, some of which a test changes. */
final class RigSettings {
  private final Path state;
  private String host = "127.0.0.1";
  private int port;
  private @Nullable PostgresServer database;
  private @Nullable String token;
  private TlsSettings tls = TlsSettings.USUAL;
  private @Nullable OidcIssuer oidc;
  private Duration heartbeat = Duration.ofSeconds(1);
  private double explore;
  private int chainsPerClient = 100;
  private Clock clock = Clock.systemUTC();
  private LongSupplier nanos = System::nanoTime;

  private RigSettings(Path state) {
    this.state = state;
  }

  static RigSettings local(Path state) {
    return new RigSettings(state);
  }

  RigSettings withHost(String other) {
    host = other;
    return this;
  }

  RigSettings withPort(int other) {
    port = other;
    return this;
  }

  RigSettings withDatabase(@Nullable PostgresServer other) {
    database = other;
    return this;
  }

  RigSettings withToken(@Nullable String other) {
    token = other;
    return this;
  }

  RigSettings withTls(TlsSettings other) {
    tls = other;
    return this;
  }

  RigSettings withOidc(@Nullable OidcIssuer other) {
    oidc = other;
    return this;
  }

  RigSettings withHeartbeat(Duration other) {
    heartbeat = other;
    return this;
  }

  RigSettings withExplore(double other) {
    explore = other;
    return this;
  }

  RigSettings withChainsPerClient(int other) {
    chainsPerClient = other;
    return this;
  }

  RigSettings withClocks(Clock other, LongSupplier monotonic) {
    clock = other;
    nanos = monotonic;
    return this;
  }

  Settings settings() {
    return new Settings(
        host,
        port,
        state,
        database,
        token,
        tls,
        oidc,
        heartbeat,
        explore,
        chainsPerClient,
        Duration.ofDays(7),
        clock,
        nanos);
  }
}
