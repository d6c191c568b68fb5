package io.cascade.lab.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The JDK's own {@code jcmd}, which queries a Java process. */
public final class Jcmd {
  private static final Path PROGRAM = Path.of(System.getProperty("java.home"), "bin", "jcmd");

  private Jcmd() {}

  /** Whether this Java is a development kit. */
  public static boolean installed() {
    return Files.isExecutable(PROGRAM);
  }

  /**
   * Command that queries a process.
   *
   * @param pid of a Java process; the query's signal would end any other one
   */
  public static List<String> command(long pid, String... question) {
    List<String> command = new ArrayList<>(List.of(PROGRAM.toString(), Long.toString(pid)));
    command.addAll(List.of(question));
    return command;
  }
}
