package io.cascade.testing;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A parser of what comes from the network, and what has to hold whatever comes. Every build gives
 * it its seeds and the inputs of {@code src/test/resources/fuzz/CLASS.txt}, one a line in
 * hexadecimal digits; {@code ./cascade fuzz} has Jazzer look for others.
 */
@Tag("fuzz")
public abstract class FuzzTest {
  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Valid inputs, as their encoder writes them, from which others are made. */
  protected abstract Stream<byte[]> seeds() throws Exception;

  /**
   * Hands the parser an input.
   *
   * @throws Exception where something does not hold
   */
  protected abstract void parse(byte[] input) throws Exception;

  /** Most bytes of the heap that one input may take. */
  protected long mostBytes() {
    return 1 << 20;
  }

  /** What was read has to be the same once it was written and read again. */
  protected static void same(Object read, @Nullable Object again) {
    if (!read.equals(again)) {
      throw new AssertionError("read " + read + ", and once it was written " + again);
    }
  }

  /** Something has to hold. */
  protected static void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError("not so: " + what);
    }
  }

  /** As long as {@code -Dfuzz.seconds} says, for what Jazzer makes, too. */
  @Test
  void holdsForWhateverComes() throws Exception {
    try (Stream<byte[]> seeds = seeds()) {
      seeds.forEach(this::check);
    }
    corpus().forEach(this::check);
    Integer seconds = Integer.getInteger("fuzz.seconds");
    if (seconds != null) {
      new Jazzer(this).run(seconds, Boolean.getBoolean("fuzz.keep"));
    }
  }

  /** Where inputs are kept. */
  final Path corpusFile() {
    return Path.of("src", "test", "resources", "fuzz", getClass().getSimpleName() + ".txt");
  }

  /** The inputs that are kept. */
  final List<byte[]> corpus() throws IOException {
    Path file = corpusFile();
    return Files.exists(file)
        ? Files.readAllLines(file).stream().map(HexFormat.of()::parseHex).toList()
        : List.of();
  }

  /** Hands over an input once more where it took too much: the first one loads classes. */
  final void check(byte[] input) {
    if (bytesFor(input) > mostBytes()) {
      long bytes = bytesFor(input);
      require(bytes <= mostBytes(), bytes + " bytes of the heap are at most " + mostBytes());
    }
  }

  private long bytesFor(byte[] input) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    try {
      parse(input.clone());
    } catch (Exception | AssertionError e) {
      throw new AssertionError(
          Objects.toString(e) + "; the input is " + HexFormat.of().formatHex(input), e);
    }
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }
}
