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
 * The sender of the request that is being answered.
 *
 * @param id unique among callers of every kind, such as {@code client/alice}
 * @param name for people
 * @param scopes of the role
 * @param expiresAt when the caller's credential expires; null if it does not
 * @param credential the kind of the credential
 */
public record Caller(
    String id,
    String name,
    Role role,
    Set<String> scopes,
    @Nullable Instant expiresAt,
    Credential credential) {
  static final ScopedValue<Caller> CURRENT = ScopedValue.newInstance();

  /** Credential of a caller. */
  sealed interface Credential {}

  /**
   * The orchestrator's token, or no credential if none is needed; its holders cannot be told apart.
   */
  record Shared() implements Credential {}

  /**
   * An API key.
   *
   * @param key its id
   * @param relayKey public key of the only relay that may use it; null if any relay may
   */
  record ApiKeyShown(UUID key, @Nullable String relayKey) implements Credential {}

  /** A token of OpenID Connect. */
  record Oidc() implements Credential {}

  /** The secret of an invitation, which allows only to accept it. */
  record Invited(InvitationSecret secret) implements Credential {}

  /** Caller with the shared credential, as an admin. */
  static Caller admin(String name, Scopes scopes) {
    return new Caller(name, name, Role.ADMIN, scopes.of(Role.ADMIN), null, new Shared());
  }

  /** Caller with an API key; keys with the same name and role belong to one caller. */
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
   * Owner of what this thread's request creates; null without a request, or if the caller's
   * credential is shared.
   */
  public static @Nullable String ownerOfRequest() {
    return CURRENT.isBound() ? CURRENT.get().owner() : null;
  }

  /** An executor on the same threads that runs tasks as the caller of this thread's request. */
  public static Executor carriedTo(Executor threads) {
    if (!CURRENT.isBound()) {
      return threads;
    }
    Caller caller = CURRENT.get();
    return work -> threads.execute(() -> ScopedValue.where(CURRENT, caller).run(work));
  }

  /** Owner of what this caller creates; null if its credential is shared. */
  public @Nullable String owner() {
    return credential instanceof Shared ? null : id;
  }

  /** Whether this caller may see and change what an owner created; null stands for no owner. */
  public boolean sees(@Nullable String owner) {
    return role != Role.CLIENT || id.equals(owner);
  }

  /**
   * @param other name of a relay, gateway or splitter
   * @throws Refusal if the caller may only report for another name
   */
  public void mustSpeakFor(String other) {
    if (role == Role.RELAY && !name.equals(other)) {
      throw new Refusal(
          ProblemKind.FORBIDDEN,
          other + ": this key belongs to " + name + " and is valid for that name only");
    }
  }

  /**
   * @param publicKey key of a relay that registers
   * @throws Refusal if this caller's API key was given to a relay with another key
   */
  public void mustHold(String publicKey) {
    if (credential instanceof ApiKeyShown(_, String relayKey)
        && relayKey != null
        && !relayKey.equals(publicKey)) {
      throw new Refusal(
          ProblemKind.RELAY_UNPROVEN,
          name
              + ": this API key was issued to the relay key "
              + RelayProof.fingerprint(relayKey)
              + ", but the relay's key is "
              + RelayProof.fingerprint(publicKey)
              + "; fix: start it with the identity file that it had then, or invite it again");
    }
  }

  /** Leaves out the secret. */
  @Override
  public String toString() {
    return id;
  }
}
