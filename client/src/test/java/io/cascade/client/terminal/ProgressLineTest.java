package io.cascade.client.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.client.transfer.wire.TransferHeader;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProgressLineTest {
  private static final long MIB = 1 << 20;
  private static final long SIZE = 10_240 * MIB;

  private final AtomicLong nanoTime = new AtomicLong();
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final ProgressLine line =
      new ProgressLine(
          "file", () -> new DelegatingProgressBarConsumer(lines::add, 120), nanoTime::get);

  @Test
  void inTheFirstSecondThereIsNeitherARateNorATimeLeft() {
    line.started(new TransferHeader("file", SIZE));
    line.moved(0);
    line.moved(MIB / 64);
    pass(900);
    line.moved(MIB / 32);
    line.ended();

    assertThat(lines).isNotEmpty().allMatch(drawn -> drawn.endsWith(" / ?) ? MiB/s"));
  }

  @Test
  void aResumedTransferHasTheRateOfWhatIsSent() {
    line.started(new TransferHeader("file", SIZE));
    line.moved(9_216 * MIB);
    line.moved(9_217 * MIB);
    pass(2_000);
    line.moved(9_237 * MIB);
    line.ended();

    assertThat(lines.getLast()).contains(" 9237/10240 MiB (").endsWith(" / 0:01:40) 10.0 MiB/s");
  }

  @Test
  void ofAStreamWithoutASizeNoTimeIsLeft() {
    line.started(new TransferHeader("stdin", TransferHeader.UNKNOWN_SIZE));
    line.moved(0);
    line.moved(MIB);
    pass(2_000);
    line.moved(21 * MIB);
    line.ended();

    assertThat(lines.getLast()).endsWith(" / ?) 10.0 MiB/s");
  }

  private void pass(long millis) {
    nanoTime.addAndGet(millis * 1_000_000);
  }
}
