package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.SetupReport;
import io.cascade.orchestrator.audit.AuditTrail;
import io.cascade.orchestrator.store.Columns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Store of chains across restarts of the orchestrator, including those that have ended. */
@Component
class ChainStore {
  private static final Logger LOG = LoggerFactory.getLogger(ChainStore.class);

  /** Number of ended chains that are kept; older ones are deleted. */
  static final int ENDED_KEPT = 5_000;

  private static final int PRUNE_EVERY = 100;

  private final JdbcClient db;
  private final AuditTrail trail;
  private final AtomicInteger endedSincePruning = new AtomicInteger();

  ChainStore(JdbcClient db, AuditTrail trail) {
    this.db = db;
    this.trail = trail;
  }

  void insert(Chain chain) {
    trail.change(chain.id().toString(), () -> write(chain));
  }

  private void write(Chain chain) {
    db.sql(
            """
            insert into chain (id, name, state, reason, destination, request, owner, created_at, updated_at)
            values (:id, :name, :state, :reason, :destination, :request, :owner, :created, :updated)\
            """)
        .param("id", chain.id())
        .param("name", chain.request().name())
        .param("state", chain.state().name())
        .param("reason", chain.reason())
        .param("destination", chain.request().destination())
        .param("request", Columns.json(chain.request()))
        .param("owner", chain.owner())
        .param("created", Columns.time(chain.createdAt()))
        .param("updated", Columns.time(chain.updatedAt()))
        .update();
  }

  /**
   * @param status the chain's status once this is stored
   */
  void update(Chain chain, Chain.Status status) {
    trail.change(() -> write(chain, status));
    if (status.ended() && endedSincePruning.incrementAndGet() % PRUNE_EVERY == 0) {
      try {
        prune();
      } catch (DataAccessException e) { // the change itself is stored and has not failed
        LOG.warn("chains that have ended were not dropped: {}", e.getMessage());
      }
    }
  }

  private void write(Chain chain, Chain.Status status) {
    db.sql(
            """
            update chain set state = :state, reason = :reason, chain_plan = :plan,
              installation = :installation, setup = :setup, updated_at = :updated
            where id = :id\
            """)
        .param("state", status.state().name())
        .param("reason", status.reason())
        .param("plan", Columns.json(chain.plan()))
        .param("installation", Columns.json(chain.installation()))
        .param("setup", Columns.json(chain.setup()))
        .param("updated", Columns.time(status.since()))
        .param("id", chain.id())
        .update();
  }

  /** Deletes the oldest ended chains beyond those that are kept. */
  void prune() {
    // Two statements: within one, H2 sorts all ended chains again for each of them.
    Optional<OffsetDateTime> oldestKept =
        db.sql(
                """
                select created_at from chain where state in ('CLOSED', 'FAILED')
                order by created_at desc offset :kept rows fetch first 1 rows only\
                """)
            .param("kept", ENDED_KEPT - 1)
            .query(OffsetDateTime.class)
            .optional();
    oldestKept.ifPresent(oldest -> {
      int _ =
          db.sql("delete from chain where state in ('CLOSED', 'FAILED') and created_at < :oldest")
              .param("oldest", oldest)
              .update();
    });
  }

  Optional<Chain> find(UUID id) {
    return db.sql("select * from chain where id = :id")
        .param("id", id)
        .query(ChainStore::chain)
        .optional();
  }

  Set<UUID> endedAmong(Collection<UUID> ids) {
    return Set.copyOf(
        db.sql("select id from chain where id in (:ids) and state in ('CLOSED', 'FAILED')")
            .param("ids", ids)
            .query((row, _) -> Objects.requireNonNull(row.getObject("id", UUID.class)))
            .list());
  }

  /**
   * Lists chains, newest first.
   *
   * @param state null for all
   * @param owner null for all owners
   */
  List<Chain> list(@Nullable ChainState state, @Nullable String owner, int limit) {
    String states = state == null ? "" : " and state = :state";
    String owners = owner == null ? "" : " and owner = :owner";
    return db.sql(
            "select * from chain where true"
                + states
                + owners
                + " order by created_at desc, id limit :limit")
        .params(
            Map.of(
                "state", state == null ? "" : state.name(),
                "owner", owner == null ? "" : owner,
                "limit", limit))
        .query(ChainStore::chain)
        .list();
  }

  /** All chains in one of these states. */
  List<Chain> all(Collection<ChainState> states) {
    return db.sql("select * from chain where state in (:states) order by created_at")
        .param("states", states.stream().map(Enum::name).toList())
        .query(ChainStore::chain)
        .list();
  }

  private static Chain chain(ResultSet row, int number) throws SQLException {
    return new Chain(
        row.getObject("id", UUID.class),
        Objects.requireNonNull(Columns.json(row, "request", ChainRequest.class)),
        row.getString("owner"),
        ChainState.valueOf(row.getString("state")),
        row.getString("reason"),
        Columns.json(row, "chain_plan", Plan.class),
        Columns.json(row, "installation", Installation.class),
        Columns.json(row, "setup", SetupReport.class),
        Columns.time(row, "created_at"),
        Columns.time(row, "updated_at"));
  }
}
