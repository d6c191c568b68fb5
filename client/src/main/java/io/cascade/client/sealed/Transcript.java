package io.cascade.client.sealed;

import io.cascade.command.Digests;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** SHA-256 of the messages of an exchange, whose lengths are fixed, in the order of sending. */
final class Transcript {
  private final MessageDigest digest = Digests.sha256();

  Transcript() {
    digest.update("cascade seal 1".getBytes(StandardCharsets.US_ASCII));
  }

  Transcript add(byte[] message) {
    digest.update(message);
    return this;
  }

  /** Adds the remaining bytes of the buffer, which is not changed. */
  Transcript add(ByteBuffer message) {
    digest.update(message.duplicate());
    return this;
  }

  byte[] digest() {
    return digest.digest();
  }
}
