package io.cascade.carriage.transport;

import io.netty.channel.ChannelId;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Distinguishes connections in logs. Netty's identifier also contains the machine, the process and
 * the time, and takes more memory than all other names of an idle connection.
 */
record ConnectionId(long number) implements ChannelId {
  static ConnectionId next() {
    return new ConnectionId(ThreadLocalRandom.current().nextLong());
  }

  @Override
  public String asShortText() {
    return HexFormat.of().toHexDigits((int) number);
  }

  @Override
  public String asLongText() {
    return HexFormat.of().toHexDigits(number);
  }

  @Override
  public int compareTo(ChannelId other) {
    return asLongText().compareTo(other.asLongText());
  }
}
