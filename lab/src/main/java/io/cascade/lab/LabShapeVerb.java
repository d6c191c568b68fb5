package io.cascade.lab;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "shape",
    mixinStandardHelpOptions = true,
    description =
        "Change a link while it runs, such as: cascade lab shape a b loss=1%% rate=10Mbit")
final class LabShapeVerb implements Callable<Integer> {
  @Mixin private LabOption which = new LabOption();

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @SuppressWarnings("NullAway.Init")
  @Parameters(index = "0", paramLabel = "FROM")
  private String from;

  @SuppressWarnings("NullAway.Init")
  @Parameters(index = "1", paramLabel = "TO")
  private String to;

  @Parameters(
      index = "2..*",
      arity = "1..*",
      paramLabel = "NAME=VALUE",
      description =
          "Properties to set: delay, rtt, rate, queue, loss, jitter, reorder, reorder-delay, mtu,"
              + " down.")
  private List<String> changes = List.of();

  @Option(names = "--one-way", description = "Change only the direction from FROM to TO.")
  private boolean oneWay;

  @Override
  public Integer call() {
    ShapeChange change;
    try {
      change = ShapeChange.of(changes);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
    Link link = which.lab().link(from, to);
    if (oneWay) {
      link.changeForward(change);
    } else {
      link.change(change);
    }
    return 0;
  }
}
