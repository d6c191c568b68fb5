package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.yaml.snakeyaml.Yaml;

@NullUnmarked
class ContractTest {
  private static final Set<String> METHODS = Set.of("get", "post", "put", "delete", "patch");

  /** The page, and what leads to it; its files are no mappings of methods. */
  private static final Set<String> DASHBOARD =
      Set.of("GET /", "GET /ui", "GET /ui/", "GET /ui/index.html");

  @Test
  void whatIsServedIsTheContractAndNothingElse(@TempDir Path state) throws IOException {
    try (Rig rig = Rig.start(state)) {
      Set<String> served = new TreeSet<>();
      for (RequestMappingInfo mapping :
          rig.orchestrator()
              .bean(RequestMappingHandlerMapping.class)
              .getHandlerMethods()
              .keySet()) {
        mapping
            .getPatternValues()
            .forEach(pattern ->
                mapping
                    .getMethodsCondition()
                    .getMethods()
                    .forEach(method -> served.add(method + " " + pattern)));
      }

      assertThat(served.remove("GET /openapi.yaml")).isTrue();
      assertThat(served.removeAll(DASHBOARD)).isTrue();
      assertThat(served).isEqualTo(described());
    }
  }

  /** Names and identifiers that are none, and bodies of any form. */
  @Test
  void everyRefusalIsOneOfTheContract(@TempDir Path state) {
    List<String> wrong = new ArrayList<>();
    try (Rig rig = Rig.start(state)) {
      for (DocumentedAnswers.Operation operation : DocumentedAnswers.operations()) {
        if (operation.path().endsWith("/events")) {
          continue; // It has no end.
        }
        for (String parameter : List.of("nobody", "NOBODY", UUID.randomUUID().toString())) {
          String path = operation.path().replaceAll("\\{\\w+}", parameter);
          expect(wrong, rig, "GET", path + "?destination=0000&before=-1&state=x", null);
          expect(wrong, rig, "GET", path + "?limit=x", null);
          for (String body : List.of("", "{}", "[]", "{", "\"\\u0000\"")) {
            expect(wrong, rig, operation.method().toUpperCase(Locale.ROOT), path, body);
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  private static void expect(List<String> wrong, Rig rig, String method, String path, String body) {
    try {
      DocumentedAnswers.expect(method, path, rig.call(method, path, body).status());
    } catch (AssertionError e) {
      wrong.add(e.getMessage() + " for '" + body + "'");
    }
  }

  @Test
  void theContractIsServed(@TempDir Path state) {
    try (Rig rig = Rig.start(state)) {
      Rig.Response answer = rig.call("GET", "/openapi.yaml", null);
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.body()).startsWith("openapi: 3.1.0");
    }
  }

  private static Set<String> described() throws IOException {
    Set<String> described = new TreeSet<>();
    try (InputStream yaml = ContractTest.class.getResourceAsStream("/openapi/orchestrator.yaml")) {
      Map<String, Map<String, Map<String, Object>>> contract = new Yaml().load(yaml);
      contract
          .get("paths")
          .forEach((path, operations) ->
              operations.keySet().stream()
                  .filter(METHODS::contains)
                  .forEach(method ->
                      described.add(method.toUpperCase(Locale.ROOT) + " /api/v1" + path)));
    }
    return described;
  }
}
