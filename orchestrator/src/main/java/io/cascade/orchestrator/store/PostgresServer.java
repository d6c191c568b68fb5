package io.cascade.orchestrator.store;

import io.cascade.command.CommandException;
import org.jspecify.annotations.Nullable;

/**
 * A database on a PostgreSQL server.
 *
 * @param url {@code jdbc:postgresql://HOST[:PORT]/DATABASE}, or the same without {@code jdbc:}
 * @param user null where the URL or the system says who
 * @param password null where the URL says it or the server asks for none
 */
public record PostgresServer(String url, @Nullable String user, @Nullable String password) {
  private static final String SCHEME = "jdbc:postgresql:";

  /** Checks the URL. */
  public PostgresServer {
    url = url.startsWith("postgresql:") ? "jdbc:" + url : url;
    if (!url.startsWith(SCHEME) || url.equals(SCHEME)) {
      throw new CommandException(
          "--database " + named(url) + " (expected: postgresql://HOST[:PORT]/DATABASE)");
    }
  }

  /** The URL without its parameters, among which a password may be. */
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
