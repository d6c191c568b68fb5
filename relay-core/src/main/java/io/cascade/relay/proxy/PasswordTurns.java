package io.cascade.relay.proxy;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
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
 * Gives sources turns to have a password hashed, one at a time: hashing is work, and streams need
 * the processors more. Sources take turns, so that whoever has one password to verify waits for one
 * password of each other source at the most, however many those offer. A source is an IPv4 address
 * or an IPv6 network of 64 bits, which one host can have to itself.
 *
 * <p>Bounded by the handshakes that are under way, each of which waits for one turn at a time.
 */
final class PasswordTurns {
  private static final Logger LOG = Logger.getLogger(PasswordTurns.class.getName());
  private static final int IPV6_NETWORK_BYTES = 8;

  private final Executor thread;
  private final Map<Object, Deque<Runnable>> waiting = new LinkedHashMap<>();
  private boolean running;

  /**
   * @param thread where turns run; needs one thread
   */
  PasswordTurns(Executor thread) {
    this.thread = thread;
  }

  /** The source of a client: what shares its turns. */
  static Object source(InetAddress client) {
    return client instanceof Inet6Address
        ? ByteBuffer.wrap(client.getAddress(), 0, IPV6_NETWORK_BYTES)
        : client;
  }

  /** Runs a task when it is the source's turn. */
  void await(InetAddress client, Runnable task) {
    synchronized (waiting) {
      waiting.computeIfAbsent(source(client), _ -> new ArrayDeque<>()).add(task);
      if (running) {
        return;
      }
      running = true;
    }
    thread.execute(this::run);
  }

  /** Takes a task back that still waits, as its client has gone. */
  void withdraw(InetAddress client, Runnable task) {
    synchronized (waiting) {
      Object source = source(client);
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

  /** The next task; null where none waits, and then nothing runs until another one comes. */
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
