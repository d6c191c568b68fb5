package io.cascade.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class ProcessEndTest {
  @Test
  void aProcessEndsWithItsCodeAndEverythingItPrinted() throws Exception {
    Ended ended = run("done");

    assertThat(ended.output()).isEqualTo("printed without a line end");
    assertThat(ended.code()).isEqualTo(7);
  }

  /** A chain is closed, or a receiver told, by a hook: the process must not be gone before. */
  @Test
  void aProcessThatASignalEndsFinishesItsHooks() throws Exception {
    Ended ended = run("signal");

    assertThat(ended.output()).isEqualTo("hook begins, hook ends");
  }

  private record Ended(int code, String output) {}

  private static Ended run(String how) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                how)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return new Ended(process.exitValue(), output);
  }

  /** What runs as a process of its own. */
  static final class Main {
    private Main() {}

    public static void main(String[] arguments) throws InterruptedException {
      switch (arguments[0]) {
        case "done" -> {
          System.out.print("printed without a line end");
          ProcessEnd.now(7);
        }
        case "signal" -> {
          CountDownLatch begun = new CountDownLatch(1);
          Runtime.getRuntime().addShutdownHook(new Thread(() -> hook(begun)));
          Thread.ofPlatform().daemon().start(() -> System.exit(0));
          begun.await();
          ProcessEnd.now(1);
        }
        default -> throw new IllegalArgumentException(arguments[0]);
      }
    }

    private static void hook(CountDownLatch begun) {
      System.out.print("hook begins, ");
      begun.countDown();
      try {
        Thread.sleep(500); // The process would be gone by then.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      System.out.print("hook ends");
    }
  }
}
