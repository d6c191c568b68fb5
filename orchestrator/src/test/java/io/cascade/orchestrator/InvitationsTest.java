package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.identity.InvitationSecret;
import io.cascade.api.identity.RelayKey;
import io.cascade.api.orchestrator.ApiKeyRequest;
import io.cascade.api.orchestrator.EnrolmentRequest;
import io.cascade.api.orchestrator.Invitation;
import io.cascade.api.orchestrator.InvitationRequest;
import io.cascade.api.orchestrator.NewApiKey;
import io.cascade.api.orchestrator.NewInvitation;
import io.cascade.api.orchestrator.Role;
import io.cascade.orchestrator.time.ManualTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@NullUnmarked
class InvitationsTest {
  private static final String TOKEN = "a-secret-of-some-length";
  private static final int QUARTER = 900;

  private final ManualTime time = ManualTime.from(Instant.parse("2026-01-01T00:00:00Z"));
  private final RelayKey key = RelayKey.generate();
  private Rig rig;

  @BeforeEach
  void start(@TempDir Path state) {
    rig = Rig.start(state, one -> one.withToken(TOKEN).withClocks(time.clock(), time.nanos()));
  }

  @AfterEach
  void stop() {
    rig.close();
  }

  private NewInvitation invited(String name, Role role) {
    return rig.client().invite(new InvitationRequest(name, role, QUARTER));
  }

  private OrchestratorClient as(String secret) {
    return new OrchestratorClient(rig.address(), secret);
  }

  private NewApiKey enrol(NewInvitation invitation, RelayKey by, String name, Role role) {
    return as(invitation.secret())
        .enrol(by.accept(new InvitationSecret(invitation.secret()), name, role));
  }

  private static void assertRefused(String kind, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            ProblemException.class,
            problem -> assertThat(problem.type()).isEqualTo("urn:cascade:problem:" + kind));
  }

  @Test
  void bringsOneKeyOfItsNameAndRole() {
    NewInvitation invitation = invited("alice", Role.CLIENT);
    assertThat(invitation.secret()).matches("cis_[A-Za-z0-9_-]{32}");
    assertThat(invitation.pins()).isNull(); // without TLS
    assertThat(invitation.urls()).containsExactly(rig.address().toString());

    NewApiKey made = enrol(invitation, key, "alice", Role.CLIENT);

    assertThat(as(made.secret()).whoAmI().name()).isEqualTo("alice");
    assertThat(as(made.secret()).whoAmI().role()).isEqualTo(Role.CLIENT);
    assertThat(rig.client().keys().keys().getFirst().createdBy()).isEqualTo("token");
    Invitation listed = rig.client().invitations().invitations().getFirst();
    assertThat(listed.id()).isEqualTo(invitation.invitation().id());
    assertThat(listed.usedAt()).isEqualTo(time.clock().instant());
    assertThat(rig.call("GET", "/api/v1/invitations", null).body())
        .doesNotContain(invitation.secret());
  }

  @Test
  void isUsedUpByItsFirstUseForEverybodyElse() {
    NewInvitation invitation = invited("fra", Role.RELAY);
    enrol(invitation, key, "fra", Role.RELAY);

    assertRefused(
        "invitation-used", () -> enrol(invitation, RelayKey.generate(), "fra", Role.RELAY));
    // Neither does a signature that was seen help: it is of the holder's key alone.
    EnrolmentRequest seen =
        key.accept(new InvitationSecret(invitation.secret()), "fra", Role.RELAY);
    EnrolmentRequest forged =
        EnrolmentRequest.builder()
            .name("fra")
            .role(Role.RELAY)
            .publicKey(RelayKey.generate().publicKey())
            .signature(seen.signature())
            .build();
    assertRefused("not-invited", () -> as(invitation.secret()).enrol(forged));
  }

  @Test
  void whoHasNotGotTheAnswerAsksAgainAndTheLostKeyIsRefused() {
    NewInvitation invitation = invited("fra", Role.RELAY);
    NewApiKey lost = enrol(invitation, key, "fra", Role.RELAY);
    rig.stop();
    rig.startAgain();

    NewApiKey second = enrol(invitation, key, "fra", Role.RELAY);

    assertThat(as(second.secret()).whoAmI().name()).isEqualTo("fra");
    assertThatThrownBy(as(lost.secret())::whoAmI).isInstanceOf(ProblemException.class);
    assertThat(rig.client().keys().keys()).hasSize(1);
  }

  @Test
  void isOfOneNameAndOneRole() {
    NewInvitation invitation = invited("fra", Role.RELAY);

    assertRefused("not-invited", () -> enrol(invitation, key, "nyc", Role.RELAY));
    assertRefused("not-invited", () -> enrol(invitation, key, "fra", Role.ADMIN));
    enrol(invitation, key, "fra", Role.RELAY);
  }

  @Test
  void endsWithItsTimeAndWhenItIsWithdrawn() {
    NewInvitation late = invited("fra", Role.RELAY);
    NewInvitation withdrawn = invited("nyc", Role.RELAY);

    rig.client().withdrawInvitation(withdrawn.invitation().id());
    assertThatThrownBy(() -> enrol(withdrawn, key, "nyc", Role.RELAY))
        .isInstanceOfSatisfying(
            ProblemException.class, problem -> assertThat(problem.status()).isEqualTo(401));
    time.pass(Duration.ofSeconds(QUARTER));
    assertThatThrownBy(() -> enrol(late, key, "fra", Role.RELAY))
        .hasMessageContaining("expired at")
        .hasMessageContaining("cascade invite");
    assertRefused(
        "unknown-invitation", () -> rig.client().withdrawInvitation(withdrawn.invitation().id()));
  }

  @Test
  void itsSecretIsGoodForNothingElse() {
    NewInvitation invitation = invited("root", Role.ADMIN);

    for (Runnable call :
        List.<Runnable>of(
            as(invitation.secret())::relays,
            as(invitation.secret())::keys,
            as(invitation.secret())::chains)) {
      assertRefused("forbidden", call);
    }
    assertRefused(
        "not-invited",
        () ->
            rig.client()
                .enrol(
                    key.accept(InvitationSecret.random(new SecureRandom()), "root", Role.ADMIN)));
  }

  @Test
  void nobodyInvitesWhoMayDoMore() {
    String olga =
        rig.client()
            .createKey(ApiKeyRequest.builder().name("olga").role(Role.OPERATOR).build())
            .secret();
    NewInvitation admins = invited("root", Role.ADMIN);

    for (Role above : new Role[] {Role.ADMIN, Role.RELAY}) {
      assertRefused("forbidden", () -> as(olga).invite(new InvitationRequest("x", above, QUARTER)));
    }
    assertRefused("forbidden", () -> as(olga).withdrawInvitation(admins.invitation().id()));
    as(olga).invite(new InvitationRequest("x", Role.CLIENT, QUARTER));
  }

  @Test
  void whatItBringsDoesNotOutliveTheKeyOfWhoInvited() {
    Instant end = time.clock().instant().plusSeconds(3_600);
    String brief = rig.client().createKey(new ApiKeyRequest("olga", Role.OPERATOR, end)).secret();
    NewInvitation invitation =
        as(brief).invite(new InvitationRequest("alice", Role.CLIENT, QUARTER));
    rig.stop();
    rig.startAgain();

    assertThat(enrol(invitation, key, "alice", Role.CLIENT).key().expiresAt()).isEqualTo(end);
  }

  @Test
  void guessesOfAnAddressAreBounded() {
    for (int i = 0; i < 20; i++) {
      String wrong = "Bearer cis_" + "x".repeat(30) + (10 + i);
      assertThat(rig.call("POST", "/api/v1/enrolments", "{}", "Authorization", wrong).status())
          .isEqualTo(401);
    }
    assertThat(
            rig.call("POST", "/api/v1/enrolments", "{}", "Authorization", "Bearer cis_wrong")
                .status())
        .isEqualTo(429);
  }

  @Test
  void theRelaysKeyThatAcceptedIsTheOnlyOneThatRegistersWithWhatItBrought() {
    NewInvitation invitation = invited("r1", Role.RELAY);
    NewApiKey made = enrol(invitation, key, "r1", Role.RELAY);
    try (FakeRelay thief = FakeRelay.named("r1", as(made.secret()), made.controlToken())) {
      assertRefused("relay-unproven", thief::register);
    }
    assertThat(rig.client().relays().relays()).isEmpty();
  }

  @Test
  void isInTheStateAsADigestAndInTheAuditTrail(@TempDir Path elsewhere) throws IOException {
    NewInvitation invitation = invited("alice", Role.VIEWER);
    NewApiKey made = enrol(invitation, key, "alice", Role.VIEWER);

    assertThat(rig.client().audit(null, 10).entries())
        .anySatisfy(entry -> {
          assertThat(entry.operation()).isEqualTo("enrol");
          assertThat(entry.caller()).isEqualTo("invited/alice");
          assertThat(entry.outcome()).isEqualTo(201);
        });
    rig.stop();
    try (Stream<Path> files = Files.walk(rig.state())) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        assertThat(bytes.contains(invitation.secret())).as(file.toString()).isFalse();
        assertThat(bytes.contains(made.secret())).as(file.toString()).isFalse();
      }
    }
  }

  @Test
  void thereAreSoManyAndNoMore() {
    for (int i = 0; i < 1_000; i++) {
      invited("n" + i, Role.VIEWER);
    }
    assertRefused("limit-reached", () -> invited("one-more", Role.VIEWER));
    time.pass(Duration.ofSeconds(QUARTER).plusDays(2).plusSeconds(1));
    invited("one-more", Role.VIEWER);
    assertThat(rig.client().invitations().invitations()).hasSize(1);
  }
}
