package io.cascade.client.transfer;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which connection has which blocks under way, and which blocks have to be sent once more.
 *
 * <p>A connection may have no more under way than {@value #LEAST_WINDOW} bytes and twice what has
 * arrived over it: enough for a congestion window that doubles each round trip, and little enough
 * that a slow connection does not hoard blocks that a quick one could carry.
 *
 * @param <C> a connection
 */
final class BlockLedger<C> {
  static final long LEAST_WINDOW = 256 * 1024;

  private final Map<C, Account> accounts = new HashMap<>();
  private final ArrayDeque<Range> lost = new ArrayDeque<>();
  private final ByteRanges arrived = new ByteRanges();

  /** Bytes of the file, {@code length} from {@code offset} on. */
  record Range(long offset, int length) {
    long end() {
      return offset + length;
    }
  }

  private static final class Account {
    final TreeMap<Long, Integer> underWay = new TreeMap<>();
    long underWayBytes;
    long arrivedBytes;
  }

  void add(C connection) {
    accounts.put(connection, new Account());
  }

  /** Whether the connection may have another block under way. */
  boolean mayTake(C connection) {
    Account account = accounts.get(connection);
    return account != null && account.underWayBytes < LEAST_WINDOW + 2 * account.arrivedBytes;
  }

  /** A block leaves over a connection. */
  void sent(C connection, Range block) {
    Account account = accounts.get(connection);
    if (account == null) {
      lost.add(block); // The connection went while the block was read.
    } else {
      account.underWay.put(block.offset(), block.length());
      account.underWayBytes += block.length();
    }
  }

  /**
   * The receiver has a block.
   *
   * @return false where the connection had no such block under way
   */
  boolean arrived(C connection, Range block) {
    Account account = accounts.get(connection);
    if (account != null) {
      if (!account.underWay.remove(block.offset(), block.length())) {
        return false;
      }
      account.underWayBytes -= block.length();
      account.arrivedBytes += block.length();
    } // Otherwise it is a receipt that was on its way when the connection went.
    arrived.add(block.offset(), block.end());
    return true;
  }

  /** The connection goes: what it had under way has to be sent once more. */
  void remove(C connection) {
    Account account = accounts.remove(connection);
    if (account != null) {
      account.underWay.forEach((offset, length) -> lost.add(new Range(offset, length)));
    }
  }

  /**
   * Takes the next block that has to be sent once more; null where there is none. What the
   * connection has under way itself, as a copy, is not sent over it twice: its receipts could not
   * be told apart.
   */
  @Nullable Range resend(C connection) {
    Account own = accounts.get(connection);
    for (Range block = lost.poll(); block != null; block = lost.poll()) {
      boolean underWay = own != null && own.underWay.containsKey(block.offset());
      if (!underWay && !arrived.contains(block.offset(), block.end())) {
        sent(connection, block);
        return block;
      }
    }
    return null;
  }

  /**
   * Takes a copy of a block that another connection has under way, the last one first, so that the
   * two meet in the middle; null where there is none that this connection has not sent as well.
   */
  @Nullable Range copy(C connection) {
    Account own = accounts.get(connection);
    if (own == null) {
      return null;
    }
    for (Account other : accounts.values()) {
      for (Map.Entry<Long, Integer> entry : other.underWay.descendingMap().entrySet()) {
        Range block = new Range(entry.getKey(), entry.getValue());
        if (!own.underWay.containsKey(block.offset())
            && !arrived.contains(block.offset(), block.end())) {
          sent(connection, block);
          return block;
        }
      }
    }
    return null;
  }

  /** Whether everything that has not arrived is under way over this connection. */
  boolean hasTheRest(C connection) {
    Account own = accounts.get(connection);
    if (own == null || !lost.stream().allMatch(this::hasArrived)) {
      return false;
    }
    return accounts.values().stream()
        .flatMap(account -> account.underWay.entrySet().stream())
        .allMatch(entry ->
            own.underWay.containsKey(entry.getKey())
                || hasArrived(new Range(entry.getKey(), entry.getValue())));
  }

  private boolean hasArrived(Range block) {
    return arrived.contains(block.offset(), block.end());
  }

  /** Bytes of the file that the receiver has. */
  long arrivedBytes() {
    return arrived.bytes();
  }

  int connections() {
    return accounts.size();
  }
}
