package io.cascade.carriage.socket;

import io.cascade.kernel.settings.KernelSettings;
import org.jspecify.annotations.Nullable;

/**
 * Sizes to which this host's kernel lets the buffers of a TCP connection grow. They bound the bytes
 * that it may have in flight.
 *
 * @param mostSendBytes null if unknown
 * @param mostReceiveBytes null if unknown
 */
public record SocketBuffers(@Nullable Long mostSendBytes, @Nullable Long mostReceiveBytes) {
  static final String SENDING = "net.ipv4.tcp_wmem";
  static final String RECEIVING = "net.ipv4.tcp_rmem";

  /** Reads the present sizes: an operator may change them while a relay runs. */
  public static SocketBuffers ofThisHost() {
    return of(KernelSettings.ofThisHost());
  }

  static SocketBuffers of(KernelSettings settings) {
    return new SocketBuffers(most(settings.read(SENDING)), most(settings.read(RECEIVING)));
  }

  /** Returns the last of the least, the usual and the greatest size. */
  private static @Nullable Long most(String sizes) {
    String[] each = sizes.split("\\s+", -1);
    return each.length == 3 ? (Long) Long.parseLong(each[2]) : null;
  }
}
