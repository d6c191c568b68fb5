package io.cascade.studies.reproduce;

import static io.cascade.studies.reproduce.PublishedFigure.at;

import io.cascade.model.cascade.PacketRedundancy;
import io.cascade.model.tcp.PathConditions;
import java.util.List;

/** The TCP/NC tunnel over cascaded gateways: blocks of n packets sent as m coded ones. */
final class CodedTunnel {

  private static final double RECOVERY = 0.9;
  private static final double LINK_LOSS = 0.1;
  private static final double PACKET_BYTES = 1_000;
  private static final double IP_AND_TCP_BYTES = 40;

  private CodedTunnel() {}

  static Section section() {
    PathConditions link = PathConditions.uncapped(0.02, LINK_LOSS, 1_000);
    double both = link.then(link).lossProbability();
    PacketRedundancy perLink = new PacketRedundancy(LINK_LOSS, RECOVERY);
    PacketRedundancy endToEnd = new PacketRedundancy(both, RECOVERY);
    double cascaded = 40.0 / perLink.packetsFor(40);
    double single = 25.0 / endToEnd.packetsFor(25);
    return new Section(
        "TCP/NC tunnel",
        """
        The source's rule: m is the smallest number of coded packets of which at most m − n are lost with a probability of 0.9.
        "As published" is the source's formula for the loss of two links. Losses here are independent; the source estimates losses
        and their bursts from the packets that arrive.
        """,
        List.of(
            at("§4", "loss over both links at 10 % each")
                .of("%", 19, 100 * both)
                .ownModel(100 * (LINK_LOSS + LINK_LOSS * (1 - LINK_LOSS)))
                .within(0.001),
            at("§4", "m for n = 40 over one link of 10 % (first gateway, cascaded)")
                .of("", 47, perLink.packetsFor(40))
                .within(0),
            at("§4", "m for n = 25 over both links, 19 % (single tunnel, and end to end)")
                .of("", 35, endToEnd.packetsFor(25))
                .within(0)
                .because(
                    "the rule yields 34 at 19 % and 35 at 20 %; the source uses an estimate of the loss"),
            at("§4", "m for n = 23 over both links (end to end, four flows)")
                .of("", 33, endToEnd.packetsFor(23))
                .within(0)
                .because("congestion causes further losses"),
            at("§4", "m for n = 30 over one link (second gateway, one flow)")
                .of("", 40, perLink.packetsFor(30))
                .within(0)
                .because(
                    "the source says that this gateway's estimate is inaccurate, because packets arrive with gaps"),
            at("§4", "redundancy m/n of the cascaded tunnel over that of the single one")
                .of("×", (47.0 / 40) / (35.0 / 25), single / cascaded)
                .because("the link capacity that coding per hop saves"),
            at("§4", "encapsulation overhead")
                .of("%", 4, 100 * IP_AND_TCP_BYTES / PACKET_BYTES)
                .ofOwnNumbers()
                .because("40 bytes of IP and TCP headers around packets of 1,000 bytes")),
        List.of(),
        "");
  }
}
