package io.cascade.segments;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret that two junctions share. Computes and verifies the authenticators of a pipe's
 * introduction: HMAC-SHA256 (RFC 2104), truncated to 128 bits.
 */
public final class SharedKey {
  /** A shorter secret could be guessed. */
  public static final int LEAST_BYTES = 16;

  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec key;

  /**
   * @throws IllegalArgumentException if the secret is shorter than {@value #LEAST_BYTES} bytes
   */
  public SharedKey(byte[] secret) {
    if (secret.length < LEAST_BYTES) {
      throw new IllegalArgumentException(
          "secret: %d bytes (expected: >= %d)".formatted(secret.length, LEAST_BYTES));
    }
    key = new SecretKeySpec(secret, ALGORITHM);
  }

  /**
   * Authenticates an introduction, which is fresh because the acceptor has just drawn the nonce.
   */
  public Octets16 introduction(boolean join, Octets16 stream, int pipe, Octets16 nonce) {
    return authenticator(join ? "join" : "open", stream, pipe, nonce);
  }

  /** Authenticates the acceptor's answer to an introduction. */
  public Octets16 acceptance(Octets16 stream, int pipe, Octets16 nonce) {
    return authenticator("accept", stream, pipe, nonce);
  }

  /**
   * Derives a key of 32 bytes for another purpose, which reveals nothing of this one: HMAC as a
   * PRF.
   */
  public byte[] derived(String purpose) {
    return mac("cascade segment %d %s".formatted(Frame.VERSION, purpose), ByteBuffer.allocate(0));
  }

  private Octets16 authenticator(String purpose, Octets16 stream, int pipe, Octets16 nonce) {
    ByteBuffer values = ByteBuffer.allocate(2 * Octets16.BYTES + Integer.BYTES);
    stream.write(values);
    values.putInt(pipe);
    nonce.write(values);
    String text = "cascade segment %d %s:".formatted(Frame.VERSION, purpose);
    return Octets16.read(ByteBuffer.wrap(mac(text, values.flip())));
  }

  private byte[] mac(String text, ByteBuffer values) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update(text.getBytes(StandardCharsets.US_ASCII));
      mac.update(values);
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }

  @Override
  public String toString() {
    return "SharedKey"; // never the secret
  }
}
