package io.cascade.simulation;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Acknowledges every packet of a {@link TcpSender} by its number. */
final class TcpReceiver implements Endpoint {
  private static final int ACK_BYTES = 52;

  private final ArrayDeque<Long> owed = new ArrayDeque<>();

  @Override
  public void onPacket(Object content, long nowNanos) {
    owed.add((Long) content);
  }

  @Override
  public @Nullable Packet poll(long nowNanos) {
    Long number = owed.poll();
    return number == null ? null : new Packet(number, ACK_BYTES);
  }

  @Override
  public long nextNanos() {
    return owed.isEmpty() ? NEVER : 0;
  }
}
