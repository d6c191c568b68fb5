package io.cascade.studies.report;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A page in the folder that does not come from an experiment file.
 *
 * @param file name relative to the folder
 * @param sentence entry of the index, with the link
 */
record OtherPage(String file, String sentence) {
  private static final Pattern LINK = Pattern.compile(".*?]\\(([^)]+)\\).*");

  /** All such pages, by paragraph of the index. */
  static final List<List<OtherPage>> PARAGRAPHS =
      Stream.of(
              """
              [The published figures beside the model](model.md), computed and not measured.
              [A published grid of split connections beside the model](split-connections.md).

              [Choosing relays between cloud regions](real-topologies.md), computed on published measurements by `./cascade reproduce topologies`.

              [A relay's hop beside another connection](fairness.md), by `./cascade reproduce fairness`.
              [A running stream beside a test of its link](running-stream.md), by `./cascade reproduce running-stream`.

              [Coded hops](coded-hops.md), simulated and not measured, by `./cascade reproduce coded-hops`.
              [Coded sessions in the lab](coded-lab.md), beside the kernel's TCP, by `./cascade reproduce coded-lab`.

              [The splitter/combiner](splitter-combiner.md): one connection over several paths, split below TCP, by `./cascade reproduce splitter-combiner`.

              [The tunnel between gateways](tcp-nc-tunnel.md): packets over lossy links, by `./cascade reproduce tcp-nc-tunnel`.

              [The report card on measured inputs](measured.md): what `send` did on emulated paths without any information about them, by `./cascade reproduce measured`.

              [`send` beside its alternatives](rivals.md): plain TCP, BBR, eight connections, croc, uftp and the bound of the link, by `./cascade reproduce rivals`.

              [Transfers beside rsync, scp, croc and rclone](transfers.md): copies of files and trees, and ends that are killed, by `./cascade reproduce transfers`.
              [What `send` leaves to another connection](sharing.md) on the same links, by `./cascade reproduce sharing`.

              [The relay beside other proxies](bench.md) on one machine, by `./cascade reproduce bench`.
              [The same beside proxies that read as many bytes at a time](peers/bench.md).
              [What the relay allocates, and its figures with two processors](allocations/bench.md).
              [Two hours of soak](soak/soak.md).

              [Streams over two pipes while relays die](segments.md), by `./cascade reproduce survival`.
              [What several paths carry](multipath.md), by `./cascade reproduce multipath`.

              [A control plane with a thousand relays](control-plane.md), simulated over loopback, by `./cascade reproduce control-plane`.
              """
                  .split("\n\n"))
          .map(paragraph -> paragraph.lines().map(OtherPage::of).toList())
          .toList();

  private static OtherPage of(String sentence) {
    return new OtherPage(LINK.matcher(sentence).replaceFirst("$1"), sentence);
  }

  /** Joins the entries of those pages that the folder has; blank if it has none. */
  static String paragraph(List<OtherPage> pages, Path folder) {
    return pages.stream()
        .filter(page -> Files.exists(folder.resolve(page.file)))
        .map(OtherPage::sentence)
        .collect(Collectors.joining(" "));
  }
}
