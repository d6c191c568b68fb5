package io.cascade.carriage.transport;

import io.netty.channel.EventLoop;
import java.util.concurrent.RejectedExecutionException;

/** Runs tasks on the event loops that their connections belong to. */
public final class OnLoop {
  private OnLoop() {}

  /**
   * Runs a task on an event loop, at once where the caller is on it. One for a loop that has ended,
   * as when the relay stops or has handed over, is dropped: the loop closed its connections.
   */
  public static void run(EventLoop loop, Runnable task) {
    if (loop.inEventLoop()) {
      task.run();
      return;
    }
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      // It has ended.
    }
  }
}
