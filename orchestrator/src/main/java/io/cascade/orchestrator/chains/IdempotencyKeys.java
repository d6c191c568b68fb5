package io.cascade.orchestrator.chains;

import io.cascade.api.Json;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.command.Digests;
import io.cascade.orchestrator.store.Columns;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Chains by the Idempotency-Key of the call that opened them. Kept for a day, at most ten thousand.
 * The key of a failed attempt is free again, so that a retry of the call opens a chain.
 */
@Component
class IdempotencyKeys {
  static final Duration KEPT = Duration.ofDays(1);
  static final int MOST_KEYS = 10_000;

  private final JdbcClient db;
  private final Timekeeper time;

  IdempotencyKeys(JdbcClient db, Timekeeper time) {
    this.db = db;
    this.time = time;
    // The clock may have been set back since an earlier process; no key is kept for longer.
    db.sql("update idempotency_key set created_at = :now where created_at > :now")
        .param("now", Columns.time(time.steady()))
        .update();
  }

  record Claim(String bodyDigest, UUID chainId) {}

  /**
   * @return the claim that holds the key already; empty if the key now belongs to this chain
   */
  Optional<Claim> claim(String key, String bodyDigest, UUID chainId) {
    db.sql("delete from idempotency_key where created_at < :oldest")
        .param("oldest", Columns.time(time.steady().minus(KEPT)))
        .update();
    try {
      db.sql(
              """
              insert into idempotency_key (request_key, body_digest, chain_id, created_at)
              values (:key, :digest, :chain, :now)\
              """)
          .param("key", key)
          .param("digest", bodyDigest)
          .param("chain", chainId)
          .param("now", Columns.time(time.steady()))
          .update();
    } catch (DuplicateKeyException e) {
      return db.sql("select body_digest, chain_id from idempotency_key where request_key = :key")
          .param("key", key)
          .query((row, _) ->
              new Claim(row.getString("body_digest"), row.getObject("chain_id", UUID.class)))
          .optional();
    }
    db.sql(
            """
            delete from idempotency_key where created_at < (
              select created_at from idempotency_key
              order by created_at desc offset :kept rows fetch first 1 rows only)\
            """)
        .param("kept", MOST_KEYS - 1)
        .update();
    return Optional.empty();
  }

  void release(String key, UUID chainId) {
    db.sql("delete from idempotency_key where request_key = :key and chain_id = :chain")
        .param("key", key)
        .param("chain", chainId)
        .update();
  }

  /**
   * The stored form of a key. Keys are scoped to their owner; otherwise a caller could find a chain
   * of another caller by guessing its key.
   */
  static String of(@Nullable String owner, String key) {
    return owner == null ? key : Digests.sha256(owner + "\n" + key);
  }

  /** Digest of a request; equal requests have equal digests in any notation. */
  static String digest(ChainRequest request) {
    return Digests.sha256(Json.strict().writeValueAsString(request));
  }
}
