package io.cascade.studies.bench;

import io.cascade.command.CommandException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Waits until a proxy has carried a message in both directions. */
final class Forwarding {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final int LOOK_MILLIS = 10;
  private static final int TAIL_CHARACTERS = 400;

  private Forwarding() {}

  static BenchContender.Running await(String name, int port, Path log, Process... processes)
      throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!answers(port)) {
      boolean ended = !List.of(processes).stream().allMatch(Process::isAlive);
      if (ended || System.nanoTime() > deadline) {
        throw new CommandException(
            name + (ended ? " ended instead of forwarding: " : " does not forward: ") + tail(log));
      }
      Thread.sleep(LOOK_MILLIS);
    }
    return new BenchContender.Running(port, List.of(processes));
  }

  private static boolean answers(int port) {
    try (Arena arena = Arena.ofConfined();
        TcpSocket socket = TcpSocket.connect(port)) {
      MemorySegment message = arena.allocate(Message.BYTES, 8);
      Message.write(message, Message.Purpose.ANSWER_AND_CLOSE, 0);
      socket.writeFully(message);
      socket.readFully(message);
      return socket.read(message) == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** The last lines of a log, joined to one line. */
  static String tail(Path log) {
    try {
      String text = Files.readString(log).strip().replaceAll("\\s+", " ");
      return text.substring(Math.max(0, text.length() - TAIL_CHARACTERS));
    } catch (IOException e) {
      return "it left no log";
    }
  }
}
