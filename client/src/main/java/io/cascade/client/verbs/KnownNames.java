package io.cascade.client.verbs;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.Relay;
import io.cascade.client.ways.Chains;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Names that the orchestrator knows, for shell completion: requested when the user presses Tab,
 * since the completion script is older than the names.
 */
final class KnownNames {
  private KnownNames() {}

  /** Kinds of names, as {@code completion --list} accepts them. */
  enum Kind {
    RELAYS,
    CHAINS
  }

  /** Placeholder for the names of relays where an option or a parameter takes one. */
  static final class OfRelays implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return List.of(placeholder(Kind.RELAYS)).iterator();
    }
  }

  /** Placeholder for the names of chains where a parameter takes one. */
  static final class OfChains implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return List.of(placeholder(Kind.CHAINS)).iterator();
    }
  }

  private static String placeholder(Kind kind) {
    return "@" + kind.name().toLowerCase(Locale.ROOT) + "@";
  }

  /** The script, which requests names where picocli has written the placeholders. */
  static String asking(String script) {
    String asking = script;
    for (Kind kind : Kind.values()) {
      Pattern array =
          Pattern.compile("(?m)^ *local (\\w+)=\\(\"" + placeholder(kind) + "\"\\).*\\R");
      String names =
          "\\$(\"\\${COMP_WORDS[0]}\" completion --list "
              + kind.name().toLowerCase(Locale.ROOT)
              + " 2> /dev/null)";
      for (String variable :
          array.matcher(script).results().map(found -> found.group(1)).distinct().toList()) {
        asking = asking.replaceAll(Pattern.quote("\"${" + variable + "[@]}\""), names);
      }
      asking = array.matcher(asking).replaceAll("");
    }
    return asking;
  }

  /**
   * The known names. Empty where the orchestrator does not answer quickly, since the shell waits.
   */
  static List<String> list(OrchestratorClient client, Kind kind) {
    try {
      Stream<String> names =
          switch (kind) {
            case RELAYS -> client.relays().relays().stream().map(Relay::name);
            case CHAINS ->
                client.chains().chains().stream()
                    .filter(Chains::isLive)
                    .map(chain -> chain.name() == null ? chain.id().toString() : chain.name());
          };
      // A name that is not one word cannot be completed.
      return names.filter(name -> !name.contains(" ")).distinct().sorted().toList();
    } catch (ProblemException | UnreachableException e) {
      return List.of();
    }
  }
}
