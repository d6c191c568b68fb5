package io.cascade.lab;

import io.cascade.api.Json;
import io.cascade.command.CommandException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;

/**
 * Folder of a lab's files: the lock that its process holds as long as it runs, its control socket,
 * its state for other processes, logs.
 */
record LabFolder(Path path) {
  /** Age of a folder after which the process that is to hold its lock must have started. */
  private static final Duration BIRTH = Duration.ofSeconds(30);

  private static final int MOST_ATTEMPTS = 10;

  /** All labs of this user. */
  static List<LabFolder> all() {
    Path base = base();
    if (!Files.isDirectory(base)) {
      return List.of();
    }
    try (Stream<Path> folders = Files.list(base)) {
      return folders.filter(Files::isDirectory).sorted().map(LabFolder::new).toList();
    } catch (NoSuchFileException e) {
      return List.of(); // The last lab was removed at this moment.
    } catch (IOException e) {
      throw new CommandException("cannot read " + base + ": " + e.getMessage(), e);
    }
  }

  static LabFolder of(String name) {
    return new LabFolder(base().resolve(name));
  }

  /**
   * @throws CommandException where there is one of that name
   */
  static LabFolder make(String name) {
    LabFolder folder = of(name);
    try {
      folder.make();
    } catch (FileAlreadyExistsException e) {
      throw new CommandException(
          "lab %s is up already. Take it down with: ./cascade lab down %s".formatted(name, name),
          e);
    } catch (IOException e) {
      throw new CommandException("cannot make " + folder.path() + ": " + e.getMessage(), e);
    }
    return folder;
  }

  private void make() throws IOException {
    for (int attempt = 1; ; attempt++) {
      Files.createDirectories(
          base(),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      try {
        Files.createDirectory(path);
        return;
      } catch (NoSuchFileException e) {
        // Another process removed the last other lab, and with it the base folder.
        if (attempt == MOST_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /** Folder of all labs of this user. It exists as long as one of them does. */
  private static Path base() {
    return Path.of(
        System.getProperty("java.io.tmpdir", "/tmp"), "cascade-labs-" + LabRequirements.userId());
  }

  String name() {
    return String.valueOf(path.getFileName());
  }

  Path topology() {
    return path.resolve("topology.yaml");
  }

  Path control() {
    return path.resolve("control");
  }

  Path hosts() {
    return path.resolve("hosts");
  }

  /**
   * Settings file of the verbs that run in the lab: empty, since they get all settings as flags.
   */
  Path settings() {
    return path.resolve("settings.properties");
  }

  private Path owner() {
    return path.resolve("owner");
  }

  Path log(String part) {
    return path.resolve(part + ".log");
  }

  private Path state() {
    return path.resolve("lab.json");
  }

  private Path lock() {
    return path.resolve("lock");
  }

  /**
   * Locks the folder for the lab's process; the kernel releases the lock when the process ends in
   * any way.
   */
  @SuppressWarnings("MustBeClosedChecker") // As long as the process runs.
  FileLock hold() throws IOException {
    FileLock held =
        FileChannel.open(lock(), StandardOpenOption.CREATE, StandardOpenOption.WRITE).tryLock();
    if (held == null) {
      throw new IOException(lock() + " is held");
    }
    return held;
  }

  /** Whether the lab's process runs, or may still be starting. */
  boolean alive() {
    try {
      if (!Files.exists(lock())) {
        Instant made = Files.getLastModifiedTime(path).toInstant();
        return made.plus(BIRTH).isAfter(Instant.now());
      }
      try (FileChannel channel = FileChannel.open(lock(), StandardOpenOption.WRITE);
          FileLock got = channel.tryLock()) {
        return got == null;
      }
    } catch (OverlappingFileLockException e) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Ties the lab to a process: when that has ended, the lab is dead. */
  void own(LabOwner owner) throws IOException {
    Files.writeString(owner(), Json.lenient().writeValueAsString(owner));
  }

  /** Empty where the lab has no owner. */
  Optional<LabOwner> ownedBy() {
    try {
      return Optional.of(Json.lenient().readValue(Files.readString(owner()), LabOwner.class));
    } catch (IOException | JacksonException e) {
      // Also where it is incomplete, because its process was killed while writing.
      return Optional.empty();
    }
  }

  void write(LabState state) {
    try {
      Path next = path.resolve("lab.json.next");
      Files.writeString(next, Json.lenient().writeValueAsString(state));
      Files.move(next, state(), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Optional<LabState> read() {
    try {
      return Optional.of(Json.lenient().readValue(Files.readString(state()), LabState.class));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Deletes the folder, and the base folder after the last lab. */
  void delete() {
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      if (Files.exists(path)) { // Otherwise another process removed it at the same time.
        throw new CommandException("cannot remove " + path + ": " + e.getMessage());
      }
    }
    try {
      Files.deleteIfExists(base());
    } catch (IOException e) {
      // Other labs are in it.
    }
  }

  /** Environment that marks a process as belonging to the lab in this folder. */
  Map<String, String> mark(String id) {
    return Map.of(LabProcesses.MARK, id);
  }
}
