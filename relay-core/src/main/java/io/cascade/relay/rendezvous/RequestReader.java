package io.cascade.relay.rendezvous;

import io.cascade.carriage.preamble.PreambleHandler;
import io.cascade.carriage.rendezvous.MalformedMeeting;
import io.cascade.carriage.rendezvous.MeetingRefusal;
import io.cascade.carriage.rendezvous.MeetingRequest;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads the request of one connection and passes the connection on to its meeting place. */
final class RequestReader extends PreambleHandler {
  private static final int MOST_BYTES = 4_096;

  private final RendezvousServer server;
  private @Nullable InetAddress admitted;

  RequestReader(RendezvousServer server) {
    super(MOST_BYTES);
    this.server = server;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    if (!(context.channel().remoteAddress() instanceof InetSocketAddress client)) {
      gone(); // reset before its address was read
      return;
    }
    MeetingRefusal obstacle = server.enter(client.getAddress());
    if (obstacle != null) {
      giveUp();
      server.refuseAtOnce(context.channel(), obstacle);
      return;
    }
    admitted = client.getAddress();
    expect();
  }

  @Override
  protected void parse(ByteBuf bytes) {
    try {
      ByteBuffer in = bytes.nioBuffer();
      MeetingRequest request = MeetingRequest.decode(in);
      if (request != null) {
        bytes.skipBytes(MeetingRequest.BYTES);
        handOver(behind -> server.requested(context().channel(), request, behind));
      }
    } catch (MalformedMeeting e) {
      refuse(MeetingRefusal.MALFORMED);
    }
  }

  private void refuse(MeetingRefusal why) {
    giveUp();
    server.refuse(context().channel(), why);
  }

  private void gone() {
    giveUp();
    server.counts().gone();
    context().channel().close();
  }

  @Override
  protected void broken(@Nullable Throwable cause) {
    gone();
  }

  @Override
  protected void late() {
    refuse(MeetingRefusal.LATE);
  }

  @Override
  protected Duration patience() {
    return server.limits().patience();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    InetAddress client = admitted;
    if (client != null) {
      admitted = null;
      server.leave(client);
    }
  }
}
