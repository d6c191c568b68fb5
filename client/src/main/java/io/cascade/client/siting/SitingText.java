package io.cascade.client.siting;

import io.cascade.client.terminal.Table;
import io.cascade.contract.Quantities;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Prints a choice of sites for people. */
public final class SitingText {
  private SitingText() {}

  public static void print(SitingDocument siting, int candidates, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "Rent %d of %d candidates for %s an hour: %s.%n",
        siting.sites().size(),
        candidates,
        number(siting.pricePerHour()),
        proof(siting));
    out.printf(
        Locale.ROOT,
        "%d of %d demands are served; %s.%n",
        siting.served(),
        siting.demands(),
        siting.inSeconds()
            ? Quantities.seconds(siting.gain()) + " saved over direct, by weight"
            : number(siting.gain()) + " gained over direct rates, by weight");
    if (!siting.method().equals("greedy")) {
      out.println(greedy(siting));
    }
    if (!siting.sites().isEmpty()) {
      out.println();
      Table sites = new Table("site", ">price/h", ">lost without it", "");
      for (SitingDocument.Rented site : siting.sites()) {
        sites.row(
            site.name(),
            number(site.pricePerHour()),
            siting.inSeconds() ? Quantities.seconds(site.gainLost()) : number(site.gainLost()),
            site.servedLost() == 0 ? "" : "and " + site.servedLost() + " demands unserved");
      }
      sites.print(out);
    }
    out.println();
    Table ways =
        new Table("from", "to", ">weight", "way", ">rate", ">direct", ">time", ">direct", "");
    for (SitingDocument.Way way : siting.ways()) {
      ways.row(
          way.from(),
          way.to(),
          number(way.weight()),
          way.relays().isEmpty() ? "direct" : "via " + String.join(", ", way.relays()),
          Quantities.rate(way.bitsPerSecond()),
          Quantities.rate(way.directBitsPerSecond()),
          Quantities.seconds(way.seconds()),
          Quantities.seconds(way.directSeconds()),
          way.served() ? "" : "not served");
    }
    ways.print(out);
  }

  private static String proof(SitingDocument siting) {
    if (siting.proven()) {
      return "proven, no other choice within the limits achieves more";
    }
    String most =
        siting.gap() == null
            ? "at most " + siting.servedBound() + " demands could be served"
            : "none could achieve more than " + percentMore(siting.gap()) + " over this";
    return siting.method().equals("greedy")
        ? "chosen one after the other, not proven; " + most
        : "time ran out before the proof; " + most;
  }

  private static String percentMore(double gap) {
    return gap >= 1 ? "any multiple" : Quantities.percent(gap / (1 - gap));
  }

  private static String greedy(SitingDocument siting) {
    @Nullable Double gap = siting.greedyGap();
    if (gap == null) {
      return "One after the other (greedy) serves only " + siting.greedy().served() + ".";
    }
    return gap < 1e-9
        ? "One after the other (greedy) achieves the same."
        : "One after the other (greedy) misses " + Quantities.percent(gap) + " of that.";
  }

  private static String number(double value) {
    String text = String.format(Locale.ROOT, "%.4f", value);
    return text.replaceFirst("\\.?0+$", "");
  }
}
