package io.cascade.relay.proxy;

import io.cascade.relay.admission.ClientSource;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Lets each source in turn have one password hashed: hashing uses processor time that streams need
 * more. A client waits for at most one password of each other source ({@link ClientSource}),
 * however many those send.
 *
 * <p>Bounded by the number of running handshakes, each of which waits for one turn at a time.
 */
final class PasswordTurns {
  private static final Logger LOG = Logger.getLogger(PasswordTurns.class.getName());

  private final Executor thread;
  private final Map<Object, Deque<Runnable>> waiting = new LinkedHashMap<>();
  private boolean running;

  /**
   * @param thread that runs the tasks; needs one thread
   */
  PasswordTurns(Executor thread) {
    this.thread = thread;
  }

  /** Runs a task when it is the source's turn. */
  void await(InetAddress client, Runnable task) {
    synchronized (waiting) {
      waiting.computeIfAbsent(ClientSource.of(client), _ -> new ArrayDeque<>()).add(task);
      if (running) {
        return;
      }
      running = true;
    }
    thread.execute(this::run);
  }

  /** Removes a waiting task whose client has gone. */
  void withdraw(InetAddress client, Runnable task) {
    synchronized (waiting) {
      Object source = ClientSource.of(client);
      Deque<Runnable> tasks = waiting.get(source);
      if (tasks != null && tasks.remove(task) && tasks.isEmpty()) {
        waiting.remove(source);
      }
    }
  }

  private void run() {
    for (Runnable task = next(); task != null; task = next()) {
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        LOG.log(Level.SEVERE, "a password could not be verified", e);
      }
    }
  }

  /**
   * Returns the next task; null if none waits, and then nothing runs until another one is added.
   */
  private @Nullable Runnable next() {
    synchronized (waiting) {
      Iterator<Map.Entry<Object, Deque<Runnable>>> sources = waiting.entrySet().iterator();
      if (!sources.hasNext()) {
        running = false;
        return null;
      }
      Map.Entry<Object, Deque<Runnable>> first = sources.next();
      sources.remove();
      Deque<Runnable> tasks = first.getValue();
      Runnable task = tasks.remove();
      if (!tasks.isEmpty()) {
        waiting.put(first.getKey(), tasks);
      }
      return task;
    }
  }
}
