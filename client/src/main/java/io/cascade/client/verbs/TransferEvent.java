package io.cascade.client.verbs;

import io.cascade.client.transfer.Bottleneck;
import io.cascade.client.transfer.Received;
import io.cascade.client.transfer.receiver.Outcome;
import io.cascade.client.transfer.wire.TransferHeader;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Event of a running transfer for programs, a line of JSON. {@code event} says what happened,
 * {@code at} when, {@code transfer} identifies the transfer at both ends.
 */
sealed interface TransferEvent {

  /**
   * A transfer begins.
   *
   * @param size in bytes; null where the sender does not know it
   * @param from address of the sender; null at the sender
   * @param sender name that the sender gives; null where it gives none, and at the sender
   */
  record Began(
      String event,
      Instant at,
      UUID transfer,
      String name,
      @Nullable Long size,
      @Nullable String from,
      @Nullable String sender)
      implements TransferEvent {
    Began(TransferHeader header, @Nullable String from) {
      this(
          "began",
          Instant.now(),
          header.transfer(),
          header.name(),
          header.sizeKnown() ? header.size() : null,
          from,
          from == null ? null : header.fields().sender());
    }
  }

  /**
   * Bytes that have arrived; at most once a second.
   *
   * @param bitsPerSecond since the previous event
   * @param slow key of the slowest part, see {@link Bottleneck}; null where unknown
   */
  record Progress(
      String event,
      Instant at,
      UUID transfer,
      long bytes,
      @Nullable Long size,
      double bitsPerSecond,
      @Nullable String slow)
      implements TransferEvent {
    Progress(TransferHeader header, long bytes, double bitsPerSecond, @Nullable Bottleneck slow) {
      this(
          "progress",
          Instant.now(),
          header.transfer(),
          bytes,
          header.sizeKnown() ? header.size() : null,
          bitsPerSecond,
          slow == null ? null : slow.key());
    }
  }

  /**
   * The receiver processes other transfers first.
   *
   * @param place in its queue, from 1
   */
  record Waiting(String event, Instant at, UUID transfer, int place) implements TransferEvent {
    Waiting(TransferHeader header, int place) {
      this("waiting", Instant.now(), header.transfer(), place);
    }
  }

  /** A connection was added on a way. */
  record WayJoined(String event, Instant at, UUID transfer, String way) implements TransferEvent {
    WayJoined(TransferHeader header, String way) {
      this("way-joined", Instant.now(), header.transfer(), way);
    }
  }

  /** A connection on a way was lost before the transfer's end. */
  record WayLeft(String event, Instant at, UUID transfer, String way, String reason)
      implements TransferEvent {
    WayLeft(TransferHeader header, String way, String reason) {
      this("way-left", Instant.now(), header.transfer(), way, reason);
    }
  }

  /** The last connection was lost, and another one is attempted. */
  record Retrying(String event, Instant at, UUID transfer, String reason) implements TransferEvent {
    Retrying(TransferHeader header, String reason) {
      this("retrying", Instant.now(), header.transfer(), reason);
    }
  }

  /**
   * The receiver has the file, verified.
   *
   * @param transfer null at a sender that did not begin one
   * @param file its path, or the folder of the entries; null at the sender
   * @param from address of the sender; null at the sender
   * @param sender name that the sender gives; null where it gives none, and at the sender
   */
  record Arrived(
      String event,
      Instant at,
      @Nullable UUID transfer,
      long bytes,
      String sha256,
      double seconds,
      @Nullable String file,
      @Nullable String from,
      @Nullable String sender)
      implements TransferEvent {
    Arrived(Received received) {
      this(
          "arrived",
          Instant.now(),
          received.transfer(),
          received.bytes(),
          received.sha256().toString(),
          received.elapsed().toNanos() / 1e9,
          received.file().toAbsolutePath().normalize().toString(),
          received.from(),
          received.sender());
    }

    Arrived(@Nullable UUID transfer, SendReport sent) {
      this(
          "arrived",
          Instant.now(),
          transfer,
          sent.bytes(),
          sent.sha256(),
          sent.seconds(),
          null,
          null,
          null);
    }
  }

  /**
   * The transfer failed.
   *
   * @param transfer null where it ended before there was a header
   * @param from address of the sender; null at the sender, and where there was no header
   * @param sender name that the sender gives; null as {@code from}, and where it gives none
   */
  record Failed(
      String event,
      Instant at,
      @Nullable UUID transfer,
      String reason,
      @Nullable String from,
      @Nullable String sender)
      implements TransferEvent {
    Failed(Outcome.Broken broken) {
      this(
          "failed",
          Instant.now(),
          broken.attempt() == null ? null : broken.attempt().transfer(),
          broken.reason(),
          broken.attempt() == null ? null : broken.attempt().from(),
          broken.attempt() == null ? null : broken.attempt().sender());
    }

    Failed(@Nullable UUID transfer, String reason) {
      this("failed", Instant.now(), transfer, reason, null, null);
    }
  }
}
