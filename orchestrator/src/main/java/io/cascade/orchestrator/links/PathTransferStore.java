package io.cascade.orchestrator.links;

import io.cascade.orchestrator.store.Columns;
import io.cascade.orchestrator.store.Rows;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Table of transfer evidence by path, stored across restarts of the orchestrator. */
public class PathTransferStore {
  private final JdbcClient db;
  private final Table table;

  /** A table; both have the same columns except for the name of the first. */
  public enum Table {
    CLIENT_PATH("client_path", "client"),
    DESTINATION_PATH("destination_path", "relay");

    private final String sqlName;
    private final String from;

    Table(String sqlName, String from) {
      this.sqlName = sqlName;
      this.from = from;
    }

    private String in(String sql) {
      return sql.replace("$table", sqlName).replace("$from", from);
    }
  }

  public PathTransferStore(JdbcClient db, Table table) {
    this.db = db;
    this.table = table;
  }

  /**
   * @param shown evidence, in time of day
   */
  protected void save(PathEnds path, Transfers shown, Instant updatedAt) {
    Rows.save(
        db,
        table.in(
            """
            update $table set transfers = :transfers, updated_at = :updated
            where $from = :from and target = :target\
            """),
        table.in(
            """
            insert into $table ($from, target, transfers, updated_at)
            values (:from, :target, :transfers, :updated)\
            """),
        row ->
            row.param("from", path.from())
                .param("target", path.to())
                .param("transfers", Columns.json(shown))
                .param("updated", Columns.time(updatedAt)));
  }

  protected void remove(PathEnds path) {
    db.sql(table.in("delete from $table where $from = :from and target = :target"))
        .param("from", path.from())
        .param("target", path.to())
        .update();
  }

  /** Removes paths without new evidence since a moment. */
  protected void removeBefore(Instant moment) {
    db.sql(table.in("delete from $table where updated_at < :moment"))
        .param("moment", Columns.time(moment))
        .update();
  }

  /** All paths, longest unchanged first, in time of day. */
  protected Map<PathEnds, Transfers> all() {
    Map<PathEnds, Transfers> all = new LinkedHashMap<>();
    db.sql(table.in("select * from $table order by updated_at"))
        .query(row -> {
          Transfers shown = Columns.json(row, "transfers", Transfers.class);
          if (shown != null) {
            all.put(new PathEnds(row.getString(table.from), row.getString("target")), shown);
          }
        });
    return all;
  }
}
