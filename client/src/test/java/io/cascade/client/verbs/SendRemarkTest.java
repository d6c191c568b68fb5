package io.cascade.client.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.TransferAccount;
import io.cascade.api.orchestrator.TransferLimit;
import io.cascade.client.transfer.Bottleneck;
import io.cascade.client.transfer.Sent;
import io.cascade.client.transfer.content.Sha256;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class SendRemarkTest {
  private static final Duration LONG = Duration.ofSeconds(10);

  @Test
  void lossesThatHoldALossBasedControlBackAreNamedWithTheirRemedy() {
    assertThat(remark(LONG, account("cubic", 5, 161.0, TransferLimit.NETWORK), true))
        .isEqualTo(
            "0.50 % of the packets were lost before any queue stood, which cubic takes for a full"
                + " link; faster: modprobe tcp_bbr, and name bbr in"
                + " net.ipv4.tcp_allowed_congestion_control");
  }

  @Test
  void aControlThatTheUserForbadeIsTheUsersToAllow() {
    assertThat(remark(LONG, account("cubic", 5, 161.0, TransferLimit.NETWORK), false))
        .endsWith("faster: allow bbr with --controls");
  }

  @Test
  void lossesThatBbrToleratesLeaveCodedSessionsToTry() {
    assertThat(remark(LONG, account("bbr", 5, 161.0, TransferLimit.NETWORK), true))
        .endsWith("faster: let UDP through to the receiver's port, for coded sessions");
  }

  @Test
  void aQueueSaysThatTheLinkIsFullWhateverWasLost() {
    assertThat(remark(LONG, account("cubic", 5, 240.0, TransferLimit.NETWORK), true))
        .isEqualTo("the link was full: 80.0 ms stood in its queue, on a round trip of 160 ms");
  }

  @Test
  void whatIsNotTheNetworksIsNamed() {
    assertThat(remark(LONG, account("cubic", 0, 161.0, TransferLimit.RECEIVER), true))
        .startsWith("the receiver took it no faster");
    assertThat(remark(LONG, account("cubic", 0, 161.0, TransferLimit.SENDER_BUFFER), true))
        .startsWith("this host's send buffer was full");
    assertThat(remark(LONG, account("cubic", 0, 161.0, TransferLimit.APPLICATION), true))
        .startsWith("this host made the bytes ready more slowly");
  }

  @Test
  void theDiskIsToldFromTheProcessorAndFromTheFarEnd() {
    TransferAccount application = account("cubic", 0, 161.0, TransferLimit.APPLICATION);
    assertThat(remark(application, Bottleneck.DISK)).startsWith("this host's disk");
    assertThat(remark(application, Bottleneck.FAR_END)).startsWith("the receiver stored");
    assertThat(remark(application, Bottleneck.PATH)).endsWith("carried them: its processor");
    assertThat(remark(null, Bottleneck.DISK)).as("several ways").startsWith("this host's disk");
    assertThat(remark(account("cubic", 0, 161.0, TransferLimit.RECEIVER), Bottleneck.PATH))
        .startsWith("the receiver took it no faster: its largest receive buffer");
  }

  private static String remark(@Nullable TransferAccount account, Bottleneck slow) {
    Sent sent = new Sent(1 << 24, 1 << 24, new Sha256(new byte[Sha256.BYTES]), LONG, account, slow);
    SendReport report =
        SendReport.of("DIRECT", List.of(), "asked for", sent, null, null, null, true);
    return new SendRemark(report, true).sentence().orElse("");
  }

  @Test
  void nothingIsSaidOfATransferThatShowsNothing() {
    assertThat(remark(LONG, account("cubic", 0, 161.0, TransferLimit.NETWORK), true)).isEmpty();
    assertThat(remark(LONG, null, true)).isEmpty();
    assertThat(
            remark(Duration.ofSeconds(2), account("cubic", 5, 161.0, TransferLimit.NETWORK), true))
        .isEmpty();
  }

  private static String remark(
      Duration time, @Nullable TransferAccount account, boolean changesControl) {
    Sent sent = new Sent(1 << 24, 1 << 24, new Sha256(new byte[Sha256.BYTES]), time, account);
    SendReport report =
        SendReport.of("DIRECT", List.of(), "asked for", sent, null, null, null, true);
    return new SendRemark(report, changesControl).sentence().orElse("");
  }

  private static TransferAccount account(
      String control, long again, double loadedRttMillis, TransferLimit limit) {
    return TransferAccount.builder()
        .seconds(10.0)
        .steadyBitsPerSecond(8e6)
        .sentSegments(1_500L)
        .retransmittedSegments(again)
        .steadySentSegments(1_000L)
        .steadyRetransmittedSegments(again)
        .minRttMillis(160.0)
        .loadedRttMillis(loadedRttMillis)
        .congestionControl(control)
        .limitedBy(limit)
        .steadyLossEvents(again)
        .build();
  }
}
