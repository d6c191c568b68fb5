package io.cascade.studies.transfers;

import io.cascade.command.CommandException;
import io.cascade.lab.Site;
import io.cascade.studies.rivals.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * An sshd of a lab, with keys and settings in the lab's folder. It does not read or change those of
 * the machine. sshd overwrites its environment with its process title, so the lab, which finds its
 * processes by their environment, does not end it.
 */
final class SshServer implements AutoCloseable {
  private static final Path DAEMON = Path.of("/usr/sbin/sshd");
  private static final int PORT = 2_222;
  private static final Pattern LISTENING = Pattern.compile("Server listening on");
  private static final Duration READY = Duration.ofSeconds(20);

  /** Name of the server in the client's settings. */
  static final String HOST = "lab";

  private final Path folder;
  private final String address;
  private final Program daemon;
  private final String user = System.getProperty("user.name", "root");

  /** Starts it. */
  SshServer(Site server, Path folder) throws IOException, InterruptedException {
    this.folder = Files.createDirectory(folder);
    this.address = server.address();
    makeKey("host");
    makeKey("user");
    writeSettings();
    daemon =
        new Program(
            server,
            // sshd requires a folder in /run; a tmpfs hides that of the machine.
            List.of(
                "sh",
                "-c",
                "mount -t tmpfs tmpfs /run && mkdir -m 755 /run/sshd && exec \"$0\" \"$@\"",
                DAEMON.toString(),
                "-D",
                "-e",
                "-f",
                folder.resolve("sshd_config").toString()),
            Map.of(),
            folder,
            "sshd");
    boolean listens = false;
    try {
      MatchResult _ = daemon.awaitSaid(LISTENING, READY);
      listens = true;
    } finally {
      if (!listens) {
        daemon.kill();
      }
    }
  }

  static boolean isInstalled() {
    return Files.isExecutable(DAEMON) && Program.isOnPath("ssh") && Program.isOnPath("ssh-keygen");
  }

  /** Settings file of clients, for {@code -F}. */
  Path settings() {
    return folder.resolve("ssh_config");
  }

  String address() {
    return address;
  }

  int port() {
    return PORT;
  }

  String user() {
    return user;
  }

  Path key() {
    return folder.resolve("user");
  }

  Path knownHosts() {
    return folder.resolve("known_hosts");
  }

  private void makeKey(String name) throws IOException, InterruptedException {
    Process made =
        new ProcessBuilder(
                "ssh-keygen",
                "-q",
                "-t",
                "ed25519",
                "-N",
                "",
                "-f",
                folder.resolve(name).toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("ssh-keygen.log").toFile())
            .start();
    if (made.waitFor() != 0) {
      throw new CommandException(
          "ssh-keygen: " + Files.readString(folder.resolve("ssh-keygen.log")).strip());
    }
  }

  private void writeSettings() throws IOException {
    Files.copy(folder.resolve("user.pub"), folder.resolve("authorized_keys"));
    Files.writeString(
        knownHosts(),
        "[%s]:%d %s".formatted(address, PORT, Files.readString(folder.resolve("host.pub"))));
    Files.writeString(
        folder.resolve("sshd_config"),
        """
        Port %d
        HostKey %s
        AuthorizedKeysFile %s
        PidFile none
        StrictModes no
        UsePAM no
        PasswordAuthentication no
        PermitRootLogin prohibit-password
        PrintMotd no
        Subsystem sftp internal-sftp
        """
            .formatted(PORT, folder.resolve("host"), folder.resolve("authorized_keys")));
    Path settings =
        Files.writeString(
            settings(),
            """
            Host %s
              HostName %s
              Port %d
              User %s
              IdentityFile %s
              IdentitiesOnly yes
              UserKnownHostsFile %s
              StrictHostKeyChecking yes
              Compression no
              BatchMode yes
            """
                .formatted(HOST, address, PORT, user, key(), knownHosts()));
    Files.setPosixFilePermissions(settings, PosixFilePermissions.fromString("rw-------"));
  }

  /** Ends the server and the processes of its connections. */
  @Override
  public void close() {
    try {
      daemon.kill();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
