package io.cascade.orchestrator.store;

import io.cascade.command.CommandException;
import io.cascade.command.names.Loopback;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A database on a PostgreSQL server.
 *
 * @param url {@code jdbc:postgresql://HOST[:PORT]/DATABASE}, or the same without {@code jdbc:};
 *     beyond this machine with {@code sslmode}, since keys of hops and tokens are sent over it
 * @param user null if the URL or the system names it
 * @param password null if it is in the URL or the server needs none
 */
public record PostgresServer(String url, @Nullable String user, @Nullable String password) {
  private static final String SCHEME = "jdbc:postgresql:";

  /** Checks the URL. */
  public PostgresServer {
    url = url.startsWith("postgresql:") ? "jdbc:" + url : url;
    Map<String, String> parts =
        url.startsWith(SCHEME) && !url.equals(SCHEME) ? parts(url) : Map.of();
    if (parts.isEmpty()) {
      throw new CommandException(
          "--database " + named(url) + " (expected: postgresql://HOST[:PORT]/DATABASE)");
    }
    if (!isOfThisMachine(parts) && !saysHowItIsVerified(parts)) {
      throw new CommandException(
          "--database "
              + named(url)
              + ": keys of hops and tokens might be sent in clear; fix: add ?sslmode=verify-full"
              + " (and"
              + " &sslrootcert=FILE for a certificate of your own authority), or, on a network"
              + " that you trust, sslmode=disable");
    }
  }

  /**
   * Properties that the driver reads from the URL and the files that it names; empty for an invalid
   * URL.
   */
  private static Map<String, String> parts(String url) {
    try {
      return Stream.of(DriverManager.getDriver(url).getPropertyInfo(url, new Properties()))
          .filter(part -> part.value != null)
          .collect(Collectors.toMap(part -> part.name, part -> part.value));
    } catch (SQLException e) {
      return Map.of();
    }
  }

  private static boolean isOfThisMachine(Map<String, String> parts) {
    return Stream.of(parts.getOrDefault("PGHOST", "localhost").split(",", -1))
        .allMatch(Loopback::isHost);
  }

  /**
   * Whether the URL sets {@code sslmode}. Without it the driver uses {@code prefer}, which does not
   * verify the server.
   */
  private static boolean saysHowItIsVerified(Map<String, String> parts) {
    return !parts.getOrDefault("sslmode", "").isEmpty() || Boolean.parseBoolean(parts.get("ssl"));
  }

  /** The URL without its parameters, which may include a password. */
  @Override
  public String toString() {
    return named(url);
  }

  private static String named(String url) {
    int parameters = url.indexOf('?');
    String bare = parameters < 0 ? url : url.substring(0, parameters);
    return bare.startsWith("jdbc:") ? bare.substring("jdbc:".length()) : bare;
  }
}
