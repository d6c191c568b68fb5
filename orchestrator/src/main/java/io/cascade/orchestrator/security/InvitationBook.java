package io.cascade.orchestrator.security;

import io.cascade.api.identity.InvitationSecret;
import io.cascade.api.identity.RelayProof;
import io.cascade.api.orchestrator.ApiKeyRequest;
import io.cascade.api.orchestrator.EnrolmentRequest;
import io.cascade.api.orchestrator.Invitation;
import io.cascade.api.orchestrator.InvitationRequest;
import io.cascade.api.orchestrator.NewApiKey;
import io.cascade.api.orchestrator.Role;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.time.Timekeeper;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Invitations: secrets, each for one API key of a name and a role. The first use binds a secret to
 * the key that signed it. Invitations that have ended are kept for some days, so that their holders
 * are told why they are refused.
 */
@Component
class InvitationBook {
  static final int MOST = 1_000;
  static final Duration REMEMBERED = Duration.ofDays(2);

  private final InvitationStore store;
  private final KeyBook keys;
  private final Timekeeper time;
  private final SecureRandom random = new SecureRandom();
  private final Map<String, StoredInvitation> byDigest = new ConcurrentHashMap<>();

  InvitationBook(InvitationStore store, KeyBook keys, Timekeeper time) {
    this.store = store;
    this.keys = keys;
    this.time = time;
    store.all().forEach(one -> byDigest.put(one.digest(), one));
  }

  /**
   * The caller with this secret, which may only accept the invitation; null if there is none.
   * Looked up by digest, so that the duration reveals nothing about a secret.
   */
  @Nullable Caller caller(String secret) {
    String digest = new InvitationSecret(secret).digest();
    StoredInvitation found = byDigest.get(digest);
    return found == null
        ? null
        : new Caller(
            "invited/" + found.name(),
            found.name(),
            found.role(),
            Set.of(),
            found.expiresAt(),
            new Caller.Invited(new InvitationSecret(secret)));
  }

  /** All invitations, oldest first. */
  List<Invitation> all() {
    return byDigest.values().stream()
        .sorted(
            Comparator.comparing(StoredInvitation::createdAt).thenComparing(StoredInvitation::id))
        .map(InvitationBook::document)
        .toList();
  }

  /** An invitation and its secret, which is shown only once. */
  record Made(Invitation invitation, InvitationSecret secret) {}

  /**
   * @throws Refusal if the maker may not create such a key, or there are too many invitations
   */
  synchronized Made invite(Caller maker, InvitationRequest request) {
    keys.mayManage(maker, request.role());
    forgetOld(time.endedFor(REMEMBERED));
    if (byDigest.size() >= MOST) {
      forgetFirstEnded();
    }
    if (byDigest.size() >= MOST) {
      throw new Refusal(
          ProblemKind.LIMIT_REACHED,
          MOST + " invitations exist; fix: withdraw some (GET /invitations lists)");
    }
    InvitationSecret secret = InvitationSecret.random(random);
    Instant now = time.now().truncatedTo(ChronoUnit.MICROS);
    StoredInvitation made =
        new StoredInvitation(
            UUID.randomUUID(),
            request.name(),
            request.role(),
            secret.digest(),
            now,
            maker.name(),
            now.plusSeconds(request.seconds()),
            KeyBook.latestEnd(maker),
            null,
            null,
            null);
    store.insert(made);
    byDigest.put(made.digest(), made);
    return new Made(document(made), secret);
  }

  /** Makes room for another invitation by removing those that ended first. */
  private void forgetFirstEnded() {
    Instant now = time.now();
    byDigest.values().stream()
        .map(StoredInvitation::expiresAt)
        .filter(end -> !end.isAfter(now))
        .min(Comparator.naturalOrder())
        .ifPresent(this::forgetOld);
  }

  private void forgetOld(Instant before) {
    if (byDigest.values().removeIf(one -> !one.expiresAt().isAfter(before))) {
      store.removeEnded(before);
    }
  }

  /**
   * @throws Refusal if there is none, or the caller could not have created it
   */
  synchronized void withdraw(Caller caller, UUID id) {
    StoredInvitation found =
        byDigest.values().stream()
            .filter(one -> one.id().equals(id))
            .findFirst()
            .orElseThrow(() ->
                new Refusal(
                    ProblemKind.UNKNOWN_INVITATION,
                    id + ": no such invitation (GET /invitations lists)"));
    keys.mayManage(caller, found.role());
    store.remove(id);
    byDigest.remove(found.digest());
  }

  /**
   * Accepts an invitation.
   *
   * @return the API key of the invited party
   * @throws Refusal if it belongs to another party, has ended or was used by another key
   */
  synchronized NewApiKey enrol(Caller caller, EnrolmentRequest request) {
    if (!(caller.credential() instanceof Caller.Invited(InvitationSecret secret))) {
      throw new Refusal(
          ProblemKind.NOT_INVITED,
          "Authorization has no secret of an invitation (expected: cis_...)");
    }
    StoredInvitation found = byDigest.get(secret.digest());
    if (found == null) {
      throw new Refusal(ProblemKind.NOT_INVITED, "the invitation was withdrawn");
    }
    if (!found.name().equals(request.name()) || found.role() != request.role()) {
      throw new Refusal(
          ProblemKind.NOT_INVITED,
          request.role()
              + " "
              + request.name()
              + ": the invitation is for "
              + found.role()
              + " "
              + found.name());
    }
    if (!time.now().isBefore(found.expiresAt())) {
      throw new Refusal(
          ProblemKind.NOT_INVITED,
          "the invitation expired at "
              + found.expiresAt()
              + "; fix: make another with cascade invite");
    }
    if (!RelayProof.holds(secret, request)) {
      throw new Refusal(ProblemKind.NOT_INVITED, "the signature is not by the key that it names");
    }
    String holder = found.usedBy();
    if (holder != null && !isSame(holder, request.publicKey())) {
      throw new Refusal(
          ProblemKind.INVITATION_USED,
          "used by another key at "
              + found.usedAt()
              + "; fix: make another with cascade invite; if that use was not yours, revoke its API"
              + " key (cascade revoke "
              + found.name()
              + ")");
    }
    return keyOf(found, request.publicKey());
  }

  private static boolean isSame(String one, String other) {
    return MessageDigest.isEqual(
        one.getBytes(StandardCharsets.US_ASCII), other.getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * Creates the invitation's API key. A repeated call gets another key, which replaces the first,
   * since the first one's secret is not stored.
   */
  private NewApiKey keyOf(StoredInvitation found, String publicKey) {
    Instant now = time.now().truncatedTo(ChronoUnit.MICROS);
    KeyBook.Made made =
        keys.prepare(
            new ApiKeyRequest(found.name(), found.role(), found.keyExpiresAt()),
            found.createdBy(),
            found.role() == Role.RELAY ? publicKey : null);
    StoredInvitation used = found.usedBy(publicKey, now, made.key().id());
    store.use(used, found.apiKey(), made.key());
    byDigest.put(used.digest(), used);
    keys.replace(found.apiKey(), made.key());
    return made.document();
  }

  private static Invitation document(StoredInvitation one) {
    return Invitation.builder()
        .id(one.id())
        .name(one.name())
        .role(one.role())
        .createdAt(one.createdAt())
        .createdBy(one.createdBy())
        .expiresAt(one.expiresAt())
        .usedAt(one.usedAt())
        .build();
  }
}
