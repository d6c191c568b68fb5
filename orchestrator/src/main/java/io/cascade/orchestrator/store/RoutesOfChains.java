package io.cascade.orchestrator.store;

import io.cascade.api.Json;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.migration.Context;
import org.flywaydb.core.api.migration.JavaMigration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Version 11: an installation has a route of segments of pipes, and keys by the addresses of its
 * hops. Before, it had a list of relays and a list of keys between them.
 *
 * <p>Written in Java, since H2 and PostgreSQL have no JSON functions in common; uses the documents'
 * names instead of the present records, which change.
 */
final class RoutesOfChains implements JavaMigration {
  @Override
  public MigrationVersion getVersion() {
    return MigrationVersion.fromVersion("11");
  }

  @Override
  public String getDescription() {
    return "routes of chains";
  }

  @Override
  public @Nullable Integer getChecksum() {
    return null;
  }

  @Override
  public boolean canExecuteInTransaction() {
    return true;
  }

  @Override
  public void migrate(Context context) throws SQLException {
    Map<UUID, String> documents = new HashMap<>();
    try (Statement all = context.getConnection().createStatement();
        ResultSet rows =
            all.executeQuery("select id, installation from chain where installation is not null")) {
      while (rows.next()) {
        documents.put(rows.getObject("id", UUID.class), withRoute(rows.getString("installation")));
      }
    }
    try (PreparedStatement update =
        context
            .getConnection()
            .prepareStatement("update chain set installation = ? where id = ?")) {
      for (Map.Entry<UUID, String> document : documents.entrySet()) {
        update.setString(1, document.getValue());
        update.setObject(2, document.getKey());
        update.executeUpdate();
      }
    }
  }

  /** Rewrites one installation. */
  static String withRoute(String installation) {
    JsonNode old = Json.lenient().readTree(installation);
    ObjectNode written = Json.lenient().createObjectNode();
    ObjectNode keys = Json.lenient().createObjectNode();
    ArrayNode hops =
        written
            .putObject("route")
            .putArray("segments")
            .addObject()
            .putArray("pipes")
            .addObject()
            .putArray("hops");
    String between = old.path("tls").asBoolean(false) ? "TLS" : "TCP";
    String from = "source";
    for (JsonNode relay : old.path("relays")) {
      boolean first = hops.isEmpty();
      if (!first) {
        keys.set("0.0." + hops.size(), old.path("keys").path(hops.size() - 1));
      }
      from = hop(hops, from, relay.stringValue(), first ? "TCP" : between);
    }
    hop(hops, from, "destination", "TCP");
    written.set("keys", keys);
    written.set("askedPort", old.path("askedPort"));
    if (old.hasNonNull("ingress")) {
      written.set("ingress", old.path("ingress"));
    }
    written.put("proxied", old.path("proxied").asBoolean(false));
    written.put("revision", old.path("revision").asLong(0));
    return Json.lenient().writeValueAsString(written);
  }

  /** Adds a hop, and returns where it ends. */
  private static String hop(ArrayNode hops, String from, String to, String transport) {
    hops.addObject().put("from", from).put("to", to).put("transport", transport);
    return to;
  }
}
