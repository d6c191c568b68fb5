package io.cascade.studies.reproduce;

import static io.cascade.model.cascade.LossDivision.UNCHANGED;
import static io.cascade.studies.reproduce.PublishedFigure.at;
import static io.cascade.studies.reproduce.PublishedFormulas.publishedGain;
import static io.cascade.studies.reproduce.TableOne.gain;
import static io.cascade.studies.reproduce.TableOne.path;
import static io.cascade.studies.reproduce.TableOne.utilisation;

import io.cascade.model.cascade.Hop;
import io.cascade.model.tcp.Framing;
import java.util.List;

/** The poster about the work of {@link CascadedTcpPaper}. */
final class CascadedTcpPoster {
  private CascadedTcpPoster() {}

  static Section section() {
    Hop clean = path(32, 64, 0.1).withLoss(0);
    Hop big = path(128, 512, 0.1);
    return new Section(
        "Cascaded TCP, the poster",
        "An earlier stage of the same work, with a coarser emulation.",
        List.of(
            at("results", "utilisation with two relays, 64 ms, no loss")
                .of("%", 90, 100 * utilisation(clean, 2, UNCHANGED))
                .because("the direct path reaches it as well, since without loss the link is full"),
            at("results", "utilisation with two relays, 64 ms, no loss, direct")
                .of("%", 90, 100 * utilisation(clean, 0, UNCHANGED))
                .because(
                    "the poster's direct path needs relays for it, which shows that windows still grew"),
            at(
                    "results",
                    "gain of one relay at a large bandwidth-delay product, 128 Mbit/s, 512 ms, 0.1 %")
                .of("×", 2, gain(big, 1, UNCHANGED))
                .ownModel(publishedGain(big, 1)),
            at("results", "protocol overhead's limit")
                .of("%", 94, 100 * Framing.ETHERNET_1500.payloadShare())),
        List.of(),
        "");
  }
}
