package io.cascade.lab.demo;

import io.cascade.command.DataSize;
import io.cascade.lab.demo.LoopbackReport.RelayTraffic;
import io.cascade.lab.demo.LoopbackReport.TransferReport;
import java.util.List;

/** Conditions that hold after the demonstration's transfer. */
final class DemoChecks {
  private DemoChecks() {}

  /**
   * @param relays in the chain
   * @param budgetBytes most bytes that a relay may hold of a stream
   */
  static List<Check> of(
      TransferReport transfer, List<RelayTraffic> traffic, int relays, long budgetBytes) {
    return List.of(
        new Check(
            "both digests are the same", transfer.sha256Sent().equals(transfer.sha256Received())),
        new Check(
            "the file that arrived has " + transfer.bytes() + " bytes",
            transfer.receivedBytes() == transfer.bytes()),
        new Check(
            "every relay saw the stream to its end",
            traffic.size() == relays
                && traffic.stream().allMatch(relay -> relay.state().equals("COMPLETED"))),
        new Check(
            "every relay took in and gave out the %d bytes that were sent (file, header, block lengths, digest)"
                .formatted(transfer.wireBytes()),
            traffic.stream().allMatch(relay -> lostNothing(relay, transfer.wireBytes()))),
        new Check(
            "no relay ever held more than %s of the stream".formatted(DataSize.format(budgetBytes)),
            traffic.stream().allMatch(relay -> relay.peakHeldBytes() <= budgetBytes)));
  }

  private static boolean lostNothing(RelayTraffic relay, long wireBytes) {
    return relay.forwardBytesIn() == wireBytes
        && relay.forwardBytesOut() == wireBytes
        && relay.backwardBytesIn() == relay.backwardBytesOut();
  }
}
