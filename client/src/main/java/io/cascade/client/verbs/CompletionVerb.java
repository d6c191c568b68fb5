package io.cascade.client.verbs;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    description = {
      "Print a script that completes verbs, options, relays and chains in a shell.",
      "Use it with: source <(./cascade completion)"
    })
public final class CompletionVerb implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Parameters(
      paramLabel = "SHELL",
      arity = "0..1",
      defaultValue = "BASH",
      description = "The shell: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private Shell shell = Shell.BASH;

  @Mixin private OrchestratorOption orchestrator = new OrchestratorOption();

  @Option(
      names = "--list",
      hidden = true,
      description = "Print the names that the script asks for: relays or chains.")
  private KnownNames.@Nullable Kind list;

  @Override
  public Integer call() {
    KnownNames.Kind kind = list;
    if (kind != null) {
      PrintWriter out = spec.commandLine().getOut();
      KnownNames.list(orchestrator.client(), kind).forEach(out::println);
      out.flush();
      return 0;
    }
    CommandLine root = spec.root().commandLine();
    String script = KnownNames.asking(AutoComplete.bash(root.getCommandName(), root));
    if (shell == Shell.ZSH) {
      root.getOut().println("autoload -U +X compinit && compinit");
    }
    root.getOut().print(script);
    root.getOut().flush();
    return 0;
  }

  /** One script serves both shells; zsh reads it through bashcompinit, which the script loads. */
  enum Shell {
    BASH,
    ZSH
  }
}
