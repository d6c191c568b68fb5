package io.cascade.orchestrator.planning;

import io.cascade.orchestrator.links.Transfers;
import io.cascade.orchestrator.store.Columns;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Store of the evidence of clients' transfers, across restarts of the orchestrator. */
@Component
class ClientTransferStore {
  private final JdbcClient db;

  ClientTransferStore(JdbcClient db) {
    this.db = db;
  }

  /**
   * @param shown by the time of day
   */
  void save(ClientPath path, Transfers shown, Instant updatedAt) {
    int updated =
        write(
            """
            update client_path set transfers = :transfers, updated_at = :updated
            where client = :client and target = :target\
            """,
            path,
            shown,
            updatedAt);
    if (updated == 0) {
      write(
          """
          insert into client_path (client, target, transfers, updated_at)
          values (:client, :target, :transfers, :updated)\
          """,
          path,
          shown,
          updatedAt);
    }
  }

  private int write(String sql, ClientPath path, Transfers shown, Instant updatedAt) {
    return db.sql(sql)
        .param("client", path.client())
        .param("target", path.to())
        .param("transfers", Columns.json(shown))
        .param("updated", Columns.time(updatedAt))
        .update();
  }

  void remove(ClientPath path) {
    db.sql("delete from client_path where client = :client and target = :target")
        .param("client", path.client())
        .param("target", path.to())
        .update();
  }

  /** Removes what nothing was added to since a moment. */
  void removeBefore(Instant moment) {
    db.sql("delete from client_path where updated_at < :moment")
        .param("moment", Columns.time(moment))
        .update();
  }

  /** Everything, the longest unchanged first, by the time of day. */
  Map<ClientPath, Transfers> all() {
    Map<ClientPath, Transfers> all = new LinkedHashMap<>();
    db.sql("select * from client_path order by updated_at")
        .query(row -> {
          Transfers shown = Columns.json(row, "transfers", Transfers.class);
          if (shown != null) {
            all.put(new ClientPath(row.getString("client"), row.getString("target")), shown);
          }
        });
    return all;
  }
}
