package io.cascade.orchestrator;

import io.cascade.orchestrator.security.OidcIssuer;
import io.cascade.orchestrator.store.PostgresServer;
import io.cascade.orchestrator.tls.TlsSettings;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Settings that an orchestrator needs before it starts.
 *
 * @param host local address to listen on
 * @param port 0 takes a free one
 * @param stateDirectory where its database lies, unless {@code database} names another
 * @param database of PostgreSQL; null keeps an embedded one in the state directory
 * @param token that callers and relays share; null for none: beyond loopback all have keys then
 * @param tls whether TLS is served, and with which certificate
 * @param oidc whose tokens are accepted beside that; null for nobody's
 * @param heartbeat how often relays report
 * @param explore share of the decisions that try another cascade than the best, to learn of it
 * @param forgetLostAfter for how long a relay may be lost before it leaves the registry
 * @param clock the time of day
 * @param nanos a monotonic clock, in nanoseconds
 */
public record Settings(
    String host,
    int port,
    Path stateDirectory,
    @Nullable PostgresServer database,
    @Nullable String token,
    TlsSettings tls,
    @Nullable OidcIssuer oidc,
    Duration heartbeat,
    double explore,
    Duration forgetLostAfter,
    Clock clock,
    LongSupplier nanos) {

  public static final int DEFAULT_PORT = 7400;
  public static final Duration DEFAULT_FORGET_LOST_AFTER = Duration.ofDays(7);

  /** Settings for a free port of loopback, for tests and for everything on one machine. */
  public static Settings local(Path stateDirectory) {
    return new Settings(
        "127.0.0.1",
        0,
        stateDirectory,
        null,
        null,
        TlsSettings.USUAL,
        null,
        Duration.ofSeconds(1),
        0,
        DEFAULT_FORGET_LOST_AFTER,
        Clock.systemUTC(),
        System::nanoTime);
  }

  public Settings withPort(int other) {
    return new Settings(
        host,
        other,
        stateDirectory,
        database,
        token,
        tls,
        oidc,
        heartbeat,
        explore,
        forgetLostAfter,
        clock,
        nanos);
  }

  public Settings withToken(@Nullable String other) {
    return new Settings(
        host,
        port,
        stateDirectory,
        database,
        other,
        tls,
        oidc,
        heartbeat,
        explore,
        forgetLostAfter,
        clock,
        nanos);
  }

  public Settings withTls(TlsSettings other) {
    return new Settings(
        host,
        port,
        stateDirectory,
        database,
        token,
        other,
        oidc,
        heartbeat,
        explore,
        forgetLostAfter,
        clock,
        nanos);
  }

  public Settings withOidc(@Nullable OidcIssuer other) {
    return new Settings(
        host,
        port,
        stateDirectory,
        database,
        token,
        tls,
        other,
        heartbeat,
        explore,
        forgetLostAfter,
        clock,
        nanos);
  }

  public Settings withHeartbeat(Duration other) {
    return new Settings(
        host,
        port,
        stateDirectory,
        database,
        token,
        tls,
        oidc,
        other,
        explore,
        forgetLostAfter,
        clock,
        nanos);
  }

  public Settings withDatabase(@Nullable PostgresServer other) {
    return new Settings(
        host,
        port,
        stateDirectory,
        other,
        token,
        tls,
        oidc,
        heartbeat,
        explore,
        forgetLostAfter,
        clock,
        nanos);
  }

  public Settings withExplore(double other) {
    return new Settings(
        host,
        port,
        stateDirectory,
        database,
        token,
        tls,
        oidc,
        heartbeat,
        other,
        forgetLostAfter,
        clock,
        nanos);
  }

  public Settings withClocks(Clock other, LongSupplier monotonic) {
    return new Settings(
        host,
        port,
        stateDirectory,
        database,
        token,
        tls,
        oidc,
        heartbeat,
        explore,
        forgetLostAfter,
        other,
        monotonic);
  }

  /** The settings without secrets. */
  @Override
  public String toString() {
    return "Settings[" + host + ":" + port + ", " + stateDirectory + "]";
  }
}
