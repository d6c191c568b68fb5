package io.cascade.testbed.report;

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
                  "[A published grid of split connections](split-connections.md), beside the model.")),
          List.of(
              new OtherPage(
                  "real-topologies.md",
                  "[Choosing relays between cloud regions](real-topologies.md), computed on"
                      + " published measurements by `./cascade reproduce topologies`."),
              new OtherPage(
                  "2026-11-24-planner-speed.md",
                  "[What a plan costs](2026-11-24-planner-speed.md) with up to 10,000"
                      + " relays.")),
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
                      + " `./cascade reproduce coded-lab`."),
              new OtherPage(
                  "2026-11-26-coded-lab.md",
                  "[The same on 26 November](2026-11-26-coded-lab.md), also at 10 Mbit/s."),
              new OtherPage(
                  "2026-11-26-coding-lab-notes.md",
                  "[What the lab showed of them](2026-11-26-coding-lab-notes.md), until 27"
                      + " November."),
              new OtherPage(
                  "2026-11-25-coded-paths.md",
                  "[A session whose path changes](2026-11-25-coded-paths.md)."),
              new OtherPage(
                  "2026-11-25-coded-chain.md",
                  "[One chain over a coded hop](2026-11-25-coded-chain.md)."),
              new OtherPage(
                  "2026-11-27-coded-chosen.md",
                  "[Coded hops that a plan chooses](2026-11-27-coded-chosen.md).")),
          List.of(
              new OtherPage(
                  "splitter-combiner.md",
                  "[The splitter/combiner](splitter-combiner.md): one connection over"
                      + " several paths, split below TCP, by `./cascade reproduce"
                      + " splitter-combiner`."),
              new OtherPage(
                  "2026-11-25-splitter-combiner.md",
                  "[The same on 25 November](2026-11-25-splitter-combiner.md), also with three"
                      + " pipes."),
              new OtherPage(
                  "2026-11-25-splitter-odd-cells.md",
                  "[Odd cells again](2026-11-25-splitter-odd-cells.md)."),
              new OtherPage(
                  "2026-11-26-splitter-deaths.md",
                  "[What a pipe's death costs](2026-11-26-splitter-deaths.md), by `--deaths"
                      + " 1`."),
              new OtherPage(
                  "2026-11-28-measured-pairs.md",
                  "[Pairs that measure their paths](2026-11-28-measured-pairs.md), before and"
                      + " after a fault was mended.")),
          List.of(
              new OtherPage(
                  "tcp-nc-tunnel.md",
                  "[The tunnel between gateways](tcp-nc-tunnel.md): packets over lossy"
                      + " links, by `./cascade reproduce tcp-nc-tunnel`."),
              new OtherPage(
                  "2026-11-25-tcp-nc-tunnel.md",
                  "[The tunnel between gateways on 25"
                      + " November](2026-11-25-tcp-nc-tunnel.md): packets over lossy links."),
              new OtherPage(
                  "2026-11-26-tunnel.md",
                  "[A busy processor, and restarts](2026-11-26-tunnel.md).")),
          List.of(
              new OtherPage(
                  "measured.md",
                  "[The report card on measured inputs](measured.md): what `send` did on"
                      + " emulated paths of which it was told nothing, by `./cascade reproduce"
                      + " measured`."),
              new OtherPage(
                  "2026-11-24-measured.md", "[How it was taken at first](2026-11-24-measured.md)."),
              new OtherPage(
                  "2026-11-25-measured.md",
                  "[How it was taken again](2026-11-25-measured.md), and"),
              new OtherPage(
                  "2026-11-25-measured-card.md", "[its card](2026-11-25-measured-card.md)."),
              new OtherPage(
                  "2026-11-26-measured.md", "[What the latest one shows](2026-11-26-measured.md)."),
              new OtherPage(
                  "2026-11-25-send-both-ways.md",
                  "[What changed when `send` kept both ways](2026-11-25-send-both-ways.md)."),
              new OtherPage(
                  "2026-11-26-networks.md",
                  "[What it does on three networks](2026-11-26-networks.md).")),
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
                      + " everything and ends that are killed, by `./cascade reproduce transfers`.")),
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
              new OtherPage(
                  "2026-11-24-data-plane.md",
                  "[What was tried by hand](2026-11-24-data-plane.md)."),
              new OtherPage(
                  "2026-11-23-kernel-buffers.md",
                  "[How much of a socket's buffers is data](2026-11-23-kernel-buffers.md)."),
              new OtherPage("soak/soak.md", "[Ten minutes of soak](soak/soak.md).")),
          List.of(
              new OtherPage(
                  "segments.md",
                  "[Streams over two pipes while relays die](segments.md), by `./cascade"
                      + " reproduce survival`."),
              new OtherPage(
                  "multipath.md",
                  "[What several paths carry](multipath.md), by `./cascade reproduce"
                      + " multipath`.")));

  /** Writes a paragraph on those of some pages that the folder has; blank where it has none. */
  static String paragraph(List<OtherPage> pages, Path folder) {
    return pages.stream()
        .filter(page -> Files.exists(folder.resolve(page.file)))
        .map(OtherPage::sentence)
        .collect(Collectors.joining(" "));
  }
}
