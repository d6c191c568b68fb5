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
 * The congestion control of a network of its own. The kernel lets such a network choose only from
 * those that the machine allows to everybody, a list that belongs to the first network: {@link
 * #allow} widens it for the moment in which a network chooses.
 */
public final class CongestionControls {
  private static final Path AVAILABLE =
      Path.of("/proc/sys/net/ipv4/tcp_available_congestion_control");
  private static final Path ALLOWED = Path.of("/proc/sys/net/ipv4/tcp_allowed_congestion_control");
  private static final Path CHOSEN = Path.of("/proc/sys/net/ipv4/tcp_congestion_control");

  /** Folder of lock files (FHS 3.0, 5.9), which the system empties when it starts. */
  private static final Path LOCKS = Path.of("/run/lock");

  private CongestionControls() {}

  /** A task that runs while all are allowed. */
  @FunctionalInterface
  public interface Task<E extends Exception> {
    /** Runs the task. */
    void run() throws E;
  }

  /**
   * Chooses a congestion control for the network of the calling thread.
   *
   * @throws CommandException where the machine does not have it, or does not allow it to everybody
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
   * Runs something while every algorithm that the machine has is allowed to everybody, then
   * restores what was. Must be called in the machine's first network; elsewhere, or without the
   * right to, it only runs it.
   */
  public static synchronized <E extends Exception> void allow(Task<E> task) throws E {
    Path lock = lock();
    if (!Files.isWritable(ALLOWED)) {
      task.run();
      return;
    }
    // Two labs that restore each other's widened list would leave it so.
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

  /** Returns the file that labs lock in turn. It stays, so it is where lock files belong. */
  private static Path lock() {
    String folder =
        Files.isWritable(LOCKS) ? LOCKS.toString() : System.getProperty("java.io.tmpdir", "/tmp");
    return Path.of(folder, "cascade-labs.lock");
  }
}
