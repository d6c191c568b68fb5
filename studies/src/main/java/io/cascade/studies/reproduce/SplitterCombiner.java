package io.cascade.studies.reproduce;

import static io.cascade.studies.reproduce.PublishedFigure.at;

import io.cascade.model.multipath.WaterFilling;
import io.cascade.model.tcp.Framing;
import java.util.ArrayList;
import java.util.List;

/**
 * Ayar, Rathke and Budzisz, "A splitter/combiner architecture for TCP over multiple paths": paths
 * of 1.544 Mbit/s with different round trips, to which packets are assigned one by one.
 */
final class SplitterCombiner {

  private static final double LINK_BITS_PER_SECOND = 1.544e6;
  private static final double SECONDS = 600;
  private static final double[] DELAY_SECONDS = {0.01, 0.17, 0.33};
  private static final double PAYLOAD_RATE =
      Framing.ETHERNET_1500.payloadShare() * LINK_BITS_PER_SECOND;

  private SplitterCombiner() {}

  static Section section() {
    double bytes = PAYLOAD_RATE * SECONDS / 8;
    double reorderBits =
        PAYLOAD_RATE * (DELAY_SECONDS[2] - DELAY_SECONDS[0])
            + PAYLOAD_RATE * (DELAY_SECONDS[2] - DELAY_SECONDS[1]);
    double threeDuplicates = 3 * 8 * Framing.ETHERNET_1500.mssBytes() / PAYLOAD_RATE;
    return new Section(
        "Splitter/combiner",
        """
        This source has no model of rates. It is compared with water-filling over the paths (`WaterFilling`), each at the payload
        share of 1.544 Mbit/s, for a download of 600 s and round trips of 40, 200 and 360 ms.
        """,
        List.of(
            at("§6.1", "goodput of one path, in Mbit/s")
                .of("Mbit/s", 1.40, PAYLOAD_RATE / 1e6)
                .within(0.05),
            at("§6.1", "gain of two paths, in percent")
                .between("%", 76, 98, 100 * (gain(2, bytes) - 1))
                .within(0.05)
                .because("the model has no estimation errors, so its value is at the upper end"),
            at("§6.1", "gain of three paths, in percent")
                .between("%", 125, 197, 100 * (gain(3, bytes) - 1))
                .within(0.05)
                .because("for the same reason"),
            at(
                    "Table 6.2",
                    "reordering buffer that the receiver needs for three paths, of its 524,288 bytes, in KiB")
                .below("KiB", 512, reorderBits / 8 / 1024)
                .because("so the buffer did not limit the gain"),
            at(
                    "§6.1",
                    "least difference in delay at which round robin causes three duplicate acknowledgements, in ms: 40 is too much")
                .below("ms", 40, 1_000 * threeDuplicates)
                .because(
                    "below it the sender detects no spurious loss; above it plain round robin is slower than one path, unless the stack detects reordering")),
        List.of(),
        "");
  }

  private static double gain(int paths, double bytes) {
    List<WaterFilling.Path> ways = new ArrayList<>();
    for (int path = 0; path < paths; path++) {
      ways.add(new WaterFilling.Path(PAYLOAD_RATE, DELAY_SECONDS[path]));
    }
    long size = Math.round(bytes);
    return WaterFilling.of(size, ways.subList(0, 1)).seconds()
        / WaterFilling.of(size, ways).seconds();
  }
}
