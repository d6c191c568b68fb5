package io.cascade;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Manual pages, made of the verbs' help. */
class ManPagesTest {
  @TempDir Path folder;

  @Test
  void everyVerbHasOneWithItsNameSynopsisAndAllOptions() throws IOException {
    ManPages.main(new String[] {folder.toString()});

    assertThat(Arrays.stream(Verb.values()).map(verb -> "cascade-" + verb.title() + ".1"))
        .allSatisfy(page -> assertThat(folder.resolve(page)).exists());
    assertThat(folder.resolve("cascade.1")).content().contains(".BR cascade\\-send (1)");
    assertThat(folder.resolve("cascade-gateway-up.1")).exists();
    assertThat(folder.resolve("cascade-relay.1"))
        .content()
        .startsWith(".TH \"CASCADE-RELAY\" 1")
        .contains("cascade\\-relay \\- Run a relay until SIGTERM or Ctrl\\-C")
        .contains(".SH SYNOPSIS", ".SH START AND STOP", ".B \\-\\-hand\\-over=PATH")
        .doesNotContain("${");
  }

  @Test
  void theTextOfHelpIsNoRequestOfTheFormatter() throws IOException {
    ManPages.main(new String[] {folder.toString()});

    try (Stream<Path> pages = Files.list(folder)) {
      assertThat(pages)
          .allSatisfy(page ->
              assertThat(Files.readAllLines(page))
                  .filteredOn(line -> line.startsWith(".") || line.startsWith("'"))
                  .allMatch(line -> line.matches("\\.(TH|nh|ad|SH|PP|TP|B|BR|nf|fi)\\b.*")));
    }
  }
}
