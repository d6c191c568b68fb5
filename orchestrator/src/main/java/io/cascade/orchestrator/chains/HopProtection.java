package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ChainSecurity;
import io.cascade.api.orchestrator.HopSecurity;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.relays.RegisteredRelay;
import io.cascade.orchestrator.relays.RelayRegistry;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether a chain's hops are encrypted: as its request says; if it says nothing, when one of its
 * relays requires it. Either all hops are encrypted or none.
 */
final class HopProtection {
  private HopProtection() {}

  static @Nullable ChainSecurity asked(ChainRequest request) {
    return request.options() == null ? null : request.options().security();
  }

  /** Why a relay cannot be part of such a chain, with the fix; empty if it can. */
  static Optional<String> obstacle(@Nullable ChainSecurity asked, RegisteredRelay relay) {
    if (asked == ChainSecurity.TLS && !relay.hasTls()) {
      return Optional.of(withoutTls(relay));
    }
    if (asked == ChainSecurity.PLAIN && relay.insistsOnTls()) {
      return Optional.of(
          relay.name()
              + " takes encrypted hops only; fix: ask for security TLS, or start it with"
              + " --hop-security optional");
    }
    return Optional.empty();
  }

  /**
   * @param route in order
   * @return whether the hops of a chain through them are encrypted
   * @throws Refusal if some relays require encryption and others cannot encrypt
   */
  static boolean tls(@Nullable ChainSecurity asked, List<RegisteredRelay> route) {
    for (RegisteredRelay relay : route) {
      obstacle(asked, relay)
          .ifPresent(why -> {
            throw new Refusal(ProblemKind.UNSUPPORTED, why);
          });
    }
    Optional<RegisteredRelay> insists =
        route.stream().filter(RegisteredRelay::insistsOnTls).findFirst();
    if (insists.isPresent()) {
      route.stream()
          .filter(relay -> !relay.hasTls())
          .findFirst()
          .ifPresent(relay -> {
            throw new Refusal(
                ProblemKind.UNSUPPORTED,
                insists.get().name() + " takes encrypted hops only, and " + withoutTls(relay));
          });
    }
    return asked == ChainSecurity.TLS || insists.isPresent();
  }

  /** As {@link #tls(ChainSecurity, List)}, for a request and the relays that were chosen for it. */
  static boolean tls(ChainRequest request, RelayPipes pipes, RelayRegistry known) {
    return tls(asked(request), pipes.relays().stream().map(known::known).toList());
  }

  private static String withoutTls(RegisteredRelay relay) {
    HopSecurity said = relay.registration().hopSecurity();
    return relay.name()
        + " has no TLS; fix: start it "
        + (said == null ? "with a newer version" : "without --hop-security plain")
        + ", or leave it out";
  }
}
