package io.cascade.client.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.cascade.api.Json;
import io.cascade.api.identity.InvitationText;
import io.cascade.api.orchestrator.ApiKey;
import io.cascade.api.orchestrator.ApiKeyList;
import io.cascade.api.orchestrator.ApiKeyRequest;
import io.cascade.api.orchestrator.AuditEntry;
import io.cascade.api.orchestrator.AuditPage;
import io.cascade.api.orchestrator.Invitation;
import io.cascade.api.orchestrator.InvitationList;
import io.cascade.api.orchestrator.InvitationRequest;
import io.cascade.api.orchestrator.NewApiKey;
import io.cascade.api.orchestrator.NewInvitation;
import io.cascade.api.orchestrator.Problem;
import io.cascade.api.orchestrator.Role;
import io.cascade.api.orchestrator.ServerCertificate;
import io.cascade.client.ClientFailures;
import io.cascade.command.AccessFile;
import io.cascade.command.Verbs;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

@NullUnmarked
class KeyVerbsTest {
  private static final UUID ID = new UUID(1, 2);
  private static final String PINS = "sha256-" + "a".repeat(43) + ",sha256-" + "b".repeat(43);

  private final List<String> calls = new ArrayList<>();
  private HttpServer server;
  private ApiKeyRequest asked;
  private InvitationRequest invitedAs;

  @TempDir private Path folder;
  private Problem refusal;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private synchronized void answer(HttpExchange exchange) throws IOException {
    String call = exchange.getRequestMethod() + " " + exchange.getRequestURI();
    calls.add(call);
    byte[] body = exchange.getRequestBody().readAllBytes();
    if (refusal != null) {
      send(exchange, refusal.status(), refusal);
    } else if (call.equals("POST /api/v1/keys")) {
      asked = Json.strict().readValue(body, ApiKeyRequest.class);
      send(
          exchange,
          201,
          NewApiKey.builder().key(key(asked.name(), asked.role())).secret("csk_secret").build());
    } else if (call.equals("GET /api/v1/keys")) {
      send(
          exchange,
          200,
          new ApiKeyList(
              List.of(
                  key("alice", Role.CLIENT),
                  key("carol", Role.VIEWER).toBuilder().createdBy("alice").build())));
    } else if (call.equals("POST /api/v1/invitations")) {
      invitedAs = Json.strict().readValue(body, InvitationRequest.class);
      send(
          exchange,
          201,
          NewInvitation.builder()
              .invitation(invitation(invitedAs.name(), invitedAs.role()))
              .secret("cis_secret")
              .pins(PINS)
              .urls(List.of("https://192.0.2.7:7400"))
              .build());
    } else if (call.equals("GET /api/v1/invitations")) {
      send(exchange, 200, new InvitationList(List.of(invitation("alice", Role.CLIENT))));
    } else if (call.equals("POST /api/v1/enrolments")) {
      send(
          exchange,
          201,
          NewApiKey.builder().key(key("alice", Role.CLIENT)).secret("csk_alices").build());
    } else if (call.startsWith("PUT /api/v1/relays/")) {
      Problem unknown =
          Problem.builder()
              .type("urn:cascade:problem:unknown-relay")
              .title("")
              .status(404)
              .detail("")
              .build();
      send(exchange, 404, unknown);
    } else if (call.contains("/certificate")) {
      send(
          exchange,
          200,
          ServerCertificate.builder()
              .certificate("PEM\n")
              .selfMade(true)
              .pins(PINS)
              .urls(List.of("https://192.0.2.7:7400"))
              .build());
    } else if (call.startsWith("GET /api/v1/audit")) {
      boolean first = !call.contains("before");
      send(exchange, 200, new AuditPage(List.of(entry(first ? 2 : 1)), first ? (Long) 2L : null));
    } else {
      exchange.sendResponseHeaders(204, -1);
      exchange.close();
    }
  }

  private static ApiKey key(String name, Role role) {
    return ApiKey.builder()
        .id(ID)
        .name(name)
        .role(role)
        .createdAt(Instant.EPOCH)
        .createdBy("token")
        .build();
  }

  private static Invitation invitation(String name, Role role) {
    return Invitation.builder()
        .id(ID)
        .name(name)
        .role(role)
        .createdAt(Instant.EPOCH)
        .createdBy("token")
        .expiresAt(Instant.EPOCH)
        .build();
  }

  private static AuditEntry entry(long id) {
    return AuditEntry.builder()
        .id(id)
        .at(Instant.EPOCH)
        .caller("client/alice")
        .role(Role.CLIENT)
        .operation("openChain")
        .target("chain-" + id)
        .outcome(201)
        .address("192.0.2.1")
        .requestId(ID)
        .build();
  }

  private static void send(HttpExchange exchange, int status, Object document) throws IOException {
    byte[] text = Json.strict().writeValueAsString(document).getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, text.length);
    exchange.getResponseBody().write(text);
    exchange.close();
  }

  private record Run(int exit, String out, String err) {}

  private Run run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line = new CommandLine(new Root());
    line.addSubcommand(new KeyVerb());
    line.addSubcommand(new AuditVerb());
    line.addSubcommand(new InviteVerb());
    line.addSubcommand(new JoinVerb(joined()));
    line.addSubcommand(new RevokeVerb());
    line.addSubcommand(new CertificateVerb());
    String url = "http://127.0.0.1:" + server.getAddress().getPort();
    int exit =
        Verbs.prepare(line, Map.of("CASCADE_ORCHESTRATOR", url), new ClientFailures())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(arguments);
    return new Run(exit, out.toString(), err.toString());
  }

  @Command(name = "cascade")
  private static final class Root {}

  private Path joined() {
    return folder.resolve("joined.properties");
  }

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  @Test
  void inviteOfARelayIsOneLineWithAllThatItNeeds() {
    Run run = run("invite", "--name", "fra", "--site", "frankfurt", "--ttl", "10m");

    assertThat(run.exit()).isZero();
    assertThat(run.out()).hasLineCount(1).startsWith("./cascade relay --listen 0.0.0.0 --join ");
    InvitationText text = InvitationText.parse(run.out().strip().replaceFirst(".* ", ""));
    assertThat(text.name()).isEqualTo("fra");
    assertThat(text.role()).isEqualTo(Role.RELAY);
    assertThat(text.site()).isEqualTo("frankfurt");
    assertThat(text.secret()).isEqualTo("cis_secret");
    assertThat(text.urls()).containsExactly("https://192.0.2.7:7400#" + PINS);
    assertThat(text.toString()).doesNotContain("cis_secret");
    assertThat(invitedAs.seconds()).isEqualTo(600);
  }

  @Test
  void inviteNamesTheOtherOrchestratorsThatMayLead() {
    String other = "https://b.example:7400#" + PINS;

    Run run = run("invite", "--name", "fra", "--orchestrator", url() + "," + other);

    assertThat(run.exit()).isZero();
    InvitationText text = InvitationText.parse(run.out().strip().replaceFirst(".* ", ""));
    assertThat(text.urls()).containsExactly("https://192.0.2.7:7400#" + PINS);
    assertThat(text.others()).containsExactly(other);
  }

  @Test
  void joinKeepsWhatTheInvitationBrings() {
    String text =
        new InvitationText(
                List.of("http://127.0.0.1:1", url()),
                List.of("https://b.example:7400#" + PINS),
                "alice",
                Role.CLIENT,
                null,
                "cis_secret")
            .text();

    Run run = run("join", text);

    assertThat(run.exit()).isZero();
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("alice, client").doesNotContain("csk_alices");
    assertThat(AccessFile.read(joined()))
        .isEqualTo(new AccessFile(url() + ",https://b.example:7400#" + PINS, "csk_alices"));
  }

  @Test
  void joinRefusesWhatIsNoInvitationOfAClient() {
    assertThat(run("join", "csk_something").err()).contains("expected: cin_").hasLineCount(1);
    assertThat(run("join", "cin_abcd").err()).contains("copy the whole line").hasLineCount(1);
    String relay =
        new InvitationText(List.of(url()), List.of(), "fra", Role.RELAY, null, "cis_secret").text();
    assertThat(run("join", relay).err()).contains("cascade relay").hasLineCount(1);
    assertThat(joined()).doesNotExist();
    assertThat(calls).isEmpty();
  }

  @Test
  void revokeTakesEverythingOfAName() {
    Run run = run("revoke", "alice");

    assertThat(run.err())
        .contains("1 API keys and 1 invitations revoked")
        .contains("what alice created for others stays valid: revoke carol, too?");
    assertThat(run.exit()).isZero();
    assertThat(calls)
        .contains("DELETE /api/v1/keys/" + ID, "DELETE /api/v1/invitations/" + ID)
        .contains("PUT /api/v1/relays/alice/draining");
    assertThat(run("revoke", "nobody").exit()).isEqualTo(1);
  }

  @Test
  void certificatePrintsTheUrlThatRelaysAndClientsAreGiven() {
    assertThat(run("certificate").out())
        .isEqualToIgnoringNewLines("https://192.0.2.7:7400#" + PINS);
    assertThat(run("certificate", "--pem").out()).isEqualTo("PEM\n");
    assertThat(calls).containsOnly("GET /api/v1/certificate");
    assertThat(run("certificate", "--rotate").err()).contains("misses two rotations");
    assertThat(calls).contains("POST /api/v1/certificate/rotation");
  }

  @Test
  void createPrintsTheKeyAloneSoThatItCanBeStored() {
    Run run = run("key", "create", "alice", "--role", "client", "--expires", "90d");

    assertThat(run.err()).contains("alice, client");
    assertThat(run.exit()).isZero();
    assertThat(run.out()).isEqualToIgnoringNewLines("csk_secret");
    assertThat(asked.role()).isEqualTo(Role.CLIENT);
    assertThat(asked.expiresAt()).isAfter(Instant.now());
  }

  @Test
  void listTellsOfKeysAndRevokeTakesAName() {
    assertThat(run("key", "list").out()).contains("alice", "client", "never");
    assertThat(run("key", "revoke", "alice").exit()).isZero();
    assertThat(calls).endsWith("DELETE /api/v1/keys/" + ID);
    assertThat(run("key", "revoke", "bob").err()).contains("bob: no such key");
  }

  @Test
  void auditReadsPagesUntilItHasEnough() {
    assertThat(run("audit", "--limit", "10").out())
        .contains("client/alice", "openChain", "chain-2", "chain-1");
    assertThat(calls)
        .containsExactly("GET /api/v1/audit?limit=10", "GET /api/v1/audit?limit=9&before=2");
    assertThat(run("audit", "--limit", "0").exit()).isEqualTo(2);
  }

  @Test
  void whatTheRoleMayNotIsSaidAsThat() {
    refusal =
        Problem.builder()
            .type("urn:cascade:problem:forbidden")
            .title("-")
            .status(403)
            .detail("createKey: the role CLIENT")
            .build();

    assertThat(run("key", "list").err())
        .contains("createKey: the role CLIENT; fix: give a key with more rights");
  }
}
