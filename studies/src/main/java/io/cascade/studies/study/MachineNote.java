package io.cascade.studies.study;

import io.cascade.api.Json;
import io.cascade.lab.process.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Note, beside results, of the machine that measured them. */
public record MachineNote(Path file) {
  private static final String ENDING = ".machine.json";

  /**
   * The note beside a campaign's results.
   *
   * @param results the folder of results
   */
  public static MachineNote of(Path results, String campaign) {
    return new MachineNote(results.resolve(campaign + ENDING));
  }

  /** Notes this machine; makes the folder where it is not there. */
  public void write() throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, Json.lenient().writeValueAsString(Machine.here()) + "\n");
  }

  /** The machine in words; empty where none was noted. */
  public String words() throws IOException {
    return Files.exists(file)
        ? Json.lenient().readValue(Files.readString(file), Machine.class).words()
        : "";
  }
}
