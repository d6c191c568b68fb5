package io.cascade.client.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** A name that no receiver takes is refused before anything connects. */
@Timeout(60)
class SentNameTest {
  @TempDir Path folder = Path.of("");

  @ParameterizedTest
  @ValueSource(strings = {"a/b", "", ".", "..", "a\nb", "a\u202eb", "x.cascade-part"})
  void byAnOption(String name) throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "content");

    assertThat(refusal(file.toString(), "--name", name)).contains("the name '").contains("--name");
  }

  @Test
  void ofTheFile() throws Exception {
    Path file = Files.writeString(folder.resolve("two\nlines"), "content");

    assertThat(refusal(file.toString()))
        .contains("the name 'two lines' has the control character U+000A");
  }

  @Test
  void ofBytesThatAreNotUtf8() throws Exception {
    // What Java makes of such an argument.
    assertThat(refusal(folder.resolve("caf\ufffd").toString()))
        .contains("its name is not UTF-8")
        .contains("send - --name NAME");
  }

  /** Sends to a port on which nobody may be connected to. */
  private static String refusal(String file, String... more) throws IOException {
    try (ServerSocket port = new ServerSocket(0)) {
      StringWriter err = new StringWriter();
      CommandLine send = new CommandLine(new SendVerb());
      send.setErr(new PrintWriter(err, true));
      send.setExecutionExceptionHandler((e, _, _) -> {
        err.append(e.getMessage());
        return 1;
      });
      String[] line = new String[4 + more.length];
      System.arraycopy(
          new String[] {file, "--to", "127.0.0.1:" + port.getLocalPort(), "--direct"},
          0,
          line,
          0,
          4);
      System.arraycopy(more, 0, line, 4, more.length);

      assertThat(send.execute(line)).isEqualTo(1);
      port.setSoTimeout(1);
      assertThat(isConnectedTo(port)).isFalse();
      return err.toString();
    }
  }

  private static boolean isConnectedTo(ServerSocket port) throws IOException {
    try {
      port.accept().close();
      return true;
    } catch (java.net.SocketTimeoutException e) {
      return false;
    }
  }
}
