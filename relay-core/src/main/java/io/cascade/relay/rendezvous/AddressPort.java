package io.cascade.relay.rendezvous;

import io.cascade.carriage.rendezvous.AddressQuestion;
import io.cascade.carriage.rendezvous.MeetingNumber;
import io.cascade.carriage.socket.UdpPorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The UDP port beside a rendezvous port, from which ends learn the source address of their
 * datagrams. It answers only questions that name a meeting number under which an end waits; an
 * answer is shorter than its question, and the port keeps no state of it. A host with several
 * addresses must answer from the address that was asked, since a NAT lets no other source pass:
 * each address has its own socket.
 */
final class AddressPort implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(AddressPort.class.getName());
  private static final long PAUSE_NANOS = 100_000_000;
  private static final int MOST_ADDRESSES = 64;

  private final Selector selector;
  private final Predicate<MeetingNumber> meetings;
  private final RequestRate rate;
  private final LongAdder answered = new LongAdder();

  private AddressPort(Selector selector, Predicate<MeetingNumber> meetings, RequestRate rate) {
    this.selector = selector;
    this.meetings = meetings;
    this.rate = rate;
  }

  /**
   * Opens the port. {@link #close} ends its thread. A successor may open the port meanwhile.
   *
   * @param meetings whether an end waits under a number; called on the port's thread
   * @param aMinute most questions of one source in a minute
   * @throws IOException if the port is taken
   */
  static AddressPort open(
      InetSocketAddress at, Predicate<MeetingNumber> meetings, int aMinute, LongSupplier nanoClock)
      throws IOException {
    AddressPort port =
        new AddressPort(Selector.open(), meetings, new RequestRate(aMinute, nanoClock));
    try {
      port.hear(at);
    } catch (IOException e) {
      port.close();
      throw e;
    }
    if (at.getAddress().isAnyLocalAddress()) {
      port.hearEachOf(at.getPort());
    }
    Thread.ofPlatform().daemon().name("rendezvous-addresses").start(port::receive);
    return port;
  }

  /** Number of answered questions. */
  long answered() {
    return answered.sum();
  }

  private void hear(InetSocketAddress at) throws IOException {
    DatagramChannel channel = UdpPorts.open(at, true);
    channel.configureBlocking(false).register(selector, SelectionKey.OP_READ);
  }

  private void hearEachOf(int port) throws SocketException {
    List<InetAddress> own =
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .limit(MOST_ADDRESSES)
            .toList();
    for (InetAddress address : own) {
      try {
        hear(new InetSocketAddress(address, port));
      } catch (IOException e) {
        LOG.log(Level.FINE, "answered from the wildcard address: {0}", e.getMessage());
      }
    }
  }

  private void receive() {
    ByteBuffer datagram = ByteBuffer.allocateDirect(AddressQuestion.BYTES + 1);
    while (selector.isOpen()) {
      try {
        int _ = selector.select(key -> answer((DatagramChannel) key.channel(), datagram));
      } catch (ClosedSelectorException e) {
        return;
      } catch (IOException | RuntimeException | Error e) { // caused by one datagram: others follow
        LOG.log(Level.FINE, "a question was not answered", e);
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private void answer(DatagramChannel at, ByteBuffer datagram) {
    try {
      if (at.receive(datagram.clear()) instanceof InetSocketAddress from) {
        AddressQuestion question = AddressQuestion.decode(datagram.flip());
        if (question != null
            && meetings.test(question.meeting())
            && rate.admit(from.getAddress())) {
          at.send(question.answer(from), from);
          answered.increment();
        }
      }
    } catch (IOException e) {
      LOG.log(Level.FINE, "a question was not answered", e);
    }
  }

  @Override
  public void close() {
    try {
      for (SelectionKey key : selector.keys()) {
        key.channel().close();
      }
      selector.close();
    } catch (IOException | ClosedSelectorException e) {
      LOG.log(Level.FINE, "closing failed: {0}", e.getMessage());
    }
  }
}
