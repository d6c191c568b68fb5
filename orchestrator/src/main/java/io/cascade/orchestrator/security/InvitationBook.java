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
 * Invitations: secrets that each bring one API key of a name and a role. A secret is taken up by
 * its first use, for the key that signed that; those that have ended are remembered for some days,
 * so that whoever brings one is told what became of it.
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
   * The caller with this secret, who may accept the invitation and nothing else; null where there
   * is none. Found by its digest: how long that takes tells nothing of a secret.
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

  /** The oldest first. */
  List<Invitation> all() {
    return byDigest.values().stream()
        .sorted(
            Comparator.comparing(StoredInvitation::createdAt).thenComparing(StoredInvitation::id))
        .map(InvitationBook::document)
        .toList();
  }

  /** An invitation and its secret, which nothing shows again. */
  record Made(Invitation invitation, InvitationSecret secret) {}

  /**
   * @throws Refusal where the maker might not give such a key, or there are too many
   */
  synchronized Made invite(Caller maker, InvitationRequest request) {
    keys.mayManage(maker, request.role());
    forgetOld(time.endedFor(REMEMBERED));
    if (byDigest.size() >= MOST) {
      forgetFirstEnded();
    }
    if (byDigest.size() >= MOST) {
      throw new Refusal(
          ProblemKind.LIMIT_REACHED, MOST + " invitations; withdraw some (GET /invitations lists)");
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

  /** Where there is no room for another one, those that ended first make some. */
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
   * @throws Refusal where there is none, or the caller might not have made it
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
   * @return the API key of the invited
   * @throws Refusal where it is another's, has ended or was used by another key
   */
  synchronized NewApiKey enrol(Caller caller, EnrolmentRequest request) {
    if (!(caller.credential() instanceof Caller.Invited(InvitationSecret secret))) {
      throw new Refusal(
          ProblemKind.NOT_INVITED, "Authorization has no invitation's secret (expected: cis_...)");
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
              + ": invited is "
              + found.role()
              + " "
              + found.name());
    }
    if (!time.now().isBefore(found.expiresAt())) {
      throw new Refusal(
          ProblemKind.NOT_INVITED,
          "the invitation ended at " + found.expiresAt() + "; fix: cascade invite makes another");
    }
    if (!RelayProof.holds(secret, request)) {
      throw new Refusal(ProblemKind.NOT_INVITED, "the signature is not by the key that it names");
    }
    String holder = found.usedBy();
    if (holder != null && !isSame(holder, request.publicKey())) {
      throw new Refusal(
          ProblemKind.INVITATION_USED,
          "by another key, at "
              + found.usedAt()
              + "; if that was not you, revoke what it got (cascade revoke "
              + found.name()
              + ")");
    }
    return keyOf(found, request.publicKey());
  }

  private static boolean isSame(String one, String other) {
    return MessageDigest.isEqual(
        one.getBytes(StandardCharsets.US_ASCII), other.getBytes(StandardCharsets.US_ASCII));
  }

  /** The key that the first answer had is of no use to whoever asks again. */
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
