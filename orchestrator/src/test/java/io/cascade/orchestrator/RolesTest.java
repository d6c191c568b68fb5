package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.Json;
import io.cascade.api.orchestrator.ApiKeyRequest;
import io.cascade.api.orchestrator.InvitationRequest;
import io.cascade.api.orchestrator.Relay;
import io.cascade.api.orchestrator.Role;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** Every operation of the contract, called by every role: what is allowed is what it says. */
@NullUnmarked
class RolesTest {
  private static final Set<String> METHODS = Set.of("get", "post", "put", "delete", "patch");
  private static final String OWN = "r1";
  private static final String OTHER = "r2";

  /** An operation as the contract describes it. */
  private record Operation(
      String id, String method, String path, List<Map<String, List<String>>> security) {
    boolean isPublic() {
      return security.isEmpty();
    }

    /** Whether whoever has these scopes may do it. */
    boolean allows(List<String> scopes) {
      return isPublic() || security.stream().anyMatch(one -> scopes.containsAll(one.get("token")));
    }

    boolean hasName() {
      return path.contains("{name}");
    }

    String pathOf(String name) {
      return "/api/v1"
          + path.replace("{name}", name)
              .replace("{from}", OWN)
              .replace("{to}", OTHER)
              .replaceAll("\\{\\w+Id}", UUID.randomUUID().toString());
    }
  }

  @Test
  void mayDoWhatTheContractSaysAndNothingElse(@TempDir Path state) throws Exception {
    Map<String, Object> contract = contract();
    Map<String, List<String>> scopes = scopes(contract);
    List<Operation> operations = operations(contract);
    List<String> wrong = new ArrayList<>();
    try (Rig rig = Rig.start(state, settings -> settings.withToken("a-secret-of-some-length"));
        HttpClient http = HttpClient.newHttpClient()) {
      for (Operation operation : operations) {
        expect(wrong, rig, http, operation, "", OWN, operation.isPublic() ? 200 : 401);
      }
      for (Role role : Role.values()) {
        String key =
            rig.client().createKey(ApiKeyRequest.builder().name(OWN).role(role).build()).secret();
        for (Operation operation : operations) {
          boolean allowed = operation.allows(scopes.get(role.name()));
          expect(wrong, rig, http, operation, key, OWN, allowed ? 200 : 403);
          if (operation.hasName()) {
            boolean speaks = allowed && role != Role.RELAY;
            expect(wrong, rig, http, operation, key, OTHER, speaks ? 200 : 403);
          }
        }
      }
    }
    assertThat(operations).hasSizeGreaterThan(40);
    assertThat(wrong).isEmpty();
  }

  /** A registration has the name in its body. */
  @Test
  void registersARelayOfAnotherNameOnlyWhoSpeaksForAll(@TempDir Path state) throws Exception {
    Map<String, Object> contract = contract();
    Operation register =
        operations(contract).stream()
            .filter(operation -> operation.id().equals("registerRelay"))
            .findFirst()
            .orElseThrow();
    List<String> wrong = new ArrayList<>();
    try (Rig rig = Rig.start(state, settings -> settings.withToken("a-secret-of-some-length"));
        HttpClient http = HttpClient.newHttpClient()) {
      for (Role role : Role.values()) {
        String key =
            rig.client().createKey(ApiKeyRequest.builder().name(OWN).role(role).build()).secret();
        boolean allowed = register.allows(scopes(contract).get(role.name()));
        for (String name : List.of(OWN, OTHER)) {
          boolean speaks = allowed && (role != Role.RELAY || name.equals(OWN));
          String body = Json.strict().writeValueAsString(rig.relay(name).registration());
          expect(wrong, rig, http, register, key, name, body, speaks ? 200 : 403);
        }
        assertThat(rig.client().relays().relays())
            .as("registered by %s", role)
            .extracting(Relay::name)
            .containsExactlyInAnyOrderElementsOf(
                !allowed ? List.of() : role == Role.RELAY ? List.of(OWN) : List.of(OWN, OTHER));
        rig.client().relays().relays().forEach(relay -> rig.client().forget(relay.name()));
      }
    }
    assertThat(wrong).isEmpty();
  }

  /** Its role begins with the key that it brings. */
  @Test
  void theSecretOfAnInvitationAllowsWhatNeedsNoScopeAndNothingElse(@TempDir Path state)
      throws Exception {
    List<Operation> operations = operations(contract());
    List<String> wrong = new ArrayList<>();
    try (Rig rig = Rig.start(state, settings -> settings.withToken("a-secret-of-some-length"));
        HttpClient http = HttpClient.newHttpClient()) {
      for (Role role : Role.values()) {
        String secret = rig.client().invite(new InvitationRequest(OWN, role, 60)).secret();
        for (Operation operation : operations) {
          int expected = operation.allows(List.of()) ? 200 : 403;
          expect(wrong, rig, http, operation, secret, OWN, expected);
        }
      }
    }
    assertThat(operations.stream().filter(operation -> operation.allows(List.of())))
        .extracting(Operation::id)
        .contains("enrol")
        .hasSizeLessThan(5);
    assertThat(wrong).isEmpty();
  }

  /**
   * @param expected 401, 403, or 200 for anything that is neither
   */
  private static void expect(
      List<String> wrong,
      Rig rig,
      HttpClient http,
      Operation operation,
      String key,
      String name,
      int expected)
      throws IOException, InterruptedException {
    expect(wrong, rig, http, operation, key, name, "{}", expected);
  }

  private static void expect(
      List<String> wrong,
      Rig rig,
      HttpClient http,
      Operation operation,
      String key,
      String name,
      String document,
      int expected)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(rig.address().resolve(operation.pathOf(name)))
            .header("Content-Type", "application/json")
            .method(
                operation.method(),
                Set.of("GET", "DELETE").contains(operation.method())
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofString(document));
    if (!key.isEmpty()) {
      request.header("Authorization", "Bearer " + key);
    }
    HttpResponse<InputStream> answer = http.send(request.build(), BodyHandlers.ofInputStream());
    int status = answer.statusCode();
    try (InputStream body = answer.body()) {
      String kind = status < 400 ? "" : new String(body.readAllBytes(), StandardCharsets.UTF_8);
      int seen = status == 401 ? 401 : kind.contains("urn:cascade:problem:forbidden") ? 403 : 200;
      if (seen != expected) {
        wrong.add(
            "%s %s: %d (expected: %d)"
                .formatted(operation.method(), operation.pathOf(name), status, expected));
      }
    }
  }

  @Test
  void everyRoleOfTheContractHasScopesThatOperationsAskFor() throws IOException {
    Map<String, Object> contract = contract();
    List<String> asked =
        operations(contract).stream()
            .flatMap(operation -> operation.security().stream())
            .flatMap(one -> one.get("token").stream())
            .toList();
    Map<String, List<String>> scopes = scopes(contract);

    assertThat(scopes.keySet()).isEqualTo(Set.of("VIEWER", "CLIENT", "OPERATOR", "ADMIN", "RELAY"));
    scopes.forEach((role, has) -> assertThat(asked).as(role).containsAll(has));
    assertThat(scopes.get("ADMIN")).containsAll(asked);
  }

  private static Map<String, Object> contract() throws IOException {
    try (InputStream yaml = RolesTest.class.getResourceAsStream("/openapi/orchestrator.yaml")) {
      return new Yaml().load(yaml);
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<String, List<String>> scopes(Map<String, Object> contract) {
    Map<String, Object> components = (Map<String, Object>) contract.get("components");
    Map<String, Map<String, Object>> schemes =
        (Map<String, Map<String, Object>>) components.get("securitySchemes");
    return (Map<String, List<String>>) schemes.get("token").get("x-roles");
  }

  @SuppressWarnings("unchecked")
  private static List<Operation> operations(Map<String, Object> contract) {
    List<Operation> operations = new ArrayList<>();
    ((Map<String, Map<String, Object>>) contract.get("paths"))
        .forEach((path, item) ->
            item.forEach((method, described) -> {
              if (METHODS.contains(method)) {
                operations.add(
                    new Operation(
                        (String) ((Map<String, Object>) described).get("operationId"),
                        method.toUpperCase(Locale.ROOT),
                        path,
                        (List<Map<String, List<String>>>)
                            ((Map<String, Object>) described).get("security")));
              }
            }));
    return operations;
  }
}
