package io.cascade.command;

import java.nio.channels.UnresolvedAddressException;
import java.util.Map;

/** Explains in plain words why a program could not listen. */
public final class ListenFailure {
  private static final Map<String, String> PLAIN =
      Map.of(
          "Address already in use", "another program listens there already",
          "Permission denied", "this user may not listen there; ports below 1024 need more rights",
          "Cannot assign requested address", "this machine has no such address",
          "Unresolved address", "the name does not resolve");

  private ListenFailure() {}

  /** The failure's own message, with the system's phrase replaced. */
  public static String words(Throwable failure) {
    if (failure instanceof UnresolvedAddressException) {
      return "the name does not resolve";
    }
    String message = String.valueOf(failure.getMessage());
    for (Map.Entry<String, String> phrase : PLAIN.entrySet()) {
      // Netty puts the system call and its error number before the phrase.
      String found = "(?:bind\\([^)]*\\) failed with error\\(-?\\d+\\): )?" + phrase.getKey();
      message = message.replaceFirst(found, phrase.getValue());
    }
    return message;
  }
}
