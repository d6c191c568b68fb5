package io.cascade;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.command.Verbs;
import io.cascade.testing.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Pages that follow the code: what they should say is written to {@code target/reference}, from
 * where it is copied to {@code docs/reference}.
 */
class ReferencePagesTest {
  private static final int COLUMNS = 100;
  private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");

  /** The contracts and who serves them. */
  private static final Map<String, String> CONTRACTS = contracts();

  @Test
  void theVerbsAreWhatTheirHelpSays() throws IOException {
    assertIsWritten("verbs.md", verbs());
  }

  @Test
  void theOperationsAreThoseOfTheContracts() throws IOException {
    assertIsWritten("api.md", api());
  }

  private static void assertIsWritten(String name, String wanted) throws IOException {
    Path made = Files.createDirectories(Path.of("target", "reference")).resolve(name);
    Files.writeString(made, wanted);

    assertThat(Documents.ROOT.resolve("docs/reference").resolve(name))
        .as("cp dist/target/reference/%s docs/reference", name)
        .hasContent(wanted);
  }

  private static String verbs() {
    CommandLine root = Cascade.commandLine(Map.of());
    Verbs.showAllOptions(root);
    StringBuilder page =
        new StringBuilder(
            """
            # Verbs

            What `./cascade VERB --help-all` says. `build`, `test`, `package`, `cluster` and `caches` are commands of the launcher in a checkout.

            """);
    page.append(block(root));
    Arrays.stream(Verb.values())
        .map(verb -> root.getSubcommands().get(verb.title()))
        .forEach(verb -> addVerb(page, verb));
    return page.toString();
  }

  private static void addVerb(StringBuilder page, CommandLine verb) {
    String name = verb.getCommandSpec().qualifiedName().replaceFirst("^cascade ", "");
    page.append("\n## ").append(name).append("\n\n").append(block(verb));
    verb.getSubcommands().values().stream()
        .distinct()
        .forEach(subcommand -> addVerb(page, subcommand));
  }

  private static String block(CommandLine verb) {
    verb.setUsageHelpAutoWidth(false).setUsageHelpWidth(COLUMNS);
    String help =
        verb.getUsageMessage(Ansi.OFF)
            .lines()
            .map(String::stripTrailing)
            .collect(Collectors.joining("\n"));
    return "```text\n" + help + "\n```\n";
  }

  private static String api() throws IOException {
    StringBuilder page =
        new StringBuilder(
            """
            # API

            The contracts are OpenAPI documents, from which servers and clients are made; they have the fields, their units and their bounds. A running orchestrator serves its own at
            `/openapi.yaml`. Errors are problem documents (RFC 9457). Scopes belong to [roles](access.md#who-may-do-what). Libraries: [clients](clients.md).

            ```sh
            curl -s localhost:7400/api/v1/chains -H "Authorization: Bearer $CASCADE_TOKEN" -H 'Content-Type: application/json' -H 'Idempotency-Key: nightly-1' \\
                -d '{"destination": "data.example.org:5201", "via": ["fra", "nyc"], "options": {"congestionControl": "cubic"}}'
            curl -N localhost:7400/api/v1/events -H "Authorization: Bearer $CASCADE_TOKEN"
            ```
            """);
    for (Map.Entry<String, String> contract : CONTRACTS.entrySet()) {
      addContract(page, contract.getKey(), contract.getValue());
    }
    return page.toString();
  }

  private static void addContract(StringBuilder page, String file, String server)
      throws IOException {
    String folder = "api-spec/src/main/resources/openapi/";
    JsonNode contract = new YAMLMapper().readTree(Documents.ROOT.resolve(folder + file).toFile());
    page.append("\n## ").append(server).append("\n\n");
    page.append(
        "[%s](../../%s%s), below `%s`.%n%n"
            .formatted(file, folder, file, contract.at("/servers/0/url").asString()));
    page.append("| operation | what it does | scope |\n| --- | --- | --- |\n");
    operations(contract).forEach(row -> page.append(row).append('\n'));
  }

  private static List<String> operations(JsonNode contract) {
    List<String> rows = new ArrayList<>();
    contract
        .get("paths")
        .properties()
        .forEach(path ->
            path.getValue().properties().stream()
                .filter(operation -> METHODS.contains(operation.getKey()))
                .forEach(operation ->
                    rows.add(
                        "| `%s %s` | %s | %s |"
                            .formatted(
                                operation.getKey().toUpperCase(Locale.ROOT),
                                path.getKey(),
                                purpose(operation.getValue()),
                                scopes(operation.getValue())))));
    return rows;
  }

  private static String purpose(JsonNode operation) {
    String summary = operation.path("summary").asString();
    return summary.isEmpty()
        ? "`" + operation.path("operationId").asString() + "`"
        : summary.replace("|", "\\|");
  }

  private static String scopes(JsonNode operation) {
    return operation
        .path("security")
        .valueStream()
        .flatMap(JsonNode::valueStream)
        .flatMap(JsonNode::valueStream)
        .map(JsonNode::asString)
        .distinct()
        .collect(Collectors.joining(", "));
  }

  private static Map<String, String> contracts() {
    Map<String, String> contracts = new LinkedHashMap<>();
    contracts.put("orchestrator.yaml", "Orchestrator, port 7400");
    contracts.put("relay-control.yaml", "Relay, port 7412");
    contracts.put("transfers.yaml", "serve, port 7421");
    contracts.put("scap.yaml", "Splitter, where --control says");
    return contracts;
  }
}
