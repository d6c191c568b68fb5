package io.cascade.gateway.ip;

import io.cascade.command.CommandException;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Runs commands of ip(8), one for each line. */
public final class IpCommand {
  private IpCommand() {}

  /**
   * Runs all lines.
   *
   * @throws CommandException with the message of ip
   */
  public static void run(List<String> lines) {
    check(batch(lines, List.of()));
  }

  /**
   * Runs all lines for IPv6.
   *
   * @throws CommandException with the message of ip
   */
  public static void runV6(List<String> lines) {
    check(batch(lines, List.of("-6")));
  }

  private static void check(Exit exit) {
    if (exit.code() != 0) {
      throw new CommandException(
          exit.output().contains("Operation not permitted")
              ? "cannot change routes: not permitted; fix: run it as root"
              : "ip: " + exit.output().strip().replace('\n', ' '));
    }
  }

  /** Runs all lines; failures are ignored. */
  public static void tryAll(List<String> lines) {
    batch(lines, List.of("-force"));
  }

  /** Runs all lines for IPv6; failures are ignored. */
  public static void tryAllV6(List<String> lines) {
    batch(lines, List.of("-6", "-force"));
  }

  /** Returns the output lines of a show command; none where it fails. */
  public static List<String> show(List<String> arguments) {
    List<String> command = new ArrayList<>(List.of("ip"));
    command.addAll(arguments);
    Exit exit = run(command, "");
    return exit.code() == 0 ? exit.output().lines().toList() : List.of();
  }

  private record Exit(int code, String output) {}

  private static Exit batch(List<String> lines, List<String> options) {
    List<String> command = new ArrayList<>(List.of("ip"));
    command.addAll(options);
    command.addAll(List.of("-batch", "-"));
    return run(command, String.join("\n", lines) + "\n");
  }

  private static void say(String said, Process process) {
    try (Writer input = process.outputWriter(StandardCharsets.UTF_8)) {
      input.write(said);
    } catch (IOException e) {
      // The process has ended already, and its exit code says why.
    }
  }

  private static Exit run(List<String> command, String said) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      // ip reports each line that fails, and both pipes may be full at the same time. A platform
      // thread: a carrier of virtual threads would stay in this thread's network namespace.
      Thread.ofPlatform().daemon().name("ip").start(() -> say(said, process));
      String heard = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Exit(process.waitFor(), heard);
    } catch (IOException e) {
      throw new CommandException(
          "cannot run ip (%s); fix: apt install iproute2".formatted(e.getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException("interrupted", e);
    }
  }
}
