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
 * @param stateDirectory directory of the database, unless {@code database} names another
 * @param database a PostgreSQL database; null for an embedded one in the state directory
 * @param token secret that callers and relays share; null for none, in which case callers beyond
 *     loopback need keys
 * @param tls whether TLS is served, and with which certificate
 * @param oidc issuer whose tokens are accepted as well; null for none
 * @param heartbeat interval at which relays report
 * @param explore share of the decisions that try a cascade other than the best, to learn about it
 * @param chainsPerClient number of open chains that each caller of the role client may have
 * @param forgetLostAfter time for which a relay may be lost before it leaves the registry
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
    int chainsPerClient,
    Duration forgetLostAfter,
    Clock clock,
    LongSupplier nanos) {

  public static final int DEFAULT_PORT = 7400;

  /** The settings without secrets. */
  @Override
  public String toString() {
    return "Settings[" + host + ":" + port + ", " + stateDirectory + "]";
  }
}
