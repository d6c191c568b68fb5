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
 * A test of a parser of network input, with properties that must hold for every input. Every build
 * runs its seeds and the inputs of {@code src/test/resources/fuzz/CLASS.txt}, one a line in
 * hexadecimal digits; {@code ./cascade fuzz} makes Jazzer search for others.
 */
@Tag("fuzz")
public abstract class FuzzTest {
  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Valid inputs, as written by the encoder, from which others are made. */
  protected abstract Stream<byte[]> seeds() throws Exception;

  /**
   * Passes an input to the parser.
   *
   * @throws Exception where a property does not hold
   */
  protected abstract void parse(byte[] input) throws Exception;

  /** Most bytes of the heap that one input may take. */
  protected long mostBytes() {
    return 1 << 20;
  }

  /** Requires that a value is equal to itself after encoding and decoding. */
  protected static void same(Object read, @Nullable Object again) {
    if (!read.equals(again)) {
      throw new AssertionError("read " + read + ", and once it was written " + again);
    }
  }

  /** Requires a property. */
  protected static void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError("not so: " + what);
    }
  }

  /**
   * Runs the seeds and the stored inputs, and inputs of Jazzer for as long as {@code
   * -Dfuzz.seconds} says.
   */
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

  /** File of the stored inputs. */
  final Path corpusFile() {
    return Path.of("src", "test", "resources", "fuzz", getClass().getSimpleName() + ".txt");
  }

  /** The stored inputs. */
  final List<byte[]> corpus() throws IOException {
    Path file = corpusFile();
    return Files.exists(file)
        ? Files.readAllLines(file).stream().map(HexFormat.of()::parseHex).toList()
        : List.of();
  }

  /** Runs an input a second time if it took too much, since the first run loads classes. */
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
