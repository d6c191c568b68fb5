package io.cascade.client.transfer;

import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.content.Sha256;
import io.cascade.client.transfer.wire.FinalReply;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * End of a transfer at its sender: the receiver's answer, or the failure. The first of them counts.
 * Guarded by the transfer's lock.
 */
final class Conclusion {
  private final Duration patience;
  private boolean isTimed = true;
  private long arrivalNanos;
  private String lastBreak = "";
  private long answeredNanos;
  private @Nullable FinalReply answer;
  private @Nullable TransferFailed failure;

  /**
   * @param patience how long nothing may arrive, also before the first connection is established
   */
  Conclusion(Duration patience, long nowNanos) {
    this.patience = patience;
    this.arrivalNanos = nowNanos;
  }

  boolean reached() {
    return answer != null || failure != null;
  }

  void answered(FinalReply said, long nowNanos) {
    if (!reached()) {
      answer = said;
      answeredNanos = nowNanos;
    }
  }

  /** Time of the receiver's answer; a waiting thread may notice it later. */
  long answeredNanos() {
    return answeredNanos;
  }

  void failed(TransferFailed why) {
    if (!reached()) {
      failure = why;
    }
  }

  /**
   * The first connection is established.
   *
   * @param outlivesConnections whether a time-out ends the transfer from now on, instead of the
   *     failure of the last connection
   */
  void connected(boolean outlivesConnections, long nowNanos) {
    isTimed = outlivesConnections;
    arrived(nowNanos);
  }

  /** A block has arrived. */
  void arrived(long nowNanos) {
    arrivalNanos = nowNanos;
  }

  /** A connection failed, while others are open or may be opened. */
  void broke(String words) {
    lastBreak = words;
  }

  /** Time to wait until {@link #giveUp}; {@link Long#MAX_VALUE} without a time-out. */
  long millisLeft(long nowNanos) {
    return isTimed ? (arrivalNanos + patience.toNanos() - nowNanos) / 1_000_000 : Long.MAX_VALUE;
  }

  /**
   * Fails the transfer on time-out.
   *
   * @param sent how much was sent, in words
   */
  void giveUp(String sent) {
    String words = lastBreak.isEmpty() ? "not delivered: %s were sent".formatted(sent) : lastBreak;
    failed(
        new TransferFailed("%s; nothing arrived for %d s".formatted(words, patience.toSeconds())));
  }

  /**
   * Checks the answer.
   *
   * @param bytes that were sent
   * @param digest of them; null where not all was read
   * @param sent how much was sent, in words
   * @return the digest
   * @throws TransferFailed where the receiver does not hold what was sent
   */
  Sha256 verified(long bytes, @Nullable Sha256 digest, String sent) throws TransferFailed {
    FinalReply said = answer;
    if (said == null) {
      throw Objects.requireNonNull(failure);
    }
    if (!said.accepted()) {
      throw new TransferFailed(
          "the receiver refused: %s (%s were sent)".formatted(said.reason(), sent));
    }
    if (digest == null || !said.sha256().equals(digest) || said.bytes() != bytes) {
      throw new TransferFailed(
          "the receiver confirms another file: %d bytes with SHA-256 %s (sent: %d bytes, %s)"
              .formatted(said.bytes(), said.sha256(), bytes, digest));
    }
    return digest;
  }
}
