package io.cascade.api.control;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Sends messages of several threads over one connection, with their frames interleaved. */
public final class ControlFrames {
  private final Sink sink;

  /** Fair: a thread with many frames waits after each for the threads that arrived meanwhile. */
  private final ReentrantLock turn = new ReentrantLock(true);

  public ControlFrames(Sink sink) {
    this.sink = sink;
  }

  /** Receiver of the frames. */
  @FunctionalInterface
  public interface Sink {
    /**
     * Sends a frame, and blocks until it is accepted. Is called by one thread at a time.
     *
     * @throws IOException if the connection has ended
     */
    void send(ByteBuffer frame) throws IOException;
  }

  /**
   * Sends a message. A message that has begun is sent completely: the sink ends a connection that
   * accepts nothing.
   *
   * @param deadline of {@link System#nanoTime}, until which the first frame waits for its turn
   * @return false if it had no turn by then; nothing was sent
   * @throws IOException if the connection has ended
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
