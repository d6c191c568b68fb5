package io.cascade;

import io.cascade.api.client.BoundedExchange;
import io.cascade.client.ClientFailures;
import io.cascade.client.PinFiles;
import io.cascade.client.measure.KernelSocket;
import io.cascade.command.StandardOutput;
import io.cascade.command.Verbs;
import io.cascade.command.Version;
import io.cascade.kernel.ProcessEnd;
import java.nio.channels.spi.SelectorProvider;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.logging.Logger;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cascade VERB …}: the root of the command line. */
@Command(
    name = "cascade",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "VERB",
    description = {
      "Move TCP traffic over long, fat or lossy networks at the speed the links allow: split a"
          + " connection into a pipeline of shorter ones through relays.",
      ""
    },
    footer = {
      "",
      "cascade help VERB or VERB --help shows more; VERB --help-all shows every option. A checkout"
          + " also has build, test, fuzz, package and cluster. Every option can also be set in the"
          + " environment (--orchestrator is CASCADE_ORCHESTRATOR) or in a file (orchestrator=URL,"
          + " in the file that CASCADE_CONFIG names or in ~/.config/cascade/cascade.properties)."
          + " The command line takes precedence, then the environment.",
      "Exit codes: 0 success, 1 failure, 2 wrong usage, 75 the path of a transfer is down (try"
          + " again later), 141 the reader of the output closed it. CASCADE_DEBUG=1 adds the stack"
          + " trace."
    })
public final class Cascade implements Runnable {
  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  /**
   * Verbs whose first connection would wait for initialization that another thread can do while
   * options are read.
   */
  private static final Set<String> CONNECTING = Set.of("send", "receive");

  private static final String HELP_ALL = "--help-all";

  private Cascade() {}

  public static void main(String[] arguments) {
    BoundedExchange.keepPins(new PinFiles());
    if (arguments.length > 0 && CONNECTING.contains(arguments[0])) {
      Thread.ofPlatform().daemon().name("warm-up").start(Cascade::warmUp);
    }
    int code = execute(arguments);
    if (Boolean.getBoolean("cascade.quick-end") && isDoneWhenItReturns(arguments)) {
      ProcessEnd.now(code);
    }
    BoundedExchange.endShared();
    System.exit(code);
  }

  /**
   * Initializes in the background: the first channel searches every jar of the class path for
   * another provider, and so does the first logger; the kernel's functions are bound.
   */
  private static void warmUp() {
    SelectorProvider _ = SelectorProvider.provider();
    KernelSocket.warmUp();
    Logger _ = Logger.getLogger(Cascade.class.getName());
  }

  private static int execute(String... given) {
    String[] arguments = asHelpOption(given);
    try {
      return commandLine(System.getenv(), arguments).execute(withoutAll(arguments));
    } catch (StandardOutput.ReaderGone e) { // While help was printed.
      return Verbs.READER_GONE;
    }
  }

  /** Returns {@code --help-all} as {@code --help}; which options it shows is set before. */
  static String[] withoutAll(String... arguments) {
    return Arrays.stream(arguments)
        .map(each -> each.equals(HELP_ALL) ? "--help" : each)
        .toArray(String[]::new);
  }

  /** Whether help is to show all options. */
  private static boolean wantsAll(String... arguments) {
    return Arrays.asList(arguments).contains(HELP_ALL);
  }

  /** Returns {@code help VERB…} as {@code VERB… --help}; others as they are. */
  static String[] asHelpOption(String... arguments) {
    if (arguments.length == 0 || !arguments[0].equals("help")) {
      return arguments;
    }
    String[] asked = Arrays.copyOfRange(arguments, 1, arguments.length + 1);
    asked[asked.length - 1] = "--help";
    return asked;
  }

  /**
   * Whether a verb needs no shutdown hooks. Those of the JDK's HTTP client alone take 0.3 s; verbs
   * that run relays, orchestrators and laboratories have hooks of their own.
   */
  static boolean isDoneWhenItReturns(String... arguments) {
    return arguments.length > 0
        && Verb.named(arguments[0])
            .filter(verb ->
                switch (verb) {
                  case DEMO, ORCHESTRATOR, RELAY -> false;
                  default -> verb.use() != Verb.Use.MEASURE;
                })
            .isPresent();
  }

  /**
   * The root with every verb, or with only the verb that the arguments begin with: describing all
   * of them to picocli would slow the start of each.
   */
  static CommandLine commandLine(Map<String, String> environment, String... arguments) {
    CommandLine root = new CommandLine(new Cascade());
    Optional<Verb> one =
        arguments.length == 0 ? Optional.empty() : Verb.named(arguments[0]).filter(Verb::alone);
    one.map(Stream::of)
        .orElseGet(() -> Arrays.stream(Verb.values()))
        .forEach(verb -> add(root, verb));
    root.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, new VerbsByUse());
    root.getHelpSectionMap().remove(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING);
    Verbs.prepare(root, environment, new ClientFailures());
    if (wantsAll(arguments)) {
      Verbs.showAllOptions(root);
    }
    return root;
  }

  private static void add(CommandLine root, Verb verb) {
    Object command;
    try {
      command = verb.command();
    } catch (NoClassDefFoundError e) {
      command = new AbsentVerb();
    }
    CommandLine line = new CommandLine(command);
    line.getCommandSpec().versionProvider(new Version());
    root.addSubcommand(verb.title(), line);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which verb?");
  }
}
