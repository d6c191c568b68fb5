package io.cascade.client.forward;

import io.cascade.carriage.junction.JunctionConnection;
import io.cascade.carriage.transport.Connection;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;

/**
 * Copies both directions between the connection of a stream's own side and its junction, on the
 * event loop of both. Each direction holds at most one read, and reads again once that was written.
 * Both connections are closed in order once both directions have ended, and reset if either fails.
 */
final class LocalEnd {
  private static final int READ_BYTES = 64 << 10;

  private final Connection own;
  private final Connection junction;
  private int directionsLeft = 2;
  private boolean over;

  private LocalEnd(Connection own, JunctionConnection junction) {
    this.own = own;
    this.junction = junction;
  }

  /** Starts both directions. */
  static void join(Connection own, JunctionConnection junction) {
    LocalEnd end = new LocalEnd(own, junction);
    end.begin(own, junction);
    end.begin(junction, own);
  }

  private void begin(Connection from, Connection to) {
    from.receive().readFor(() -> READ_BYTES);
    from.pipeline().addLast(new Direction(from, to));
    if (from.isOpen()) {
      from.read();
    } else {
      breakOff();
    }
  }

  private void endDirection() {
    directionsLeft--;
    if (directionsLeft == 0 && !over) {
      over = true;
      own.closeInOrder();
      junction.close();
    }
  }

  private void breakOff() {
    if (!over) {
      over = true;
      own.close();
      junction.close();
    }
  }

  /** One direction, at the end of its source's pipeline. */
  private final class Direction extends ChannelInboundHandlerAdapter {
    private final Connection from;
    private final Connection to;

    Direction(Connection from, Connection to) {
      this.from = from;
      this.to = to;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      to.writeAndFlush(message)
          .addListener(written -> {
            if (!written.isSuccess()) {
              breakOff();
            } else if (!over) {
              from.read();
            }
          });
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      if (event instanceof ChannelInputShutdownReadComplete && !over) {
        to.finishOutput()
            .addListener(finished -> {
              if (finished.isSuccess()) {
                endDirection();
              } else {
                breakOff();
              }
            });
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      breakOff();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      breakOff();
    }
  }
}
