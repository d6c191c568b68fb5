package io.cascade.orchestrator.security;

import io.cascade.api.BoundedMap;
import io.cascade.api.identity.KeySecret;
import io.cascade.api.orchestrator.ApiKey;
import io.cascade.api.orchestrator.ApiKeyRequest;
import io.cascade.api.orchestrator.NewApiKey;
import io.cascade.api.orchestrator.Role;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.time.PeriodicTask;
import io.cascade.orchestrator.time.Timekeeper;
import jakarta.annotation.PreDestroy;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.event.EventListener;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/** Accepted API keys, all in memory, since every call looks one up. */
@Component
public class KeyBook {
  private static final Logger LOG = LoggerFactory.getLogger(KeyBook.class);
  static final int MOST_KEYS = 10_000;
  static final Duration REMEMBERED = Duration.ofDays(2);
  private static final Duration BETWEEN_USES = Duration.ofMinutes(1);

  private final KeyStore store;
  private final Scopes scopes;
  private final Timekeeper time;
  private final ApplicationEventPublisher facts;
  private final SecureRandom random = new SecureRandom();
  private final Map<String, StoredKey> byDigest = new ConcurrentHashMap<>();
  private final Map<UUID, Instant> lastUsed = new ConcurrentHashMap<>();

  /** Uses that are not stored yet. */
  private final Map<UUID, Instant> unsaved = new ConcurrentHashMap<>();

  /**
   * Control tokens by relay, of the key that the relay last used. Kept when the key is revoked, so
   * that the relay's parts of chains can still be removed.
   */
  private final Map<String, String> controlTokens =
      Collections.synchronizedMap(BoundedMap.ofLatestUsed(MOST_KEYS));

  private @Nullable PeriodicTask task;

  /** A key of this name is no longer accepted. */
  public record Revoked(String name, Role role) {}

  KeyBook(KeyStore store, Scopes scopes, Timekeeper time, ApplicationEventPublisher facts) {
    this.facts = facts;
    this.store = store;
    this.scopes = scopes;
    this.time = time;
    store.all().forEach(key -> byDigest.put(key.digest(), key));
    byDigest.values().stream()
        .filter(key -> key.lastUsedAt() != null)
        .sorted(Comparator.comparing(StoredKey::lastUsedAt))
        .forEach(key -> {
          lastUsed.put(key.id(), key.lastUsedAt());
          if (key.controlToken() != null) {
            controlTokens.put(key.name(), key.controlToken());
          }
        });
  }

  @EventListener(ApplicationReadyEvent.class)
  void start() {
    task = PeriodicTask.every(BETWEEN_USES, "key-uses", this::saveUses);
  }

  @PreDestroy
  void stop() {
    if (task != null) {
      task.close();
      saveUses();
    }
  }

  /**
   * The caller with this key; null if there is none or it has expired. Keys are looked up by
   * digest, so that the duration reveals nothing about a key.
   */
  @Nullable Caller caller(String text) {
    StoredKey key = byDigest.get(new KeySecret(text).digest());
    Instant now = time.now();
    if (key == null || !key.isValid(now)) {
      return null;
    }
    lastUsed.put(key.id(), now);
    unsaved.put(key.id(), now);
    if (key.controlToken() != null) {
      controlTokens.put(key.name(), key.controlToken());
    }
    return Caller.of(key, scopes);
  }

  /** Whether a caller's credential would still be accepted. */
  public boolean isStillAccepted(Caller caller) {
    Instant end = caller.expiresAt();
    if (end != null && !time.now().isBefore(end)) {
      return false;
    }
    return !(caller.credential() instanceof Caller.ApiKeyShown(UUID id, _))
        || byDigest.values().stream().anyMatch(key -> key.id().equals(id));
  }

  /**
   * Records with which credential a relay registered or reported: calls to it then use the token
   * derived from its own key or, for any other credential, the shared token.
   */
  public void spoke(String relay, Caller caller) {
    if (caller.role() != Role.RELAY) {
      controlTokens.remove(relay);
    }
  }

  /** Control token of the key that the relay last used; null if it has used none. */
  public @Nullable String controlToken(String relay) {
    return controlTokens.get(relay);
  }

  /** All keys, oldest first. */
  List<ApiKey> all() {
    return byDigest.values().stream()
        .sorted(Comparator.comparing(StoredKey::createdAt).thenComparing(StoredKey::id))
        .map(this::document)
        .toList();
  }

  /**
   * Creates a key of a role that allows nothing that its maker may not do.
   *
   * @throws Refusal if the role allows more, the key would outlive the maker's own, or there are
   *     too many
   */
  synchronized NewApiKey create(Caller maker, ApiKeyRequest request) {
    mayManage(maker, request.role());
    Instant end = end(maker, request.expiresAt());
    Made made = prepare(new ApiKeyRequest(request.name(), request.role(), end), maker.name(), null);
    store.insert(made.key());
    replace(null, made.key());
    return made.document();
  }

  /** A key that is not accepted yet, and the document that shows it once. */
  record Made(StoredKey key, NewApiKey document) {}

  /**
   * Creates a key without storing or accepting it.
   *
   * @param maker name of the caller that creates it
   * @param relayKey public key of the only relay that may use it; null if any relay may
   * @throws Refusal if there are too many
   */
  Made prepare(ApiKeyRequest request, String maker, @Nullable String relayKey) {
    forgetOld(time.endedFor(REMEMBERED));
    if (byDigest.size() >= MOST_KEYS) {
      forgetFirstEnded();
    }
    if (byDigest.size() >= MOST_KEYS) {
      throw new Refusal(
          ProblemKind.LIMIT_REACHED, MOST_KEYS + " keys exist; fix: revoke some (GET /keys lists)");
    }
    KeySecret secret = KeySecret.random(random);
    StoredKey key =
        new StoredKey(
            UUID.randomUUID(),
            request.name(),
            request.role(),
            secret.digest(),
            request.role() == Role.RELAY ? secret.controlToken() : null,
            time.now().truncatedTo(ChronoUnit.MICROS),
            maker,
            request.expiresAt(),
            relayKey,
            null);
    return new Made(key, new NewApiKey(document(key), secret.text(), key.controlToken()));
  }

  /** Makes room for another key by removing those that ended first. */
  private void forgetFirstEnded() {
    Instant now = time.now();
    byDigest.values().stream()
        .filter(key -> !key.isValid(now))
        .map(StoredKey::expiresAt)
        .min(Comparator.naturalOrder())
        .ifPresent(this::forgetOld);
  }

  /** Removes keys that ended some days ago; until then the list shows why they are not accepted. */
  private void forgetOld(Instant before) {
    List<StoredKey> old = byDigest.values().stream().filter(key -> !key.isValid(before)).toList();
    if (!old.isEmpty()) {
      store.removeEnded(before);
      old.forEach(this::forget);
    }
  }

  private void forget(StoredKey key) {
    byDigest.remove(key.digest());
    lastUsed.remove(key.id());
    unsaved.remove(key.id());
  }

  /**
   * Accepts a key that is stored, in place of another one.
   *
   * @param before null for none
   */
  synchronized void replace(@Nullable UUID before, StoredKey key) {
    byDigest.values().removeIf(one -> one.id().equals(before));
    byDigest.put(key.digest(), key);
  }

  /** The latest expiry of keys from this maker; null for no limit. */
  static @Nullable Instant latestEnd(Caller maker) {
    return maker.credential() instanceof Caller.ApiKeyShown ? maker.expiresAt() : null;
  }

  private @Nullable Instant end(Caller maker, @Nullable Instant asked) {
    Instant end = asked == null ? null : asked.truncatedTo(ChronoUnit.MICROS);
    if (end != null && !end.isAfter(time.now())) {
      throw new Refusal(
          ProblemKind.INVALID_REQUEST, "expiresAt: " + end + " (expected: a time in the future)");
    }
    Instant own = latestEnd(maker);
    if (own != null && (end == null || end.isAfter(own))) {
      throw new Refusal(
          ProblemKind.FORBIDDEN,
          "expiresAt: "
              + (end == null ? "never" : end)
              + " (expected: "
              + own
              + " or earlier, when your own key ends)");
    }
    return end;
  }

  /**
   * @throws Refusal if there is no such key, or its role allows what the caller may not do
   */
  void revoke(Caller caller, UUID id) {
    StoredKey key = removed(caller, id);
    // Listeners close connections, which may take seconds.
    facts.publishEvent(new Revoked(key.name(), key.role()));
  }

  private synchronized StoredKey removed(Caller caller, UUID id) {
    StoredKey key =
        byDigest.values().stream()
            .filter(one -> one.id().equals(id))
            .findFirst()
            .orElseThrow(
                () -> new Refusal(ProblemKind.UNKNOWN_KEY, id + ": no such key (GET /keys lists)"));
    mayManage(caller, key.role());
    store.remove(id);
    forget(key);
    return key;
  }

  /**
   * @throws Refusal if the role allows what the caller may not do
   */
  void mayManage(Caller caller, Role role) {
    List<String> beyond =
        scopes.of(role).stream()
            .filter(scope -> !caller.scopes().contains(scope))
            .sorted()
            .toList();
    if (!beyond.isEmpty()) {
      throw new Refusal(
          ProblemKind.FORBIDDEN,
          "role: "
              + role
              + " (expected: a role with no more rights than "
              + caller.role()
              + ", which lacks "
              + String.join(", ", beyond)
              + ")");
    }
  }

  /** Stores pending uses. What fails is stored later; an unreachable database costs one wait. */
  private void saveUses() {
    try {
      unsaved.forEach((id, at) -> {
        store.used(id, at);
        unsaved.remove(id, at);
      });
    } catch (DataAccessException e) {
      LOG.debug("the times when keys were used could not be stored", e);
    }
  }

  private ApiKey document(StoredKey key) {
    return ApiKey.builder()
        .id(key.id())
        .name(key.name())
        .role(key.role())
        .createdAt(key.createdAt())
        .createdBy(key.createdBy())
        .expiresAt(key.expiresAt())
        .lastUsedAt(lastUsed.get(key.id()))
        .build();
  }
}
