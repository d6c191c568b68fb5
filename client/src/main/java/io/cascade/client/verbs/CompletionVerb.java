package io.cascade.client.verbs;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    description = {
      "Print the script that completes every verb and option in your shell.",
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
      description = "${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
  private Shell shell = Shell.BASH;

  @Override
  public Integer call() {
    CommandLine root = spec.root().commandLine();
    String script = AutoComplete.bash(root.getCommandName(), root);
    if (shell == Shell.ZSH) {
      root.getOut().println("autoload -U +X compinit && compinit");
    }
    root.getOut().print(script);
    root.getOut().flush();
    return 0;
  }

  /** One script serves both; zsh reads it through bashcompinit, which the script loads. */
  enum Shell {
    BASH,
    ZSH
  }
}
