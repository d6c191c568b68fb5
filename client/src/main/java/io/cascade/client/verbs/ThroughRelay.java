package io.cascade.client.verbs;

import io.cascade.api.HostPort;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.client.rendezvous.NearestRelay;
import io.cascade.client.rendezvous.RendezvousFailed;
import io.cascade.command.CommandException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The relay at which two ends meet, named by the user or by the orchestrator. */
final class ThroughRelay {
  /** Default port at which relays join ends. */
  private static final int PORT = 7414;

  private ThroughRelay() {}

  /** Converts {@code den.example.org}, {@code 192.0.2.7:7000}, {@code [::1]}. */
  static final class Converter implements ITypeConverter<HostPort> {
    @Override
    public HostPort convert(String value) {
      boolean hasPort = !value.endsWith("]") && value.indexOf(':') >= 0;
      try {
        return HostPort.parse(hasPort ? value : value + ":" + PORT);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  /**
   * The one of the orchestrator's relays that answers first.
   *
   * @throws CommandException where none joins ends, or none answers
   */
  static HostPort nearest(OrchestratorClient orchestrator) throws InterruptedException {
    try {
      return NearestRelay.find(orchestrator)
          .orElseThrow(() ->
              new CommandException(
                  "--through auto: none of the orchestrator's relays joins two ends; fix: start one"
                      + " with ./cascade relay --rendezvous "
                      + PORT
                      + ", or name another: --through HOST:PORT"));
    } catch (RendezvousFailed e) {
      throw new CommandException(
          "--through auto: none of the orchestrator's relays answers at its rendezvous port: "
              + e.getMessage(),
          e);
    }
  }
}
