package io.cascade.client.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The example, compiled and run as two processes that have none of the command line's libraries.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExampleTest {
  private static final Path SOURCE = Path.of("..", "clients", "java", "SendByCode.java");
  private static final List<String> OF_THE_COMMAND_LINE =
      List.of("picocli", "progressbar", "jline");

  @TempDir private Path folder;

  @Test
  void theExampleSendsAFileByItsCode() throws Exception {
    Path file = Files.writeString(folder.resolve("notes.txt"), "one line\n");
    Path in = Files.createDirectory(folder.resolve("in"));
    compile();

    Process receiver = start("receive", in.toString(), "127.0.0.1");
    try (BufferedReader said = receiver.inputReader()) {
      String code = found("code (\\S+)", said.readLine());
      Process sender = start("send", file.toString(), code);
      String sha256 = found("sent 9 bytes (\\S+)", sender.inputReader().readLine());

      assertThat(said.readLine()).isEqualTo("received notes.txt " + sha256);
      assertThat(sender.waitFor()).isZero();
      assertThat(receiver.waitFor()).isZero();
    } finally {
      receiver.destroyForcibly();
    }
    assertThat(in.resolve("notes.txt")).hasSameTextualContentAs(file);
  }

  private void compile() {
    int failures =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-cp", classPath(), "-d", folder.toString(), SOURCE.toString());
    assertThat(failures).isZero();
  }

  private Process start(String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                folder + File.pathSeparator + classPath(),
                "SendByCode"));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static String classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(entry ->
            OF_THE_COMMAND_LINE.stream()
                .noneMatch(Path.of(entry).getFileName().toString()::startsWith))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static String found(String pattern, String line) {
    Matcher match = Pattern.compile(pattern).matcher(String.valueOf(line));
    assertThat(match.matches()).as(line).isTrue();
    return match.group(1);
  }
}
