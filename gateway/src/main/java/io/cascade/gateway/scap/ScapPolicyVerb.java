package io.cascade.gateway.scap;

import io.cascade.api.Json;
import io.cascade.api.scap.ScapPolicy;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "policy",
    mixinStandardHelpOptions = true,
    description = "Show which connections a running scap splits, how, and over which pipes.",
    footer = {"", "Example: cascade scap policy --control 7790"})
final class ScapPolicyVerb implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Mixin private ControlOptions control = new ControlOptions();

  @Override
  public Integer call() {
    return control.print("/policy", ScapPolicyVerb::text, spec.commandLine().getOut());
  }

  private static String text(String answer) {
    ScapPolicy policy = Json.lenient().readValue(answer, ScapPolicy.class);
    return """
    %s: mode %s, signalling %s
    from %s to %s
    split %s after %d bytes, one pipe for ports %s, pipes: %s
    at most %d connections, %d bytes held, segments of %d bytes\
    """
        .formatted(
            policy.name(),
            policy.mode(),
            policy.signalling(),
            policy.near() == null ? "the near pipes" : policy.near(),
            String.join(", ", policy.far()),
            policy.admitted().isEmpty()
                ? "all"
                : "those of " + String.join(", ", policy.admitted()),
            policy.splitAfterBytes(),
            policy.onePipePorts().isEmpty() ? "none" : policy.onePipePorts(),
            policy.selection(),
            policy.connections(),
            policy.memoryBytes(),
            policy.segmentBytes());
  }
}
