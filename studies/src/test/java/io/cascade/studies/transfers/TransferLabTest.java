package io.cascade.studies.transfers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.command.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nothing of a lab runs on when it has been closed. */
@Tag("slow")
@Timeout(120)
class TransferLabTest {
  @Test
  void endsItsSshServer() throws Exception {
    assumeTrue(SshServer.isInstalled(), "SKIPPED: needs sshd");
    Path folder;
    try (TransferLab lab = open()) {
      folder = lab.folder();
      assertThat(servers(folder)).hasSize(1);
    }
    assertThat(servers(folder)).isEmpty();
  }

  private static TransferLab open() throws IOException, InterruptedException {
    try {
      return new TransferLab("sshd-" + ProcessHandle.current().pid(), List.of(Contender.RSYNC));
    } catch (CommandException e) {
      assumeTrue(false, "SKIPPED: " + e.getMessage());
      throw e;
    }
  }

  /** Servers whose settings are in the folder, by their titles. */
  private static List<ProcessHandle> servers(Path folder) {
    return ProcessHandle.allProcesses()
        .filter(one -> title(one).contains(folder + "/ssh/"))
        .toList();
  }

  private static String title(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc", String.valueOf(process.pid()), "cmdline"));
    } catch (IOException e) {
      return ""; // It has ended.
    }
  }
}
