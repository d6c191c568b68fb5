package io.cascade.orchestrator.security;

import io.cascade.api.identity.InvitationSecret;
import io.cascade.api.identity.RelayProof;
import io.cascade.api.orchestrator.Role;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import java.time.Instant;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Who sent the request that is being answered.
 *
 * @param id unique among callers of every kind, such as {@code client/alice}
 * @param name for people
 * @param scopes of the role
 * @param expiresAt when the caller's credential ends; null where it does not
 * @param credential the kind of it
 */
public record Caller(
    String id,
    String name,
    Role role,
    Set<String> scopes,
    @Nullable Instant expiresAt,
    Credential credential) {
  static final ScopedValue<Caller> CURRENT = ScopedValue.newInstance();

  /** What a caller showed. */
  sealed interface Credential {}

  /** The token of the orchestrator, or nothing where nothing is needed: whoever has it. */
  record Shared() implements Credential {}

  /**
   * @param key its id
   * @param relayKey of the relay that alone may use it; null where any key may
   */
  record ApiKeyShown(UUID key, @Nullable String relayKey) implements Credential {}

  /** A token of OpenID Connect. */
  record Oidc() implements Credential {}

  /** The secret of an invitation, which may be accepted with it, and nothing else. */
  record Invited(InvitationSecret secret) implements Credential {}

  /** Of a credential that names nobody but its holders. */
  static Caller admin(String name, Scopes scopes) {
    return new Caller(name, name, Role.ADMIN, scopes.of(Role.ADMIN), null, new Shared());
  }

  /** Keys of one name and role are one caller's. */
  static Caller of(StoredKey key, Scopes scopes) {
    return new Caller(
        key.role().name().toLowerCase(Locale.ROOT) + "/" + key.name(),
        key.name(),
        key.role(),
        scopes.of(key.role()),
        key.expiresAt(),
        new ApiKeyShown(key.id(), key.relayKey()));
  }

  /**
   * The caller of the request that this thread answers.
   *
   * @throws java.util.NoSuchElementException on another thread
   */
  public static Caller current() {
    return CURRENT.get();
  }

  /**
   * Owner of what the request of this thread makes; null where there is no request, or nobody in
   * particular calls.
   */
  public static @Nullable String ownerOfRequest() {
    return CURRENT.isBound() ? CURRENT.get().owner() : null;
  }

  /** The same threads, for work in the name of the caller of this thread's request. */
  public static Executor carriedTo(Executor threads) {
    if (!CURRENT.isBound()) {
      return threads;
    }
    Caller caller = CURRENT.get();
    return work -> threads.execute(() -> ScopedValue.where(CURRENT, caller).run(work));
  }

  /** Owner of what this caller makes; null where nobody in particular calls. */
  public @Nullable String owner() {
    return credential instanceof Shared ? null : id;
  }

  /** Whether this caller may see and change what that caller made; null stands for nobody. */
  public boolean sees(@Nullable String owner) {
    return role != Role.CLIENT || id.equals(owner);
  }

  /**
   * @param other name of a relay, gateway or splitter
   * @throws Refusal where the caller may speak for another name alone
   */
  public void mustSpeakFor(String other) {
    if (role == Role.RELAY && !name.equals(other)) {
      throw new Refusal(
          ProblemKind.FORBIDDEN, other + ": this key is of " + name + " and speaks for it alone");
    }
  }

  /**
   * @param publicKey of a relay that registers
   * @throws Refusal where this caller's API key was given to a relay with another one
   */
  public void mustHold(String publicKey) {
    if (credential instanceof ApiKeyShown(_, String relayKey)
        && relayKey != null
        && !relayKey.equals(publicKey)) {
      throw new Refusal(
          ProblemKind.RELAY_UNPROVEN,
          name
              + ": this API key was given to "
              + RelayProof.fingerprint(relayKey)
              + ", and the relay's key is "
              + RelayProof.fingerprint(publicKey)
              + "; fix: start it with the identity file of that time, or invite it anew");
    }
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return id;
  }
}
