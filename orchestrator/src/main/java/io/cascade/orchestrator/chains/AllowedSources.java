package io.cascade.orchestrator.chains;

import io.cascade.api.AddressBlock;
import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.Ingress;
import io.cascade.api.relay.InstalledPart;
import io.cascade.api.relay.PartStatus;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Addresses whose streams a chain accepts; its first relay resets all others. */
final class AllowedSources {
  private AllowedSources() {}

  /** The addresses that a request names; null if it names none. */
  static @Nullable List<String> of(ChainRequest request) {
    ChainOptions options = request.options();
    return options == null ? null : options.allowSources();
  }

  /**
   * @throws Refusal naming the first text that is not an address
   */
  static void check(ChainRequest request) {
    for (String each : Objects.requireNonNullElse(of(request), List.<String>of())) {
      try {
        AddressBlock _ = AddressBlock.parse(each);
      } catch (IllegalArgumentException e) {
        throw new Refusal(ProblemKind.INVALID_REQUEST, "options.allowSources: " + e.getMessage());
      }
    }
  }

  /**
   * Whether a relay has installed the part without its addresses, because its version does not know
   * the field. Such a relay would accept streams from any address.
   */
  static boolean areMissing(ChainPart asked, InstalledPart installed) {
    boolean limits =
        asked.inlets().stream()
            .anyMatch(inlet -> {
              Ingress ingress = inlet.ingress();
              return ingress != null && ingress.allowSources() != null;
            });
    return limits && !Boolean.TRUE.equals(installed.sourcesLimited());
  }

  /**
   * Whether a relay holds a part of a chain without its addresses, because an orchestrator of an
   * older version sent it. A relay that does not report them counts as having them: it would not
   * report them after another installation either.
   */
  static boolean areMissing(Chain chain, String relay, PartStatus held) {
    Installation wanted = chain.installation();
    return Boolean.FALSE.equals(held.sourcesLimited())
        && of(chain.request()) != null
        && wanted != null
        && !wanted.proxied()
        && wanted.route().firstRelay().equals(relay);
  }
}
