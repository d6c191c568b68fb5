package io.cascade.carriage.transport;

import io.netty.channel.EventLoop;
import java.util.concurrent.RejectedExecutionException;

/** Runs tasks on the event loops of their connections. */
public final class OnLoop {
  private OnLoop() {}

  /**
   * Runs a task on an event loop, at once if the caller is on it. A task for a loop that has ended,
   * because the relay stops or has handed over, is dropped: the loop has closed its connections.
   */
  public static void run(EventLoop loop, Runnable task) {
    if (loop.inEventLoop()) {
      task.run();
      return;
    }
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      // The loop has ended.
    }
  }
}
