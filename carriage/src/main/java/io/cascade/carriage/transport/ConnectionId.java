package io.cascade.carriage.transport;

import io.netty.channel.ChannelId;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Tells connections apart in logs. Netty's own names the machine, the process and the time as well,
 * and takes more memory than all else that is known of an idle connection's name.
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
