package io.cascade.client.terminal;

import io.cascade.client.transfer.Bottleneck;
import io.cascade.client.transfer.TransferListener;
import io.cascade.client.transfer.wire.TransferHeader;
import io.cascade.command.Printable;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** A transfer's progress as one line on stderr that redraws itself. */
public final class ProgressLine implements TransferListener {
  private static final int USUAL_COLUMNS = 100;
  private static final long MIB = 1 << 20;

  private final String task;
  private @Nullable ProgressBar bar;

  private ProgressLine(String task) {
    this.task = task;
  }

  /**
   * A line where there is a terminal to draw it on, else silence.
   *
   * @param wanted true draws it anyway, false never, null as the terminal is
   */
  public static TransferListener of(String task, @Nullable Boolean wanted) {
    boolean terminal = Boolean.getBoolean("cascade.terminal"); // Said by the launcher.
    return (wanted == null ? terminal : wanted) ? new ProgressLine(Printable.line(task)) : SILENT;
  }

  @Override
  public synchronized void started(TransferHeader header) {
    // Given a width and a stream, the bar does not look for a terminal of its own.
    PrintStream err =
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    bar =
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(header.sizeKnown() ? Math.max(1, header.size()) : -1)
            .setUnit(" MiB", MIB)
            .setUpdateIntervalMillis(200)
            .setStyle(ProgressBarStyle.ASCII)
            .showSpeed(new java.text.DecimalFormat("#.0"))
            .setConsumer(
                new ConsoleProgressBarConsumer(
                    err, Integer.getInteger("cascade.columns", USUAL_COLUMNS) - 1))
            .build();
  }

  @Override
  public void moved(long bytes) {
    ProgressBar drawn = bar;
    if (drawn != null) {
      drawn.stepTo(bytes);
    }
  }

  @Override
  public void slowedBy(@Nullable Bottleneck what) {
    ProgressBar drawn = bar;
    if (drawn != null) {
      drawn.setExtraMessage(what == null ? "" : " slow: " + what.words());
    }
  }

  @Override
  public synchronized void ended() {
    ProgressBar drawn = bar;
    bar = null;
    if (drawn != null) {
      drawn.close();
    }
  }
}
