package io.cascade.lab;

import io.cascade.command.CommandException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The congestion control of a network namespace. The kernel lets such a namespace choose only from
 * those allowed to all users, a list of the initial namespace: {@link #allow} extends the list
 * while a namespace chooses.
 */
public final class CongestionControls {
  private static final Path AVAILABLE =
      Path.of("/proc/sys/net/ipv4/tcp_available_congestion_control");
  private static final Path ALLOWED = Path.of("/proc/sys/net/ipv4/tcp_allowed_congestion_control");
  private static final Path CHOSEN = Path.of("/proc/sys/net/ipv4/tcp_congestion_control");

  /** Folder of lock files (FHS 3.0, 5.9), which the system empties when it boots. */
  private static final Path LOCKS = Path.of("/run/lock");

  private CongestionControls() {}

  /** A task that runs while all are allowed. */
  @FunctionalInterface
  public interface Task<E extends Exception> {
    /** Runs the task. */
    void run() throws E;
  }

  /**
   * Sets the congestion control of the calling thread's network namespace.
   *
   * @throws CommandException where the machine does not have it, or does not allow it to all users
   */
  public static void choose(String name) throws IOException {
    List<String> available = List.of(Files.readString(AVAILABLE).strip().split(" "));
    if (!available.contains(name)) {
      throw new CommandException(
          "congestion-control: %s (expected: one of %s; more with: modprobe tcp_%s)"
              .formatted(name, String.join(", ", available), name));
    }
    try {
      Files.writeString(CHOSEN, name);
    } catch (IOException e) {
      throw new CommandException(
          ("congestion-control: %s is not allowed to everybody on this machine. As root: sysctl -w"
                  + " net.ipv4.tcp_allowed_congestion_control='%s'")
              .formatted(name, String.join(" ", available)),
          e);
    }
  }

  /**
   * Runs a task while every algorithm of the machine is allowed to all users, then restores the
   * list. Must be called in the initial network namespace; elsewhere, or without permission, it
   * only runs the task.
   */
  public static synchronized <E extends Exception> void allow(Task<E> task) throws E {
    Path lock = lock();
    if (!Files.isWritable(ALLOWED)) {
      task.run();
      return;
    }
    // Two concurrent labs could otherwise restore each other's extended list.
    try (FileChannel channel =
            FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock held = channel.lock()) {
      String before = Files.readString(ALLOWED).strip();
      try {
        Files.writeString(ALLOWED, Files.readString(AVAILABLE).strip());
        task.run();
      } finally {
        Files.writeString(ALLOWED, before);
      }
      if (!held.isValid()) {
        throw new IOException(lock + " was lost");
      }
    } catch (IOException e) {
      throw new CommandException("cannot allow congestion controls: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the file that labs lock. It is never deleted, and so is in the folder of lock files.
   */
  private static Path lock() {
    String folder =
        Files.isWritable(LOCKS) ? LOCKS.toString() : System.getProperty("java.io.tmpdir", "/tmp");
    return Path.of(folder, "cascade-labs.lock");
  }
}
