package io.cascade.client.transfer.schedule;

import io.cascade.client.transfer.content.ByteRanges;
import io.cascade.client.transfer.wire.Block;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Ledger of the blocks that each connection has in flight, and of those that have to be sent again.
 *
 * @param <C> a connection
 */
public final class BlockLedger<C> {
  private final Map<C, Account> accounts = new HashMap<>();
  private final ArrayDeque<Range> lost = new ArrayDeque<>();
  private ByteRanges arrived = new ByteRanges();

  /**
   * Bytes of the file, {@code length} from {@code offset} on.
   *
   * @param hole whether they are a hole, of which no connection carries a byte
   */
  public record Range(long offset, int length, boolean hole) {
    /** Bytes outside of holes. */
    public Range(long offset, int length) {
      this(offset, length, false);
    }

    /** Bytes that a connection carries for them. */
    public int carried() {
      return hole ? 0 : length;
    }

    /** Offset behind the last one. */
    public long end() {
      return offset + length;
    }
  }

  /** A block that a connection has taken. */
  private record UnderWay(Range block, long sentNanos) {}

  private static final class Account {
    final Pace pace;

    /** Keys are offsets, in the order in which they were sent. */
    final LinkedHashMap<Long, UnderWay> underWay = new LinkedHashMap<>();

    long underWayBytes;

    Account(Pace pace) {
      this.pace = pace;
    }

    Forecast forecast(long nowNanos) {
      return Forecast.of(underWayBytes, pace, nowNanos);
    }
  }

  /** Decides whether a block in flight on another connection is to be sent as well. */
  @FunctionalInterface
  interface Worthwhile {
    /**
     * @param theirs the other connection, with the block as the last one in flight
     */
    boolean test(Range block, Forecast theirs);
  }

  void add(C connection, Pace pace) {
    accounts.put(connection, new Account(pace));
  }

  boolean knows(C connection) {
    return accounts.containsKey(connection);
  }

  Pace pace(C connection) {
    return Objects.requireNonNull(accounts.get(connection)).pace;
  }

  /** Whether a connection has nothing in flight. */
  public boolean isIdle(C connection) {
    Account account = accounts.get(connection);
    return account == null || account.underWay.isEmpty();
  }

  /** Bytes that a connection was given and the receiver has not confirmed. */
  long underWayBytes(C connection) {
    return Objects.requireNonNull(accounts.get(connection)).underWayBytes;
  }

  /** Forecast of what a connection carries; empty where it was removed. */
  Optional<Forecast> forecast(C connection, long nowNanos) {
    return Optional.ofNullable(accounts.get(connection)).map(account -> account.forecast(nowNanos));
  }

  /** Forecast of what the other connections carry together; empty where there is none. */
  Optional<Forecast> forecastBeside(C connection, long nowNanos) {
    return accounts.entrySet().stream()
        .filter(entry -> !entry.getKey().equals(connection))
        .map(entry -> entry.getValue().forecast(nowNanos))
        .reduce(Forecast::with);
  }

  /** A block is sent over a connection. */
  public void sent(C connection, Range block, long nowNanos) {
    Account account = accounts.get(connection);
    if (account == null) {
      lost.add(block); // The connection was removed while the block was read.
    } else {
      account.underWay.put(block.offset(), new UnderWay(block, nowNanos));
      account.underWayBytes += block.carried();
    }
  }

  /**
   * The receiver has a block.
   *
   * @return the block as it was sent; empty where the connection had no such block in flight
   */
  public Optional<Range> arrived(C connection, Range block, long nowNanos) {
    Account account = accounts.get(connection);
    Range sent = block;
    if (account != null) {
      UnderWay known = account.underWay.get(block.offset());
      if (known == null || known.block().length() != block.length()) {
        return Optional.empty();
      }
      sent = known.block();
      account.underWay.remove(block.offset());
      account.underWayBytes -= sent.carried();
      if (!sent.hole()) {
        account.pace.arrived(block.length(), known.sentNanos(), nowNanos);
      }
    } // Otherwise the receipt was in flight when the connection was removed.
    arrived.add(block.offset(), block.end());
    return Optional.of(sent);
  }

  /** Removes a connection: its blocks in flight have to be sent again. */
  public void remove(C connection) {
    Account account = accounts.remove(connection);
    if (account != null) {
      account.underWay.values().stream()
          .map(UnderWay::block)
          .sorted(Comparator.comparingLong(Range::offset))
          .forEach(lost::add);
    }
  }

  /**
   * Begins with what another reception holds: nothing else has arrived there.
   *
   * @return what need not be read: what is held, and what connections have in flight
   */
  public ByteRanges begin(ByteRanges held) {
    arrived = held.copy();
    lost.clear();
    ByteRanges there = held.copy();
    for (Account account : accounts.values()) {
      for (UnderWay one : account.underWay.values()) {
        long _ = there.add(one.block().offset(), one.block().end());
      }
    }
    return there;
  }

  /**
   * The receiver holds more than it has confirmed, since a connection failed before its receipts
   * arrived.
   */
  public void holds(ByteRanges held) {
    arrived.addAll(held);
  }

  /** The receiver holds other bytes there than the file: they are sent again. */
  public void sendAnew(long offset, long end) {
    arrived.remove(offset, end);
    for (long at = offset; at < end; at += Block.MAX_BYTES) {
      lost.add(new Range(at, (int) Math.min(Block.MAX_BYTES, end - at)));
    }
  }

  /**
   * Takes the next block that has to be sent again; null where there is none. A block that the
   * connection has in flight itself, as a copy, is not sent over it twice: its receipts could not
   * be told apart.
   */
  @Nullable Range resend(C connection, long nowNanos) {
    Account own = accounts.get(connection);
    for (Range block = lost.poll(); block != null; block = lost.poll()) {
      boolean underWay = own != null && own.underWay.containsKey(block.offset());
      if (!underWay && !hasArrived(block)) {
        sent(connection, block, nowNanos);
        return block;
      }
    }
    return null;
  }

  /**
   * Takes a copy of a block in flight on another connection, the last one first, so that the two
   * meet in the middle; empty where no copy is worthwhile that this connection has not sent
   * already.
   */
  Optional<Range> copy(C connection, long nowNanos, Worthwhile worthwhile) {
    Account own = accounts.get(connection);
    if (own == null) {
      return Optional.empty();
    }
    for (Map.Entry<C, Account> other : accounts.entrySet()) {
      if (other.getKey().equals(connection)) {
        continue;
      }
      Account theirs = other.getValue();
      Forecast forecast = theirs.forecast(nowNanos);
      long behind = theirs.underWayBytes;
      for (UnderWay one : List.copyOf(theirs.underWay.sequencedValues().reversed())) {
        Range block = one.block();
        Forecast until = new Forecast(behind, forecast.bitsPerSecond(), forecast.leastSeconds());
        behind -= block.carried();
        if (!own.underWay.containsKey(block.offset())
            && !hasArrived(block)
            && worthwhile.test(block, until)) {
          sent(connection, block, nowNanos);
          return Optional.of(block);
        }
      }
    }
    return Optional.empty();
  }

  /** Whether everything that has not arrived is in flight on this connection. */
  boolean hasTheRest(C connection) {
    Account own = accounts.get(connection);
    if (own == null || !lost.stream().allMatch(this::hasArrived)) {
      return false;
    }
    return accounts.values().stream()
        .flatMap(account -> account.underWay.values().stream())
        .map(UnderWay::block)
        .allMatch(block -> own.underWay.containsKey(block.offset()) || hasArrived(block));
  }

  private boolean hasArrived(Range block) {
    return arrived.contains(block.offset(), block.end());
  }

  /** Bytes of the file that the receiver has. */
  public long arrivedBytes() {
    return arrived.bytes();
  }

  int connections() {
    return accounts.size();
  }
}
