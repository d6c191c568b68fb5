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

/** API keys that are accepted: all of them in memory, for every call looks one up. */
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

  /** Uses that the store does not know of yet. */
  private final Map<UUID, Instant> unsaved = new ConcurrentHashMap<>();

  /**
   * By relay, of the key that it used last. Stays when the key is revoked: what the relay has of
   * chains can be taken from it then.
   */
  private final Map<String, String> controlTokens =
      Collections.synchronizedMap(BoundedMap.ofLatestUsed(MOST_KEYS));

  private @Nullable PeriodicTask task;

  /** A key of that name is accepted no more. */
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
   * The caller with this key; null where there is none or its time is over. Keys are found by their
   * digests: how long that takes tells nothing of a key.
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

  /** Whether a caller who was let in would be let in again, with what was shown then. */
  public boolean isStillAccepted(Caller caller) {
    Instant end = caller.expiresAt();
    if (end != null && !time.now().isBefore(end)) {
      return false;
    }
    return !(caller.credential() instanceof Caller.ApiKeyShown(UUID id, _))
        || byDigest.values().stream().anyMatch(key -> key.id().equals(id));
  }

  /**
   * A relay registered or reported: from now on it is asked as whoever spoke for it expects. With
   * its own key that is by what is derived from the key, with any other credential by the token.
   */
  public void spoke(String relay, Caller caller) {
    if (caller.role() != Role.RELAY) {
      controlTokens.remove(relay);
    }
  }

  /** Control token of the key with which that relay last called; null where it has used none. */
  public @Nullable String controlToken(String relay) {
    return controlTokens.get(relay);
  }

  /** The oldest first. */
  List<ApiKey> all() {
    return byDigest.values().stream()
        .sorted(Comparator.comparing(StoredKey::createdAt).thenComparing(StoredKey::id))
        .map(this::document)
        .toList();
  }

  /**
   * Makes a key of a role that may do nothing that its maker may not.
   *
   * @throws Refusal where it would, where it would outlive the maker's own key, or where there are
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

  /** A key that is not accepted yet, and what its user is told once. */
  record Made(StoredKey key, NewApiKey document) {}

  /**
   * Makes a key that is still to be stored and accepted.
   *
   * @param maker name of whoever gives it
   * @param relayKey of the relay that alone may use it; null where any key may
   * @throws Refusal where there are too many
   */
  Made prepare(ApiKeyRequest request, String maker, @Nullable String relayKey) {
    forgetOld(time.endedFor(REMEMBERED));
    if (byDigest.size() >= MOST_KEYS) {
      forgetFirstEnded();
    }
    if (byDigest.size() >= MOST_KEYS) {
      throw new Refusal(
          ProblemKind.LIMIT_REACHED, MOST_KEYS + " keys; revoke some (GET /keys lists)");
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

  /** Where there is no room for another one, those that ended first make some. */
  private void forgetFirstEnded() {
    Instant now = time.now();
    byDigest.values().stream()
        .filter(key -> !key.isValid(now))
        .map(StoredKey::expiresAt)
        .min(Comparator.naturalOrder())
        .ifPresent(this::forgetOld);
  }

  /** Those that ended some days ago: until then the list tells why they are not accepted. */
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

  /** The end that keys of this maker may not outlive; null for none. */
  static @Nullable Instant latestEnd(Caller maker) {
    return maker.credential() instanceof Caller.ApiKeyShown ? maker.expiresAt() : null;
  }

  private @Nullable Instant end(Caller maker, @Nullable Instant asked) {
    Instant end = asked == null ? null : asked.truncatedTo(ChronoUnit.MICROS);
    if (end != null && !end.isAfter(time.now())) {
      throw new Refusal(
          ProblemKind.INVALID_REQUEST, "expiresAt: " + end + " (expected: a time to come)");
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
   * @throws Refusal where there is no such key, or its role may do what the caller may not
   */
  void revoke(Caller caller, UUID id) {
    StoredKey key = removed(caller, id);
    // Whoever hears of it closes connections, which may take seconds.
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
   * @throws Refusal where the role may do what the caller may not
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
              + " (expected: one that may do no more than "
              + caller.role()
              + ", which lacks "
              + String.join(", ", beyond)
              + ")");
    }
  }

  /** Those that cannot be stored now are stored later: a database that is away costs one wait. */
  private void saveUses() {
    try {
      unsaved.forEach((id, at) -> {
        store.used(id, at);
        unsaved.remove(id, at);
      });
    } catch (DataAccessException e) {
      LOG.debug("when keys were used could not be stored", e);
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
