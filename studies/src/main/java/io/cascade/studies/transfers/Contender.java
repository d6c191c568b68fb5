package io.cascade.studies.transfers;

import io.cascade.studies.rivals.Program;
import java.util.List;
import java.util.stream.Stream;

/** Ways to copy files and folders from one host to another. */
enum Contender {
  SEND("send"),
  TAR("tar into send -"),
  RSYNC("rsync over ssh"),
  SCP("scp"),
  CROC("croc"),
  RCLONE("rclone over SFTP");

  private final String title;

  Contender(String title) {
    this.title = title;
  }

  /** The name in tables. */
  String title() {
    return title;
  }

  /** Contenders that are installed on this machine, in order. */
  static List<Contender> atHand() {
    return Stream.of(values()).filter(Contender::isAtHand).toList();
  }

  private boolean isAtHand() {
    return switch (this) {
      case SEND -> true;
      case TAR -> Program.isOnPath("tar");
      case RSYNC -> SshServer.isInstalled() && Program.isOnPath("rsync");
      case SCP -> SshServer.isInstalled() && Program.isOnPath("scp");
      case CROC -> Program.isOnPath("croc");
      case RCLONE -> SshServer.isInstalled() && Program.isOnPath("rclone");
    };
  }

  /** Whether the contender takes part in a test. */
  boolean takes(CopyTest test) {
    return switch (this) {
      case SEND, RSYNC, CROC -> true;
      case TAR -> test.kind() == CopyTest.Kind.SMALL || test.kind() == CopyTest.Kind.TREE;
      // After an interruption these programs start from the beginning.
      case SCP, RCLONE -> test.kind() != CopyTest.Kind.CUT;
    };
  }
}
