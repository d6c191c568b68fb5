package io.cascade.gateway.tunnel;

import io.cascade.kernel.CLibrary;
import io.cascade.kernel.Kernel;
import io.cascade.kernel.TunDevice;
import io.cascade.packets.offload.OffloadHeader;
import io.cascade.packets.offload.Segmenter;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.unix.FileDescriptor;
import io.netty.util.concurrent.Future;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * A TUN device on an event loop: a system call for each packet that the kernel hands over, which
 * may represent many segments if the device has offloads.
 */
final class TunPort implements EpollIoHandle {
  private static final int MOST_BYTES = 65_536;
  private static final int PACKETS_A_TURN = 64;

  private final TunDevice device;
  private final FileDescriptor descriptor;
  private final Reader reader;
  private final Runnable removed;
  private final MemorySegment state = CLibrary.newState();
  private final int headerBytes;
  private final Segmenter segmenter = new Segmenter(MOST_BYTES);
  private final byte[] header = new byte[OffloadHeader.BYTES];
  private final MemorySegment incoming = Arena.ofAuto().allocate(OffloadHeader.BYTES + MOST_BYTES);
  private final MemorySegment outgoing = Arena.ofAuto().allocate(OffloadHeader.BYTES + MOST_BYTES);
  private final byte[] bytes = new byte[MOST_BYTES];
  private @Nullable IoRegistration registration;
  private boolean isClosed;
  private long refused;

  /** Receives packets; the bytes are reused after it has returned. */
  @FunctionalInterface
  interface Reader {
    void read(byte[] bytes, int length);
  }

  /**
   * @param removed is called when the device is removed
   */
  TunPort(TunDevice device, Reader reader, Runnable removed) {
    this.device = device;
    this.headerBytes = device.hasOffloads() ? OffloadHeader.BYTES : 0;
    this.descriptor = new FileDescriptor(device.descriptor());
    this.reader = reader;
    this.removed = removed;
  }

  /** Starts to read. */
  void register(EventLoop loop) {
    Future<IoRegistration> registering = ((IoEventLoop) loop).register(this);
    registering.addListener(done -> {
      registration = (IoRegistration) done.getNow();
      registration.submit(EpollIoOps.EPOLLIN);
    });
  }

  /** Writes a packet to the kernel; rejected ones are counted. */
  void write(byte[] packet) {
    // Links may still deliver packets, and the descriptor's number may belong to another file.
    if (isClosed) {
      refused++;
      return;
    }
    // The header before the packet stays zero, which requests no offload.
    MemorySegment.copy(packet, 0, outgoing, ValueLayout.JAVA_BYTE, headerBytes, packet.length);
    int length = headerBytes + packet.length;
    if (Kernel.write(state, device.descriptor(), outgoing.address(), length) < 0) {
      refused++;
    }
  }

  /** Returns the counters of segmented packets. */
  Segmenter.Counts segmented() {
    return segmenter.counts();
  }

  long refused() {
    return refused;
  }

  @Override
  public FileDescriptor fd() {
    return descriptor;
  }

  @Override
  public void handle(IoRegistration ignored, IoEvent event) {
    for (int i = 0; i < PACKETS_A_TURN && !isClosed; i++) {
      long length =
          Kernel.read(state, device.descriptor(), incoming.address(), incoming.byteSize());
      if (length == -Kernel.EAGAIN) {
        return;
      }
      if (length < 0) {
        close();
        removed.run();
        return;
      }
      received((int) length);
    }
  }

  private void received(int length) {
    int packetBytes = Math.max(0, Math.min(MOST_BYTES, length - headerBytes));
    MemorySegment.copy(incoming, ValueLayout.JAVA_BYTE, headerBytes, bytes, 0, packetBytes);
    if (headerBytes == 0) {
      reader.read(bytes, packetBytes);
    } else if (length >= headerBytes) {
      MemorySegment.copy(incoming, ValueLayout.JAVA_BYTE, 0, header, 0, headerBytes);
      segmenter.split(OffloadHeader.read(header), bytes, packetBytes, reader::read);
    }
  }

  @Override
  public void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    if (registration != null) {
      registration.cancel();
    }
    Kernel.close(device.descriptor());
  }
}
