package io.cascade.studies.report;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A page of the folder that no file of experiments makes.
 *
 * @param file name relative to the folder
 * @param sentence text about it, with the link
 */
record OtherPage(String file, String sentence) {
  /** All such pages, by paragraph of the index. */
  static final List<List<OtherPage>> PARAGRAPHS =
      List.of(
          List.of(
              new OtherPage(
                  "model.md",
                  "[The published figures beside the model](model.md), computed and not"
                      + " measured."),
              new OtherPage(
                  "split-connections.md",
                  "[A published grid of split connections beside the"
                      + " model](split-connections.md).")),
          List.of(
              new OtherPage(
                  "real-topologies.md",
                  "[Choosing relays between cloud regions](real-topologies.md), computed on"
                      + " published measurements by `./cascade reproduce topologies`.")),
          List.of(
              new OtherPage(
                  "fairness.md",
                  "[A relay's hop beside another connection](fairness.md), by `./cascade"
                      + " reproduce fairness`."),
              new OtherPage(
                  "running-stream.md",
                  "[A running stream beside a test of its link](running-stream.md), by"
                      + " `./cascade reproduce running-stream`.")),
          List.of(
              new OtherPage(
                  "coded-hops.md",
                  "[Coded hops](coded-hops.md), simulated and not measured, by `./cascade"
                      + " reproduce coded-hops`."),
              new OtherPage(
                  "coded-lab.md",
                  "[Coded sessions in the lab](coded-lab.md), beside the kernel's TCP, by"
                      + " `./cascade reproduce coded-lab`.")),
          List.of(
              new OtherPage(
                  "splitter-combiner.md",
                  "[The splitter/combiner](splitter-combiner.md): one connection over"
                      + " several paths, split below TCP, by `./cascade reproduce"
                      + " splitter-combiner`.")),
          List.of(
              new OtherPage(
                  "tcp-nc-tunnel.md",
                  "[The tunnel between gateways](tcp-nc-tunnel.md): packets over lossy"
                      + " links, by `./cascade reproduce tcp-nc-tunnel`.")),
          List.of(
              new OtherPage(
                  "measured.md",
                  "[The report card on measured inputs](measured.md): what `send` did on"
                      + " emulated paths of which it was told nothing, by `./cascade reproduce"
                      + " measured`.")),
          List.of(
              new OtherPage(
                  "rivals.md",
                  "[`send` beside what a user would take instead](rivals.md): plain TCP, BBR,"
                      + " eight connections, croc, uftp and the link, by `./cascade reproduce"
                      + " rivals`.")),
          List.of(
              new OtherPage(
                  "transfers.md",
                  "[Transfers beside rsync, scp, croc and rclone](transfers.md): copies, trees of"
                      + " everything and ends that are killed, by `./cascade reproduce transfers`."),
              new OtherPage(
                  "sharing.md",
                  "[What `send` leaves to others](sharing.md) on the same links, by `./cascade reproduce sharing`.")),
          List.of(
              new OtherPage(
                  "bench.md",
                  "[The relay beside other proxies](bench.md) on one machine, by `./cascade"
                      + " bench`."),
              new OtherPage(
                  "peers/bench.md",
                  "[The same with peers that read as much at a time](peers/bench.md)."),
              new OtherPage(
                  "allocations/bench.md",
                  "[What it allocates, and with two processors](allocations/bench.md)."),
              new OtherPage("soak/soak.md", "[Ten minutes of soak](soak/soak.md).")),
          List.of(
              new OtherPage(
                  "segments.md",
                  "[Streams over two pipes while relays die](segments.md), by `./cascade"
                      + " reproduce survival`."),
              new OtherPage(
                  "multipath.md",
                  "[What several paths carry](multipath.md), by `./cascade reproduce"
                      + " multipath`.")),
          List.of(
              new OtherPage(
                  "control-plane.md",
                  "[A control plane with a thousand relays](control-plane.md), simulated over"
                      + " loopback, by `./cascade reproduce control-plane`.")));

  /** Writes a paragraph on those of some pages that the folder has; blank where it has none. */
  static String paragraph(List<OtherPage> pages, Path folder) {
    return pages.stream()
        .filter(page -> Files.exists(folder.resolve(page.file)))
        .map(OtherPage::sentence)
        .collect(Collectors.joining(" "));
  }
}
