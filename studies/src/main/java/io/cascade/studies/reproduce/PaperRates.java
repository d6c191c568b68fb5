package io.cascade.studies.reproduce;

import static io.cascade.model.cascade.LossDivision.DIVIDED;
import static io.cascade.model.cascade.LossDivision.UNCHANGED;
import static io.cascade.studies.reproduce.PublishedFigure.at;
import static io.cascade.studies.reproduce.PublishedFormulas.equation8;
import static io.cascade.studies.reproduce.PublishedFormulas.publishedGain;
import static io.cascade.studies.reproduce.PublishedFormulas.publishedUtilisation;
import static io.cascade.studies.reproduce.TableOne.gain;
import static io.cascade.studies.reproduce.TableOne.path;
import static io.cascade.studies.reproduce.TableOne.utilisation;

import io.cascade.model.cascade.Hop;
import io.cascade.model.tcp.Framing;
import java.util.List;
import java.util.stream.Stream;

/** Claims of the paper on rates: gains, utilisation and the effect of losses. */
final class PaperRates {
  private PaperRates() {}

  static List<PublishedFigure> all() {
    return Stream.of(gains(), utilisations(), losses()).flatMap(List::stream).toList();
  }

  private static List<PublishedFigure> gains() {
    Hop medium = path(32, 64, 0.1);
    Hop slow = path(8, 256, 0.1);
    Hop small = path(4, 8, 0.1);
    return List.of(
        at("§V-A.2, Fig. 2b", "gain of one relay, 32 Mbit/s, 64 ms, 0.1 %")
            .of("×", 2, gain(medium, 1, UNCHANGED))
            .ownModel(publishedGain(medium, 1))
            .because("if each hop has the loss of the whole path"),
        at("§V-A.2, Fig. 2b", "the same, loss divided among the hops")
            .of("×", 2, gain(medium, 1, DIVIDED))
            .ownModel(equation8(medium, 1) / equation8(medium, 0))
            .because("equation 8 has R√R"),
        at("§V-A.2, Fig. 2b", "gain of one relay, 8 Mbit/s, 256 ms, 0.1 %")
            .of("×", 2, gain(slow, 1, UNCHANGED))
            .ownModel(publishedGain(slow, 1)),
        at(
                "§V-A.2",
                "utilisation at 8 Mbit/s, 256 ms over that at 32 Mbit/s, 64 ms: the same bandwidth-delay product")
            .of("×", 1, utilisation(slow, 0, UNCHANGED) / utilisation(medium, 0, UNCHANGED))
            .ownModel(publishedUtilisation(slow, 0) / publishedUtilisation(medium, 0)),
        at("§VI-B, Fig. 4", "gain of one relay by equation 8, as stated in the text beside it")
            .of("×", 2, gain(medium, 1, UNCHANGED))
            .ownModel(equation8(medium, 1) / equation8(medium, 0))
            .because("equation 8 divides the loss, text and figure do not"),
        at("§VI-A", "gain of one relay at a small bandwidth-delay product: 4 Mbit/s, 8 ms, 0.1 %")
            .of("×", 1, gain(small, 1, UNCHANGED))
            .ownModel(publishedGain(small, 1))
            .because(
                "the gain is small only because capacity is a cap; equations 5 and 6 have none"));
  }

  private static List<PublishedFigure> utilisations() {
    Hop medium = path(32, 64, 0.1);
    Hop fast = path(64, 64, 0.1);
    Hop faster = path(128, 32, 0.1);
    Hop clean = path(128, 32, 0.001);
    return List.of(
        at("§V-A.3", "highest possible utilisation, in percent")
            .of("%", 94, 100 * Framing.ETHERNET_1500.payloadShare())
            .within(0.01)
            .because("1448 of 1538 bytes"),
        at("§V-A.3, Fig. 3", "utilisation with two relays, 32 Mbit/s, 64 ms, 0.1 %, loss unchanged")
            .of("%", 90, 100 * utilisation(medium, 2, UNCHANGED))
            .ownModel(100 * publishedUtilisation(medium, 2)),
        at("§V-A.3, Fig. 3", "the same, loss divided")
            .of("%", 90, 100 * utilisation(medium, 2, DIVIDED))
            .ownModel(100 * equation8(medium, 2)),
        at("§VI-A", "utilisation with one relay, 64 Mbit/s, 64 ms, 0.1 %")
            .above("%", 80, 100 * utilisation(fast, 1, UNCHANGED))
            .ownModel(100 * publishedUtilisation(fast, 1))
            .because(
                "%s %% with the loss divided"
                    .formatted(PublishedFigure.figure(100 * utilisation(fast, 1, DIVIDED)))),
        at("§VI-A", "utilisation with one relay, 128 Mbit/s, 32 ms, 0.1 %")
            .above("%", 80, 100 * utilisation(faster, 1, UNCHANGED))
            .ownModel(100 * publishedUtilisation(faster, 1))
            .because("the same bandwidth-delay product"),
        at(
                "§VI-A, Fig. 5",
                "the printed formula's rate over capacity, 128 Mbit/s, 32 ms, 0.001 %: it overestimates")
            .above("%", 100, 100 * utilisation(clean, 0, UNCHANGED))
            .ownModel(100 * publishedUtilisation(clean, 0))
            .within(0)
            .because("the corrected model is capped, so it does not overestimate"),
        at("§V-A.1", "rate at 128 Mbit/s over that at 32 Mbit/s, 64 ms, 0.1 %, direct")
            .below(
                "×",
                1,
                4
                    * utilisation(path(128, 64, 0.1), 0, UNCHANGED)
                    / utilisation(medium, 0, UNCHANGED))
            .ownModel(
                4 * publishedUtilisation(path(128, 64, 0.1), 0) / publishedUtilisation(medium, 0))
            .because(
                "the source reports a slight decrease without a figure; Mathis' formula has no capacity and predicts none"));
  }

  private static List<PublishedFigure> losses() {
    Hop lossy = path(32, 64, 1);
    double none = utilisation(lossy, 0, UNCHANGED);
    double one = utilisation(lossy, 1, UNCHANGED);
    double two = utilisation(lossy, 2, UNCHANGED);
    Hop light = path(32, 64, 0.01);
    Hop lighter = path(32, 128, 0.01);
    Hop almostClean = path(128, 256, 0.001);
    Hop reallyClean = almostClean.withLoss(0);
    return List.of(
        at(
                "§V-A.4, Fig. 3",
                "utilisation added by the second relay over that added by the first, 32 Mbit/s, 64 ms, 1 %")
            .of("×", 1, (two - one) / (one - none))
            .ownModel(1),
        at("§V-A.4, Fig. 3", "the same at 0.01 %: little, because the link is full")
            .of(
                "×",
                0,
                (utilisation(light, 2, UNCHANGED) - utilisation(light, 1, UNCHANGED))
                    / (utilisation(light, 1, UNCHANGED) - utilisation(light, 0, UNCHANGED)))
            .ownModel(1)
            .because("equations 5 and 6 have no cap"),
        at(
                "§V-A.4, Fig. 3",
                "two relays over one, 32 Mbit/s, 128 ms, 0.01 %: less, which the paper calls an anomaly")
            .below("×", 1, utilisation(lighter, 2, UNCHANGED) / utilisation(lighter, 1, UNCHANGED))
            .ownModel(1.5)
            .within(0)
            .because(
                "the paper's explanation is that the sender congests itself, which no model here contains"),
        at(
                "§V-A.4",
                "gain of one relay without loss, 256 ms, taken as 0.001 % as Fig. 5 does, 128 Mbit/s")
            .of("×", 2, gain(almostClean, 1, UNCHANGED))
            .ownModel(publishedGain(almostClean, 1)),
        at("§V-A.4", "the same with no loss at all")
            .of("×", 2, gain(reallyClean, 1, UNCHANGED))
            .because(
                "in the steady state both fill the link, so the paper must have measured windows that still grew"));
  }
}
