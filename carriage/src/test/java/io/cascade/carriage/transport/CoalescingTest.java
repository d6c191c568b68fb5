package io.cascade.carriage.transport;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.channel.unix.RawUnixChannelOption;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CoalescingTest {
  private static final int INFO_LENGTH = 144;
  private static final int SEGMENTS_OUT = 136;
  private static final RawUnixChannelOption INFO =
      new RawUnixChannelOption("TCP_INFO", 6, 11, INFO_LENGTH);

  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
  private MultiThreadIoEventLoopGroup loops;
  private ServerSocket listening;
  private Channel connection;

  @BeforeEach
  void open() throws Exception {
    assumeTrue(Transport.EPOLL.available(), "NOT TESTED: no epoll");
    loops = new MultiThreadIoEventLoopGroup(1, Transport.EPOLL.newIoHandlerFactory());
    listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    connection = Transport.EPOLL.newSocket(listening.getLocalSocketAddress());
    connection.config().setAutoRead(false);
    connection.pipeline().addLast(new Listening());
    loops.register(connection).sync();
  }

  @AfterEach
  void close() throws Exception {
    if (loops != null) {
      connection.close().sync();
      listening.close();
      loops.shutdownGracefully(0, 0, TimeUnit.SECONDS).sync();
    }
  }

  @Test
  void whatHasArrivedIsTakenAndWhatHasNotIsNotWaitedFor() throws Exception {
    try (Socket peer = connect()) {
      assertThat(arrived()).isEmpty();
      peer.getOutputStream().write("hello".getBytes(US_ASCII));
      assertThat(await().until(this::arrived, text -> !text.isEmpty())).isEqualTo("hello");
      assertThat(arrived()).isEmpty();
    }
  }

  @Test
  void anEndThatHasArrivedIsToldToWhoReads() throws Exception {
    try (Socket peer = connect()) {
      peer.shutdownOutput();
      for (int i = 0; i < 3; i++) {
        assertThat(arrived()).isEmpty();
      }
      connection.read();
      assertThat(told.take()).isEqualTo("end");
    }
  }

  @Test
  void aResetThatHasArrivedIsToldToWhoReads() throws Exception {
    try (Socket peer = connect()) {
      peer.setSoLinger(true, 0);
      peer.close();
      for (int i = 0; i < 3; i++) {
        assertThat(arrived()).isEmpty();
      }
      connection.read();
      assertThat(told.take()).contains("reset");
    }
  }

  @Test
  void ofALackOfMemoryWhoReadsIsTold() throws Exception {
    try (Socket peer = connect()) {
      peer.getOutputStream().write("hello".getBytes(US_ASCII));
      connection.config().setAllocator(new NoMemory());
      assertThat(arrived()).isEmpty();
      connection.read();
      assertThat(told.take()).isEqualTo("no memory");
    }
  }

  @Test
  void theFirstBytesLeaveWithTheLastSegmentOfTheHandshake() throws Exception {
    try (Socket peer = connect()) {
      write();
      assertThat(peer.getInputStream().read()).isEqualTo(7);
      assertThat(segmentsSent()).as("the handshake's two, and one with a byte").isEqualTo(3);
    }

    connection.close().sync();
    connection = Transport.EPOLL.newSocket(listening.getLocalSocketAddress());
    Coalescing.gatherWithHandshake(connection);
    loops.register(connection).sync();
    try (Socket peer = connectAndWrite()) {
      assertThat(peer.getInputStream().read()).isEqualTo(7);
      assertThat(segmentsSent()).as("the handshake's two, one of them with a byte").isEqualTo(2);
    }
  }

  private Socket connect() throws Exception {
    connection.connect(listening.getLocalSocketAddress()).sync();
    return listening.accept();
  }

  /** Both on the loop, one after the other, as a stream does that has something to say. */
  private Socket connectAndWrite() throws Exception {
    connection
        .eventLoop()
        .submit(() ->
            connection
                .connect(listening.getLocalSocketAddress())
                .addListener(_ -> {
                  connection.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {7}));
                }))
        .get();
    return listening.accept();
  }

  private void write() throws Exception {
    connection.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {7})).sync();
  }

  private int segmentsSent() {
    ByteBuffer info = connection.config().getOption(INFO).order(ByteOrder.nativeOrder());
    return info.getInt(SEGMENTS_OUT);
  }

  private String arrived() throws Exception {
    return connection
        .eventLoop()
        .submit(() -> {
          ByteBuf bytes = Coalescing.arrivedWith(connection);
          String text = new String(ByteBufUtil.getBytes(bytes), US_ASCII);
          bytes.release();
          return text;
        })
        .get();
  }

  private static final class NoMemory extends AbstractByteBufAllocator {
    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
      throw new OutOfMemoryError("no memory");
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
      throw new OutOfMemoryError("no memory");
    }

    @Override
    public boolean isDirectBufferPooled() {
      return false;
    }
  }

  private final class Listening extends ChannelInboundHandlerAdapter {
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      assertThat(event).isEqualTo(ChannelInputShutdownReadComplete.INSTANCE);
      told.add("end");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      told.add(String.valueOf(cause.getMessage()));
    }
  }
}
