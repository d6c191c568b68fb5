package io.cascade.client.verbs;

import io.cascade.api.HostPort;
import io.cascade.api.client.ServerAddress;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.HopSecurity;
import io.cascade.api.orchestrator.Relay;
import io.cascade.api.orchestrator.RelayList;
import io.cascade.client.terminal.Table;
import io.cascade.command.DataSize;
import io.cascade.command.RelayStart;
import io.cascade.contract.Quantities;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "relays",
    mixinStandardHelpOptions = true,
    description = "List registered relays and their state.")
public final class RelaysVerb implements Callable<Integer> {
  @Option(
      names = "--forget",
      completionCandidates = KnownNames.OfRelays.class,
      paramLabel = "NAME",
      description =
          "Forget a relay that is gone for good, with the measurements of its links, before listing"
              + " the others. This ends its alert.")
  private @Nullable String forgotten;

  @Mixin private OrchestratorOption orchestrator = new OrchestratorOption();
  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    if (forgotten != null) {
      orchestrator.client().forget(forgotten);
      output.note("relay " + forgotten + " is forgotten");
    }
    RelayList relays = orchestrator.client().relays();
    Table table =
        new Table(
            "relay",
            "site",
            "status",
            "hop",
            ">streams",
            ">held",
            "last seen",
            "?>capacity",
            "?hop security",
            "?control",
            "?congestion control",
            "?rendezvous",
            "?>restarts",
            "?version");
    Instant now = Instant.now();
    for (Relay relay : relays.relays()) {
      Long capacity = relay.capacityBitsPerSecond();
      table.row(
          relay.name(),
          relay.site(),
          relay.status(),
          address(relay.hop()),
          relay.runningStreams(),
          DataSize.format(relay.heldBytes()),
          Quantities.ago(relay.lastSeenAt(), now),
          Quantities.rate(capacity == null ? null : (Double) capacity.doubleValue()),
          Output.orDash(relay.hopSecurity() == null ? null : lower(relay.hopSecurity())),
          Output.orDash(relay.control() == null ? null : address(relay.control()).toString()),
          Output.orDash(relay.congestionControl()),
          Output.orDash(relay.rendezvous() == null ? null : address(relay.rendezvous()).toString()),
          relay.restarts(),
          relay.version());
    }
    output.list(
        relays,
        table,
        "no relay has registered. Start one: "
            + RelayStart.command(ServerAddress.joined(orchestrator.addresses())));
    return 0;
  }

  private static String lower(HopSecurity security) {
    return security.name().toLowerCase(Locale.ROOT);
  }

  private static HostPort address(Endpoint endpoint) {
    return new HostPort(endpoint.host(), endpoint.port());
  }
}
