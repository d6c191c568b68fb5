package io.cascade.carriage.coded;

import io.netty.channel.ChannelHandler;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sessions that an end accepts under one name.
 *
 * @param key that both ends have, 32 bytes
 * @param handlers the first one of each connection
 * @param isGuest whether they take places only as long as half of them are free for others
 */
@SuppressWarnings("ArrayRecordComponent") // never changed or compared
public record CodedService(byte[] key, Supplier<ChannelHandler> handlers, boolean isGuest) {

  /** Services by their names. */
  @FunctionalInterface
  public interface Names {
    /** The service of a name; null where there is none. */
    @Nullable CodedService of(byte[] name);
  }
}
