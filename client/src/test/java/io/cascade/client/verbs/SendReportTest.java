package io.cascade.client.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.client.transfer.Sent;
import io.cascade.client.transfer.content.Sha256;
import io.cascade.client.ways.Share;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reports of what was sent. */
class SendReportTest {
  @Test
  void theRateIsThatOfWhatWasSentAndNotOfWhatWasThereBefore() {
    SendReport report = report(10_000_000, 1_000_000);

    assertThat(report.bitsPerSecond()).isEqualTo(8_000_000);
    assertThat(report.whole().bytes()).isEqualTo(1_000_000);
    assertThat(report.lines().getFirst()).contains("8.58 MiB were there before");
  }

  @Test
  void headersOfBlocksAreNoPartOfTheRate() {
    SendReport report = report(1_000_000, 1_000_100);

    assertThat(report.bitsPerSecond()).isEqualTo(8_000_000);
    assertThat(report.lines().getFirst()).doesNotContain("before");
  }

  @Test
  void whatWentThroughTheRelayOfARendezvousDidNotGoDirectly() {
    Sent sent = new Sent(3 << 20, 3 << 20, new Sha256(new byte[32]), Duration.ofSeconds(1), null);
    SendReport report =
        SendReport.of(
                SendReport.RENDEZVOUS, List.of("r:1"), "it joined", sent, null, null, null, true)
            .carried(
                new Share(1 << 20, 8e6, List.of(), null),
                new Share(2 << 20, 16e6, List.of(), null),
                null);

    assertThat(report.lines())
        .contains(
            "it joined; 1.00 MiB through the relay at 8.00 Mbit/s, 2.00 MiB coded, directly, at"
                + " 16.0 Mbit/s");
  }

  private static SendReport report(long bytes, long wireBytes) {
    Sent sent = new Sent(bytes, wireBytes, new Sha256(new byte[32]), Duration.ofSeconds(1), null);
    return SendReport.of("DIRECT", List.of(), "asked for", sent, null, null, null, true);
  }
}
