package io.cascade.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class StandardOutputTest {
  @Test
  void aReaderThatEndedEndsWhoPrints() throws Exception {
    Pipe pipe = Pipe.open();
    pipe.source().close();
    try (Pipe.SinkChannel sink = pipe.sink()) {
      PrintWriter out =
          new PrintWriter(
              new StandardOutput(Channels.newOutputStream(sink)), true, StandardCharsets.UTF_8);

      assertThatThrownBy(() -> out.println("a line"))
          .satisfiesAnyOf(
              e -> assertThat(e).isInstanceOf(StandardOutput.ReaderGone.class),
              // Where the tests' own output is a file.
              e ->
                  assertThat(e)
                      .isInstanceOf(CommandException.class)
                      .hasMessageContaining("cannot write the output"));
    }
  }
}
