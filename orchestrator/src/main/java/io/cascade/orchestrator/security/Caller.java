package io.cascade.orchestrator.security;

import io.cascade.api.orchestrator.Role;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import java.time.Instant;
import java.util.Locale;
import java.util.Set;
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
  enum Credential {
    /** The token of the orchestrator, or nothing where nothing is needed: whoever has it. */
    SHARED,
    API_KEY,
    OIDC
  }

  /** Of a credential that names nobody but its holders. */
  static Caller admin(String name, Scopes scopes) {
    return new Caller(name, name, Role.ADMIN, scopes.of(Role.ADMIN), null, Credential.SHARED);
  }

  /** Keys of one name and role are one caller's. */
  static Caller of(StoredKey key, Scopes scopes) {
    return new Caller(
        key.role().name().toLowerCase(Locale.ROOT) + "/" + key.name(),
        key.name(),
        key.role(),
        scopes.of(key.role()),
        key.expiresAt(),
        Credential.API_KEY);
  }

  /**
   * The caller of the request that this thread answers.
   *
   * @throws java.util.NoSuchElementException on another thread
   */
  public static Caller current() {
    return CURRENT.get();
  }

  /** Owner of what this caller makes; null where nobody in particular calls. */
  public @Nullable String owner() {
    return credential == Credential.SHARED ? null : id;
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

  /** Without the secret. */
  @Override
  public String toString() {
    return id;
  }
}
