package io.cascade.studies.measured;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A network between a client and a server, described by its factors. {@link PathNetwork} builds it.
 *
 * @param number from 1 within a campaign
 * @param seed of the links' losses and of the file
 * @param control congestion control of client and server
 * @param relayControl congestion control at the relays' sites
 * @param megabits rate of the slowest link, in Mbit/s of IP packets
 * @param rttMillis round trip of the direct way without queues
 * @param loss of the direct way towards the server, 0 to 1
 * @param burst mean number of consecutive packets that are lost; 1 for independent losses
 * @param lossBothWays whether the direction to the client has the same loss
 * @param lossAt links of the way that have the loss
 * @param layout of the relays
 * @param detour round trip through a relay off the path over the direct one's, at least 1
 * @param detourLoss loss of the way through relays off the path over the direct one's
 * @param bottleneck links that have {@code megabits}; the others have more
 * @param ends whether relays run on the hosts of client and server
 * @param places of the relays between client and server, as shares of the path, ascending
 */
record EmulatedPath(
    int number,
    long seed,
    String control,
    String relayControl,
    double megabits,
    double rttMillis,
    double loss,
    double burst,
    boolean lossBothWays,
    LossAt lossAt,
    Layout layout,
    double detour,
    double detourLoss,
    Bottleneck bottleneck,
    Ends ends,
    List<Double> places) {

  /** The links of a way that have its loss. */
  enum LossAt {
    EVENLY,
    FIRST_LINK,
    LAST_LINK
  }

  /** Whether the direct way crosses the same links as the hops of relays. */
  enum Layout {
    ON_PATH,
    OFF_PATH
  }

  /** The slowest link. */
  enum Bottleneck {
    NONE,
    CLIENT,
    SERVER
  }

  /** Whether a relay runs on the client's and on the server's host. */
  enum Ends {
    BARE,
    RELAYS
  }

  /** Copies the list. */
  EmulatedPath {
    places = List.copyOf(places);
  }

  /** Relays between client and server, in the order of the path. */
  List<String> relays() {
    return IntStream.rangeClosed(1, places.size()).mapToObj(i -> "r" + i).toList();
  }

  /** Key of the path in result files. */
  String key() {
    return number + "/" + seed;
  }

  /** Describes the path in a table. */
  String words() {
    return String.format(
        Locale.ROOT,
        "%s, %.0f Mbit/s%s, %.0f ms, %s loss%s%s, %s at %s%s%s",
        control.equals(relayControl) ? control : control + ", relays " + relayControl,
        megabits,
        switch (bottleneck) {
          case NONE -> "";
          case CLIENT -> " at the client";
          case SERVER -> " at the server";
        },
        rttMillis,
        loss == 0 ? "no" : String.format(Locale.ROOT, "%.2g %%", 100 * loss),
        loss == 0 || burst == 1 ? "" : String.format(Locale.ROOT, " in bursts of %.0f", burst),
        loss == 0
            ? ""
            : switch (lossAt) {
              case EVENLY -> "";
              case FIRST_LINK -> " on the first link";
              case LAST_LINK -> " on the last link";
            },
        places.size() == 1 ? "relay" : places.size() + " relays",
        places.stream()
            .map(place -> String.format(Locale.ROOT, "%.0f", 100 * place))
            .collect(Collectors.joining(", ", "", " %")),
        layout == Layout.ON_PATH
            ? ""
            : String.format(
                Locale.ROOT,
                " off the path (%.2f times the round trip, %.2f times the loss)",
                detour,
                detourLoss),
        ends == Ends.BARE ? "" : ", relays at both ends");
  }
}
