package io.cascade.studies.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PauseLogTest {
  private Path file;
  private PauseLog log;

  @BeforeEach
  void start(@TempDir Path folder) {
    file = folder.resolve("log");
    log = new PauseLog(file);
  }

  @Test
  void namesTheLongestPauseBehindAnOffset() throws IOException {
    says("[0.004s][info][gc] Using Serial");
    says("[0.2s][info][gc] GC(0) Pause Full (Metadata GC Threshold) 9M->4M(16M) 14.250ms");
    long before = log.length();
    says("cascade relay bench-0 ready: control http://127.0.0.1:1, hop 127.0.0.1:2");
    says("[1.1s][info][gc] GC(1) Pause Young (Allocation Failure) 12M->5M(23M) 1.125ms");
    says("[1.9s][info][gc] GC(2) Pause Young (Allocation Failure) 12M->5M(23M) 0.875ms");

    assertThat(log.longestMillisSince(0)).hasValue(14.25);
    assertThat(log.longestMillisSince(before)).hasValue(1.125);
    assertThat(log.longestMillisSince(log.length())).hasValue(0);
  }

  @Test
  void knowsNothingOfAProcessThatDoesNotLogItsPauses() throws IOException {
    says("cascade relay bench-0 ready: control http://127.0.0.1:1, hop 127.0.0.1:2");
    assertThat(log.longestMillisSince(0)).isEmpty();
  }

  private void says(String line) throws IOException {
    Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
