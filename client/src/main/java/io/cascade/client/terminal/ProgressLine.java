package io.cascade.client.terminal;

import io.cascade.client.transfer.Bottleneck;
import io.cascade.client.transfer.TransferListener;
import io.cascade.client.transfer.wire.TransferHeader;
import io.cascade.command.Printable;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import org.jspecify.annotations.Nullable;

/** Shows a transfer's progress as one line on stderr that redraws itself. */
public final class ProgressLine implements TransferListener {
  private static final int USUAL_COLUMNS = 100;

  private final String task;
  private final Supplier<ProgressBarConsumer> drawnOn;
  private final LongSupplier nanoTime;
  private volatile @Nullable Drawn drawn;

  /** A bar, and the pace that supplies its rate and time left. */
  private record Drawn(ProgressBar bar, ProgressPace pace) {}

  /**
   * @param drawnOn is given lines that overwrite each other
   * @param nanoTime as {@link System#nanoTime}
   */
  ProgressLine(String task, Supplier<ProgressBarConsumer> drawnOn, LongSupplier nanoTime) {
    this.task = task;
    this.drawnOn = drawnOn;
    this.nanoTime = nanoTime;
  }

  /**
   * A progress line if there is a terminal, otherwise a listener that does nothing.
   *
   * @param wanted true always draws the line, false never, null if stderr is a terminal
   */
  public static TransferListener of(String task, @Nullable Boolean wanted) {
    boolean terminal = Boolean.getBoolean("cascade.terminal"); // Set by the launcher.
    return (wanted == null ? terminal : wanted)
        ? new ProgressLine(Printable.line(task), ProgressLine::stderr, System::nanoTime)
        : SILENT;
  }

  /** With a width and a stream, the bar does not look for a terminal itself. */
  private static ProgressBarConsumer stderr() {
    PrintStream err =
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    return new ConsoleProgressBarConsumer(
        err, Integer.getInteger("cascade.columns", USUAL_COLUMNS) - 1);
  }

  @Override
  public synchronized void started(TransferHeader header) {
    ProgressPace pace = new ProgressPace();
    ProgressBar bar =
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(header.sizeKnown() ? Math.max(1, header.size()) : -1)
            .setUpdateIntervalMillis(200)
            .setRenderer(new PacedRenderer(pace, nanoTime))
            .setConsumer(drawnOn.get())
            .build();
    drawn = new Drawn(bar, pace);
  }

  @Override
  public void moved(long bytes) {
    Drawn now = drawn;
    if (now != null) {
      now.pace().moved(bytes, nanoTime.getAsLong());
      now.bar().stepTo(bytes);
    }
  }

  @Override
  public void slowedBy(@Nullable Bottleneck what) {
    Drawn now = drawn;
    if (now != null) {
      now.bar().setExtraMessage(what == null ? "" : " slow: " + what.words());
    }
  }

  @Override
  public synchronized void ended() {
    Drawn last = drawn;
    drawn = null;
    if (last != null) {
      last.bar().close();
    }
  }
}
