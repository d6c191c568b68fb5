package io.cascade.studies.rivals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Ways to move a file from one host to another. */
enum Competitor {
  SEND("send"),
  TCP("one TCP connection"),
  BBR("one TCP connection, BBR"),
  EIGHT("eight TCP connections"),
  CROC("croc"),
  UFTP("uftp");

  private static final Path CONTROLS =
      Path.of("/proc/sys/net/ipv4/tcp_available_congestion_control");

  private final String title;

  Competitor(String title) {
    this.title = title;
  }

  /** The name in tables. */
  String title() {
    return title;
  }

  /** Contenders that are installed on this machine, in order. */
  static List<Competitor> atHand() {
    return Stream.of(values()).filter(Competitor::isAtHand).toList();
  }

  private boolean isAtHand() {
    return switch (this) {
      case SEND, TCP, EIGHT -> true;
      case BBR -> kernelHas("bbr");
      case CROC -> Program.isOnPath("croc");
      case UFTP -> Program.isOnPath("uftp") && Program.isOnPath("uftpd");
    };
  }

  private static boolean kernelHas(String control) {
    try {
      return List.of(Files.readString(CONTROLS).strip().split(" ")).contains(control);
    } catch (IOException e) {
      return false;
    }
  }
}
