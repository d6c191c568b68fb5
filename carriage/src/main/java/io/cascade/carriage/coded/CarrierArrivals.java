package io.cascade.carriage.coded;

import io.cascade.coding.wire.HalfDatagrams;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * Receives what arrives for a session by carriers other than its socket, and notifies the class
 * that chooses among them.
 */
final class CarrierArrivals implements TcpCarrier.User {
  private final CodedLink link;
  private final SessionCarriers carriers;

  CarrierArrivals(CodedLink link, SessionCarriers carriers) {
    this.link = link;
    this.carriers = carriers;
  }

  /**
   * Takes over the connection over which the session's handshake came. Called on its event loop.
   */
  void beginOver(TcpCarrier carrier) {
    carrier.become(this);
    switch (carriers) {
      case DiallersCarriers of -> of.beginOver(carrier);
      case AcceptorsCarriers of -> of.beginOver(carrier);
    }
  }

  /** Takes over a connection whose sender has named this session. May be called from any thread. */
  void carry(Channel connection, TcpCarrier carrier, ByteBuf early) {
    link.loop()
        .execute(() -> {
          if (carriers instanceof AcceptorsCarriers of) {
            of.began(carrier);
          }
          carrier.begin(connection, early);
        });
  }

  /**
   * Takes a datagram that arrived at the hop port from an address that is not the peer's. May be
   * called from any thread.
   *
   * @param taken run when the datagram was processed
   */
  void stray(
      byte[] datagram, InetSocketAddress from, CodedAcceptor.Replies replies, Runnable taken) {
    link.loop()
        .execute(() -> {
          taken.run();
          if (carriers instanceof AcceptorsCarriers of && !from.equals(link.remote())) {
            StrayPath known = of.stray(from);
            StrayPath by = known == null ? new StrayPath(from, replies) : known;
            boolean isHalf = HalfDatagrams.isOne(ByteBuffer.wrap(datagram));
            Arrival arrival = link.driver().datagram(by, ByteBuffer.wrap(datagram), link.now());
            if (arrival == Arrival.NEW && !isHalf) { // The two halves may have different senders.
              of.heard(by);
            }
          } else {
            link.driver().datagram(ByteBuffer.wrap(datagram), link.now());
          }
          link.driver().turnSoon();
        });
  }

  @Override
  public boolean carried(TcpCarrier by, ByteBuffer datagram) {
    if (HalfDatagrams.isOne(datagram)) {
      return false; // Datagrams over TCP are never halved.
    }
    Arrival arrival = link.driver().datagram(by, datagram, link.now());
    if (arrival == Arrival.NEW && carriers instanceof AcceptorsCarriers of) {
      of.heard(by);
    }
    return arrival != Arrival.REFUSED;
  }

  @Override
  public void carrierReady(TcpCarrier by) {
    carriers.ready();
    link.driver().turnNow();
  }

  @Override
  public void carrierClosed(TcpCarrier by) {
    switch (carriers) {
      case DiallersCarriers of -> of.lost(by);
      case AcceptorsCarriers of -> of.lost(by);
    }
  }
}
