package io.cascade.packets.signalling;

import io.cascade.packets.connections.Connection;
import io.cascade.packets.connections.PeerSignals;
import io.cascade.packets.connections.PeerState;
import io.cascade.packets.connections.PeerState.Event;
import io.cascade.packets.header.IpAddress;
import io.cascade.packets.header.TcpPacket;
import io.cascade.packets.header.TcpRewrite;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Signalling by a TCP option. The side from which a connection is opened offers in the SYN, the
 * other side accepts in its answer, and the first acknowledgments confirm. So neither splits before
 * it knows that the other combines. Hosts never see the option: it is blanked where it arrives.
 *
 * <p>Some middleboxes drop packets with unknown options. A SYN that is sent for the third time has
 * no option, and neither have later ones to that address for {@value #REFUSING_MINUTES} minutes,
 * even if it was the host that did not answer.
 */
public final class InBand {
  private static final int SYNS_WITH_OPTION = 2;
  private static final int CONFIRMATIONS = 3;
  private static final int MOST_REFUSING = 1_024;
  private static final int REFUSING_MINUTES = 10;
  private static final long REFUSING_NANOS = REFUSING_MINUTES * 60_000_000_000L;

  private final int token;
  private final SignallingMethod method;

  /** Addresses that SYNs with the option did not reach, and since when; oldest first. */
  private final Map<IpAddress, Long> refusing = new LinkedHashMap<>();

  /**
   * @param token random; 24 bits count
   */
  public InBand(int token, SignallingMethod method) {
    this.token = token & 0xff_ffff;
    this.method = method;
  }

  /** Returns a packet to the far side, with the option if a signal is due. */
  public TcpPacket outbound(Connection connection, TcpPacket packet, long nowNanos) {
    PeerSignals signals = connection.signals();
    if (packet.syn() && !packet.ack()) {
      return opening(connection, packet, nowNanos);
    }
    if (packet.syn()) {
      return signals.peer() == PeerState.OFFERED
          ? with(packet, new SignalOption(SignalOption.Type.ACCEPT, signals.token()))
          : packet;
    }
    if (packet.isPureAck()
        && connection.openedByNear()
        && signals.peer() == PeerState.PRESENT
        && signals.confirmations() < CONFIRMATIONS) {
      signals.confirmed();
      return with(packet, new SignalOption(SignalOption.Type.CONFIRM, token));
    }
    return packet;
  }

  private TcpPacket opening(Connection connection, TcpPacket packet, long nowNanos) {
    IpAddress far = connection.id().far();
    PeerSignals signals = connection.signals();
    refusing.values().removeIf(since -> nowNanos - since >= REFUSING_NANOS);
    if (signals.offers() >= SYNS_WITH_OPTION && refusing.putIfAbsent(far, nowNanos) == null) {
      if (refusing.size() > MOST_REFUSING) {
        refusing.remove(refusing.keySet().iterator().next());
      }
    }
    if (refusing.containsKey(far)) {
      return packet;
    }
    signals.offered();
    signals.on(Event.ASK);
    return with(packet, new SignalOption(SignalOption.Type.OFFER, token));
  }

  /** Returns the packet with the option; the packet unchanged if the header has no room. */
  private static TcpPacket with(TcpPacket packet, SignalOption option) {
    TcpPacket longer = TcpRewrite.withOption(packet, option.bytes());
    return longer == null ? packet : longer;
  }

  /** Returns a packet from the far side without the option, whose signal is recorded. */
  public TcpPacket inbound(Connection connection, TcpPacket packet) {
    int at = SignalOption.find(packet);
    SignalOption option = SignalOption.of(packet);
    PeerSignals signals = connection.signals();
    if (packet.syn() && !packet.ack()) {
      if (option != null && option.type() == SignalOption.Type.OFFER) {
        signals.offeredBy(option.token());
        signals.on(Event.OFFER);
      } else if (!method.usesMessages()) {
        signals.on(Event.REFUSE);
      }
    } else if (packet.syn()) {
      if (option != null && option.token() == token && option.type() == SignalOption.Type.ACCEPT) {
        signals.on(Event.ACCEPT);
      } else if (!method.usesMessages()) {
        signals.on(Event.REFUSE);
      }
    } else if (option != null
        && option.type() == SignalOption.Type.CONFIRM
        && signals.peer() == PeerState.OFFERED
        && option.token() == signals.token()) {
      signals.on(Event.ACCEPT);
    }
    return at < 0 ? packet : TcpRewrite.of(packet).blankOption(at).packet();
  }
}
