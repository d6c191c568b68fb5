package io.cascade.client.verbs;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Chain;
import io.cascade.client.ways.Chains;
import io.cascade.command.CommandException;
import java.util.List;
import java.util.UUID;

/** Finds chains by id, by the start of an id, or by name. */
final class ChainSelection {
  private static final int ID_LENGTH = 36;

  private ChainSelection() {}

  static UUID find(OrchestratorClient client, String wanted) {
    if (wanted.length() == ID_LENGTH) {
      try {
        return UUID.fromString(wanted);
      } catch (IllegalArgumentException e) {
        // Not an id, so it may be a name.
      }
    }
    List<Chain> chains = client.chains().chains();
    List<Chain> named = chains.stream().filter(chain -> wanted.equals(chain.name())).toList();
    List<Chain> live = named.stream().filter(Chains::isLive).toList();
    if (!live.isEmpty()) {
      named = live; // Names may be reused; the live chain is meant.
    }
    if (named.isEmpty()) {
      named = chains.stream().filter(chain -> chain.id().toString().startsWith(wanted)).toList();
    }
    if (named.isEmpty()) {
      throw new CommandException(
          "no chain has the name or an id that starts with '"
              + wanted
              + "'; fix: see ./cascade chains --all");
    }
    if (named.size() > 1) {
      throw new CommandException(
          "'%s' may be any of %s; fix: give more of the id"
              .formatted(
                  wanted,
                  String.join(
                      ", ", named.stream().limit(5).map(chain -> chain.id().toString()).toList())));
    }
    return named.getFirst().id();
  }
}
