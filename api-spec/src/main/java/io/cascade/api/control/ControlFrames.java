package io.cascade.api.control;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Sends messages of several threads over one connection, their frames in turns. */
public final class ControlFrames {
  private final Sink sink;

  /** Fair: a thread that has many frames to send waits behind those that came meanwhile. */
  private final ReentrantLock turn = new ReentrantLock(true);

  public ControlFrames(Sink sink) {
    this.sink = sink;
  }

  /** Takes the frames. */
  @FunctionalInterface
  public interface Sink {
    /**
     * Sends a frame, and blocks until it is taken. Is called by one thread at a time.
     *
     * @throws IOException where the connection has ended
     */
    void send(ByteBuffer frame) throws IOException;
  }

  /**
   * Sends a message. What is begun is sent whole: the sink ends a connection that takes nothing.
   *
   * @param deadline of {@link System#nanoTime}, for the first frame's turn
   * @return false where it had no turn until then; nothing is sent
   * @throws IOException where the connection has ended
   */
  public boolean send(ControlMessage message, long deadline)
      throws IOException, InterruptedException {
    boolean isBegun = false;
    for (ByteBuffer frame : message.frames()) {
      if (isBegun) {
        turn.lock();
      } else if (!turn.tryLock(Math.max(deadline - System.nanoTime(), 0), TimeUnit.NANOSECONDS)) {
        return false;
      }
      try {
        sink.send(frame);
      } finally {
        turn.unlock();
      }
      isBegun = true;
    }
    return true;
  }
}
