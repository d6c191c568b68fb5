package io.cascade.testing;

import static java.util.Objects.requireNonNull;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Fuzzing of one test by Jazzer, in a separate process. What it has learned is stored in {@code
 * target/fuzz/CLASS}.
 */
public final class Jazzer {
  /** Bytes of the stored inputs of a test: all tests together stay below 200 KB of text. */
  private static final int KEPT_BYTES = 4_000;

  private static final int KEPT_INPUT_BYTES = 1_600;
  private static final int ENDING_SECONDS = 120;

  private static @Nullable FuzzTest running;

  private final FuzzTest test;
  private final Path folder;
  private final Path inputs;

  Jazzer(FuzzTest test) {
    this.test = test;
    this.folder = Path.of("target", "fuzz", test.getClass().getSimpleName());
    this.inputs = folder.resolve("inputs");
  }

  /** Called by Jazzer, with the name of the test. */
  public static void fuzzerInitialize(String[] names) throws ReflectiveOperationException {
    var constructor = Class.forName(names[0]).getDeclaredConstructor();
    constructor.setAccessible(true);
    running = (FuzzTest) constructor.newInstance();
  }

  /** Called by Jazzer, with each input. */
  public static void fuzzerTestOneInput(byte[] input) {
    requireNonNull(running).check(input);
  }

  /**
   * Fuzzes.
   *
   * @param keeps whether the shortest inputs that reach the same coverage replace the corpus
   * @throws AssertionError where an input violated a property; it has been added to the corpus then
   */
  void run(int seconds, boolean keeps) throws IOException, InterruptedException {
    Files.createDirectories(inputs);
    List<byte[]> known = new ArrayList<>();
    try (Stream<byte[]> seeds = test.seeds()) {
      seeds.forEach(known::add);
      known.addAll(test.corpus());
    } catch (Exception e) {
      throw new IOException("no seeds", e);
    }
    for (int i = 0; i < known.size(); i++) {
      Files.write(inputs.resolve("known-" + i), known.get(i));
    }
    start(seconds, "-max_total_time=" + seconds, "-len_control=0", inputs.toString());
    if (keeps) {
      keep();
    }
  }

  private void start(int seconds, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+EnableDynamicAgentLoading", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "-XX:+UseSerialGC"));
    command.addAll(List.of("-Xmx512m", "-XX:MaxDirectMemorySize=64m"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(
        List.of("com.code_intelligence.jazzer.Jazzer", "--target_class=" + Jazzer.class.getName()));
    command.add("--target_args=" + test.getClass().getName());
    // Other classes take long to instrument, and are not of interest.
    command.addAll(
        List.of(
            "--instrumentation_includes=io.cascade.**", "--custom_hook_includes=io.cascade.**"));
    command.add("--reproducer_path=" + folder);
    command.addAll(List.of("-artifact_prefix=" + folder + File.separator, "-timeout=20"));
    command.addAll(List.of("-max_len=4096", "-print_final_stats=1"));
    command.addAll(List.of(arguments));
    Path log = folder.resolve("log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      if (!process.waitFor(seconds + ENDING_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("Jazzer does not end; see " + log.toAbsolutePath());
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
    List<String> lines = Files.readAllLines(log, java.nio.charset.StandardCharsets.ISO_8859_1);
    lines.stream()
        .filter(line -> line.contains("Done") || line.contains("executed_units"))
        .forEach(line -> System.out.println(test.getClass().getSimpleName() + ": " + line));
    if (process.exitValue() != 0) {
      takeFindings();
      throw new AssertionError(
          String.join("\n", lines.subList(Math.max(0, lines.size() - 60), lines.size())));
    }
  }

  private void takeFindings() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(Jazzer::isFinding).toList()) {
        String line = HexFormat.of().formatHex(Files.readAllBytes(file)) + "\n";
        Files.createDirectories(requireNonNull(test.corpusFile().getParent()));
        Files.writeString(
            test.corpusFile(), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        Files.delete(file);
      }
    }
  }

  private static boolean isFinding(Path file) {
    return file.getFileName().toString().matches("(crash|timeout|oom|slow-unit)-.*");
  }

  private void keep() throws IOException, InterruptedException {
    Path merged = Files.createDirectories(folder.resolve("merged"));
    try (Stream<Path> before = Files.list(merged)) {
      for (Path file : before.toList()) {
        Files.delete(file);
      }
    }
    start(ENDING_SECONDS, "-merge=1", merged.toString(), inputs.toString());
    StringBuilder kept = new StringBuilder();
    try (Stream<Path> files = Files.list(merged)) {
      for (Path file :
          files.sorted(Comparator.comparingLong(one -> one.toFile().length())).toList()) {
        byte[] input = Files.readAllBytes(file);
        if (input.length <= KEPT_INPUT_BYTES && kept.length() / 2 + input.length <= KEPT_BYTES) {
          kept.append(HexFormat.of().formatHex(input)).append('\n');
        }
      }
    }
    Files.createDirectories(requireNonNull(test.corpusFile().getParent()));
    Files.writeString(test.corpusFile(), kept);
  }
}
