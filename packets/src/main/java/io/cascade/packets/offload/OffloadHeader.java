package io.cascade.packets.offload;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Header before each packet of a device with offloads: {@code virtio_net_hdr} of Linux, in the
 * machine's byte order (Virtual I/O Device, version 1.2, section 5.1.6).
 *
 * @param needsChecksum whether the packet's checksum covers only the pseudo-header
 * @param kind of segmentation that is left to the reader
 * @param segmentBytes most payload of a segment; 0 without segmentation
 * @param checksumStart offset from which the checksum is computed
 * @param checksumOffset offset of its field from there
 */
public record OffloadHeader(
    boolean needsChecksum, Kind kind, int segmentBytes, int checksumStart, int checksumOffset) {
  /** Length of the header. */
  public static final int BYTES = 10;

  private static final int NEEDS_CHECKSUM = 1;
  private static final int TCP_V4 = 1;
  private static final int TCP_V6 = 4;
  private static final int ECN = 0x80;

  /** Segmentation that is left to the reader. */
  public enum Kind {
    NONE,
    TCP_V4,
    TCP_V6,
    /** A kind that was not enabled for the device. */
    OTHER
  }

  /** Reads one from the beginning of a buffer of any content. */
  public static OffloadHeader read(byte[] bytes) {
    ByteBuffer header = ByteBuffer.wrap(bytes, 0, BYTES).order(ByteOrder.nativeOrder());
    int flags = header.get();
    int type = header.get() & 0xff & ~ECN;
    header.getShort(); // The headers' length, which is a hint.
    int segmentBytes = header.getShort() & 0xffff;
    int start = header.getShort() & 0xffff;
    int offset = header.getShort() & 0xffff;
    Kind kind =
        switch (type) {
          case 0 -> Kind.NONE;
          case TCP_V4 -> Kind.TCP_V4;
          case TCP_V6 -> Kind.TCP_V6;
          default -> Kind.OTHER;
        };
    return new OffloadHeader((flags & NEEDS_CHECKSUM) != 0, kind, segmentBytes, start, offset);
  }
}
