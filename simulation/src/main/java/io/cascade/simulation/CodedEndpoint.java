package io.cascade.simulation;

import io.cascade.coding.session.CodedSession;
import io.cascade.coding.session.ReceivingState;
import io.cascade.coding.session.SessionSettings;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A coded session with an application that sends bytes of the {@link Pattern} and checks what
 * arrives. Content may be shorter than on a real network, to save computation; packets still count
 * with their full length.
 */
public final class CodedEndpoint implements Endpoint {
  /** IPv4, UDP and the authenticator of AES-GCM, which real sessions add. */
  public static final int OVERHEAD_BYTES = 20 + 8 + 16;

  private static final int CONTROL_TYPE = 3;

  private final CodedSession session;
  private final long bytesToSend;
  private final int padding;
  private final ByteBuffer out;
  private final ByteBuffer chunk = ByteBuffer.allocate(4_096);
  private long offered;
  private long received;
  private boolean ended;
  private long allowed = Long.MAX_VALUE;

  /**
   * @param bytesToSend number of bytes before the end; Long.MAX_VALUE for no end
   */
  public CodedEndpoint(CodedSession session, SessionSettings settings, long bytesToSend) {
    this.session = session;
    this.bytesToSend = bytesToSend;
    this.padding = Math.max(0, SessionSettings.USUAL_CONTENT_BYTES - settings.contentBytes());
    this.out = ByteBuffer.allocate(settings.datagramBytes());
  }

  public CodedSession session() {
    return session;
  }

  /** Number of bytes that arrived, in order and correct. */
  public long received() {
    return received;
  }

  /** Number of bytes offered so far. */
  public long offered() {
    return offered;
  }

  /** Lets the application offer up to this total number of bytes for now. */
  public void allow(long bytes) {
    allowed = bytes;
  }

  @Override
  public void onPacket(Object content, long nowNanos) {
    session.onDatagram(ByteBuffer.wrap((byte[]) content), nowNanos);
    read(nowNanos);
  }

  private void read(long nowNanos) {
    while (session.receiving() != ReceivingState.ENDED) {
      chunk.clear();
      if (session.read(chunk, nowNanos) == 0) {
        return;
      }
      Pattern.check(chunk.flip(), received);
      received += chunk.limit();
    }
  }

  private void write() {
    long most = Math.min(bytesToSend, allowed);
    while (offered < most && session.hasRoom()) {
      chunk.clear().limit((int) Math.min(chunk.capacity(), most - offered));
      Pattern.fill(chunk, offered);
      int taken = session.offer(chunk.flip());
      if (taken == 0) {
        return;
      }
      offered += taken;
    }
    if (offered == bytesToSend && !ended) {
      ended = true;
      session.end();
    }
  }

  @Override
  public @Nullable Packet poll(long nowNanos) {
    write();
    read(nowNanos);
    out.clear();
    int length = session.poll(nowNanos, out);
    if (length == 0) {
      return null;
    }
    byte[] datagram = new byte[length];
    out.flip().get(datagram);
    boolean isData = ((datagram[0] >> 2) & 7) != CONTROL_TYPE;
    return new Packet(datagram, length + OVERHEAD_BYTES + (isData ? padding : 0));
  }

  @Override
  public long nextNanos() {
    return session.nextNanos();
  }
}
