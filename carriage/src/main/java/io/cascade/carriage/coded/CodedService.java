package io.cascade.carriage.coded;

import io.netty.channel.ChannelHandler;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sessions that an end accepts under one name.
 *
 * @param key that both ends hold, 32 bytes
 * @param handlers makes the first handler of each connection
 * @param isGuest whether its sessions get places only while half of them are free
 */
@SuppressWarnings("ArrayRecordComponent") // never changed or compared
public record CodedService(byte[] key, Supplier<ChannelHandler> handlers, boolean isGuest) {

  /** Services by name. */
  @FunctionalInterface
  public interface Names {
    /** Returns the service with a name; null if there is none. */
    @Nullable CodedService of(byte[] name);
  }
}
