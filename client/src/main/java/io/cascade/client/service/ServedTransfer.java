package io.cascade.client.service;

import io.cascade.api.transfers.Slow;
import io.cascade.api.transfers.Transfer;
import io.cascade.api.transfers.TransferRequest;
import io.cascade.api.transfers.TransferState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A requested transfer. Guarded by the lock of its {@link TransferTable}.
 *
 * <pre>
 *            begins    arrives   fails    is stopped   the service is started again
 *   WAITING  RUNNING   itself    itself   STOPPED      itself
 *   RUNNING  itself    ARRIVED   FAILED   STOPPED      WAITING
 *   ARRIVED, FAILED and STOPPED do not change
 * </pre>
 */
final class ServedTransfer {
  /** Most connections of a transfer whose ways are reported; a transfer has no more. */
  private static final int MOST_WAYS = 32;

  private final UUID id;
  private final TransferRequest request;
  private final @Nullable String key;
  private final String to;
  private final Instant createdAt;
  private final List<String> ways = new ArrayList<>();
  private TransferState state = TransferState.WAITING;
  private @Nullable Instant startedAt;
  private @Nullable Instant endedAt;
  private @Nullable Long size;
  private long bytes;
  private @Nullable Double bitsPerSecond;
  private @Nullable Slow slow;
  private @Nullable Integer place;
  private @Nullable String reason;
  private @Nullable String sha256;

  /** Number of its latest change among the changes of all transfers. */
  private long revision;

  /** Null before sending begins. */
  private @Nullable Thread thread;

  /** Events that change the state of a transfer. */
  enum Event {
    BEGINS,
    ARRIVES,
    FAILS,
    STOPS,
    RESTARTS
  }

  /**
   * A transfer as stored in the journal.
   *
   * @param key Idempotency-Key; null where there was none
   */
  record Kept(@Nullable String key, TransferRequest request, Transfer transfer) {}

  /**
   * @param to the receiver, without its secret
   */
  ServedTransfer(
      UUID id, TransferRequest request, @Nullable String key, String to, Instant createdAt) {
    this.id = id;
    this.request = request;
    this.key = key;
    this.to = to;
    this.createdAt = createdAt;
  }

  /** Restores a transfer of an earlier process of the service. */
  static ServedTransfer of(Kept kept) {
    Transfer then = kept.transfer();
    ServedTransfer made =
        new ServedTransfer(then.id(), kept.request(), kept.key(), then.to(), then.createdAt());
    made.state = after(then.state(), Event.RESTARTS);
    made.startedAt = then.startedAt();
    made.endedAt = then.endedAt();
    made.size = then.size();
    made.bytes = then.bytes();
    made.bitsPerSecond = isOver(then.state()) ? then.bitsPerSecond() : null;
    made.reason = then.reason();
    made.sha256 = then.sha256();
    return made;
  }

  static TransferState after(TransferState state, Event event) {
    return switch (state) {
      case WAITING ->
          switch (event) {
            case BEGINS -> TransferState.RUNNING;
            case STOPS -> TransferState.STOPPED;
            case ARRIVES, FAILS, RESTARTS -> state;
          };
      case RUNNING ->
          switch (event) {
            case ARRIVES -> TransferState.ARRIVED;
            case FAILS -> TransferState.FAILED;
            case STOPS -> TransferState.STOPPED;
            case RESTARTS -> TransferState.WAITING;
            case BEGINS -> state;
          };
      case ARRIVED, FAILED, STOPPED -> state;
    };
  }

  static boolean isOver(TransferState state) {
    return switch (state) {
      case WAITING, RUNNING -> false;
      case ARRIVED, FAILED, STOPPED -> true;
    };
  }

  /**
   * Applies an event.
   *
   * @return whether the state changed
   */
  boolean move(Event event, Instant now) {
    TransferState next = after(state, event);
    if (next == state) {
      return false;
    }
    state = next;
    place = null;
    slow = null;
    ways.clear();
    if (next == TransferState.RUNNING) {
      startedAt = now;
      reason = null;
    } else if (isOver(next)) {
      endedAt = now;
      bitsPerSecond = null;
    }
    return true;
  }

  UUID id() {
    return id;
  }

  TransferRequest request() {
    return request;
  }

  @Nullable String key() {
    return key;
  }

  TransferState state() {
    return state;
  }

  boolean isOver() {
    return isOver(state);
  }

  long revision() {
    return revision;
  }

  void changed(long number) {
    revision = number;
  }

  @Nullable Thread thread() {
    return thread;
  }

  void sentBy(Thread one) {
    thread = one;
  }

  void opened(@Nullable Long fileBytes) {
    size = fileBytes;
  }

  void moved(long there, @Nullable Double rate) {
    bytes = there;
    bitsPerSecond = rate;
    place = null;
  }

  void slowedBy(@Nullable Slow what) {
    slow = what;
  }

  void waits(int inQueue) {
    place = inQueue;
  }

  void joined(String way) {
    if (ways.size() < MOST_WAYS) {
      ways.add(way);
    }
    reason = null;
  }

  void left(String way) {
    ways.remove(way);
  }

  void because(@Nullable String why) {
    reason = why;
  }

  void verified(String digest) {
    sha256 = digest;
  }

  Transfer document() {
    return Transfer.builder()
        .id(id)
        .state(state)
        .file(request.file())
        .to(to)
        .createdAt(createdAt)
        .startedAt(startedAt)
        .endedAt(endedAt)
        .size(size)
        .bytes(bytes)
        .bitsPerSecond(bitsPerSecond)
        .slow(slow)
        .place(place)
        .ways(ways.isEmpty() ? null : List.copyOf(ways))
        .reason(reason)
        .sha256(sha256)
        .build();
  }

  Kept kept() {
    return new Kept(key, request, document());
  }
}
