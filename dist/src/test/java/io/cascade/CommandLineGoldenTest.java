package io.cascade;

import static java.util.Objects.requireNonNull;

import io.cascade.testing.Golden;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/** What people and scripts see of the command line is as its copies in {@code testing/golden}. */
@Tag(Golden.TAG)
class CommandLineGoldenTest {
  /**
   * Documents of {@code --json} that are no schemas of a contract, by the verbs that print them.
   */
  private static final Map<String, String> DOCUMENTS =
      Map.ofEntries(
          Map.entry("demo", "io.cascade.lab.demo.DemoReport"),
          Map.entry("demo --loopback", "io.cascade.lab.demo.LoopbackReport"),
          Map.entry("doctor", "io.cascade.client.doctor.Finding"),
          Map.entry("gateway status", "io.cascade.gateway.tunnel.GatewayStatus"),
          Map.entry("invite", "io.cascade.client.verbs.InviteVerb$Invited"),
          Map.entry("lab status", "io.cascade.lab.LabStatusVerb$Status"),
          Map.entry("receive", "io.cascade.client.verbs.ReceiveVerb$Report"),
          Map.entry("revoke", "io.cascade.client.verbs.RevokeVerb$Revoked"),
          Map.entry("scap up", "io.cascade.packets.scap.ScapCounts"),
          Map.entry("send", "io.cascade.client.verbs.SendReport"),
          Map.entry("send --json-events", "io.cascade.client.verbs.TransferEvent"),
          Map.entry("site", "io.cascade.client.siting.SitingDocument"),
          Map.entry("soak", "io.cascade.lab.soak.SoakReport"),
          Map.entry("version", "io.cascade.client.verbs.VersionVerb$Running"));

  private static final List<String> MISUSES =
      List.of(
          "",
          "frobnicate",
          "--frobnicate",
          "relays --frobnicate",
          "relays frobnicate",
          "send",
          "plan --to x:1 --json --max-relays many",
          "help",
          "help send",
          "version",
          "relays --orchestrator http://127.0.0.1:1");

  @TempDir private Path home;

  @Test
  void theRootsHelp() {
    Golden.check("help/cascade.txt", run("--help").out);
    Golden.checkNames(
        "help",
        Stream.concat(Stream.of("cascade"), Arrays.stream(Verb.values()).map(Verb::title))
            .map(name -> name + ".txt"));
  }

  /** All options, and those of the verbs below it. */
  @ParameterizedTest
  @EnumSource(Verb.class)
  void aVerbsHelp(Verb verb) {
    CommandLine root = Cascade.commandLine(environment(), verb.title(), "--help-all");
    StringBuilder text = new StringBuilder();
    help(requireNonNull(root.getSubcommands().get(verb.title())), text);
    Golden.check("help/" + verb.title() + ".txt", text.toString());
  }

  private static void help(CommandLine line, StringBuilder text) {
    text.append(line.setUsageHelpAutoWidth(false).getUsageMessage(CommandLine.Help.Ansi.OFF));
    for (CommandLine below : line.getSubcommands().values()) {
      text.append("\n---- ").append(below.getCommandSpec().qualifiedName()).append("\n\n");
      help(below, text);
    }
  }

  /** The lists of words that it offers: the functions around them are picocli's. */
  @Test
  void completion() {
    StringBuilder text = new StringBuilder();
    run("completion")
        .out
        .lines()
        .map(String::strip)
        .filter(line -> line.matches("(function _picocli.*|local (commands|flag_opts|arg_opts).*)"))
        .forEach(line -> text.append(line.replace(" '", "\n  '")).append('\n'));
    Golden.check("completion.txt", text.toString());
  }

  @Test
  void exitCodesAndFirstLinesOfErrors() {
    StringBuilder text = new StringBuilder();
    for (String misuse : MISUSES) {
      Run run = misuse.isEmpty() ? run() : run(misuse.split(" ", -1));
      text.append(
          "cascade %s%n  %d %s%n"
              .formatted(misuse, run.exit, run.err.lines().findFirst().orElse("")));
    }
    Golden.check("exit-codes.txt", text.toString());
  }

  @Test
  void keysOfJson() throws ClassNotFoundException {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, String> document : new TreeMap<>(DOCUMENTS).entrySet()) {
      text.append(document.getKey()).append('\n');
      keys(Class.forName(document.getValue()), "  ", text);
    }
    Golden.check("json.txt", text.toString());
  }

  private static void keys(Class<?> type, String indent, StringBuilder text) {
    if (type.isSealed()) {
      for (Class<?> kind : type.getPermittedSubclasses()) {
        text.append(indent).append(kind.getSimpleName()).append('\n');
        keys(kind, indent + "  ", text);
      }
      return;
    }
    for (RecordComponent key : type.getRecordComponents()) {
      Class<?> value = element(key.getGenericType());
      boolean isContracts = value.getPackageName().startsWith("io.cascade.api");
      text.append(indent).append(key.getName()).append(' ').append(value.getSimpleName());
      text.append('\n');
      if (value.isRecord() && !isContracts) {
        keys(value, indent + "  ", text);
      }
    }
  }

  /** The last argument of a generic type, which lists and maps have their values in. */
  private static Class<?> element(Type type) {
    return switch (type) {
      case ParameterizedType generic -> {
        Type[] arguments = generic.getActualTypeArguments();
        yield element(arguments[arguments.length - 1]);
      }
      case Class<?> plain -> plain;
      default -> Object.class;
    };
  }

  private Run run(String... given) {
    String[] arguments = Cascade.asHelpOption(given);
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line =
        Cascade.commandLine(environment(), arguments)
            .setUsageHelpAutoWidth(false)
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true));
    return new Run(line.execute(Cascade.withoutAll(arguments)), out.toString(), err.toString());
  }

  private Map<String, String> environment() {
    return Map.of("HOME", home.toString(), "CASCADE_CONFIG", "/dev/null");
  }

  private record Run(int exit, String out, String err) {}
}
