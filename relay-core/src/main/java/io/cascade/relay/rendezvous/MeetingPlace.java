package io.cascade.relay.rendezvous;

import io.cascade.carriage.rendezvous.MeetingAnswer;
import io.cascade.carriage.rendezvous.MeetingNumber;
import io.cascade.carriage.rendezvous.MeetingRefusal;
import io.cascade.carriage.rendezvous.MeetingRequest;
import io.cascade.relay.admission.SourcePlaces;
import io.cascade.relay.stream.CloseReason;
import io.cascade.relay.stream.InletAnswer;
import io.cascade.relay.stream.Outlet;
import io.cascade.relay.stream.RelayStream;
import io.cascade.relay.stream.StreamIds;
import io.cascade.relay.stream.StreamSettings;
import io.cascade.relay.stream.StreamStart;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Joins ends whose numbers belong to one event loop. All methods run on that loop, so neither an
 * end that leaves nor two that join at once need a lock.
 */
final class MeetingPlace {
  private final RendezvousServer server;
  private final Map<MeetingNumber, Deque<WaitingEnd>> waiting = new HashMap<>();

  MeetingPlace(RendezvousServer server) {
    this.server = server;
  }

  RendezvousServer server() {
    return server;
  }

  /**
   * A connection has arrived with its request.
   *
   * @param behind bytes after the request; handed over
   */
  void arrived(Channel channel, MeetingRequest request, ByteBuf behind) {
    if (!(channel.remoteAddress() instanceof InetSocketAddress client)
        || !(channel.localAddress() instanceof InetSocketAddress here)) {
      behind.release();
      server.counts().gone();
      channel.close(); // reset meanwhile
      return;
    }
    MeetingRefusal obstacle = server.obstacle(client.getAddress());
    if (obstacle != null) {
      behind.release();
      server.refuseAtOnce(channel, obstacle); // a flood of requests must not keep connections open
      return;
    }
    switch (request.role()) {
      case WAIT -> await(channel, client, request, behind);
      case JOIN -> join(channel, new StreamStart(StreamIds.next(), client, here), request, behind);
    }
  }

  /** Refuses all waiting ends. */
  void refuseAll(MeetingRefusal why) {
    List<WaitingEnd> all = new ArrayList<>();
    waiting.values().forEach(all::addAll);
    all.forEach(end -> end.refuse(why));
  }

  /** An end no longer waits. */
  void left(WaitingEnd end) {
    Deque<WaitingEnd> ends = waiting.get(end.number());
    if (ends != null && ends.remove(end)) {
      if (ends.isEmpty()) {
        waiting.remove(end.number());
        server.waits(end.number(), false);
      }
      server.waitingPlaces().leave(end.source());
    }
  }

  private void await(
      Channel channel, InetSocketAddress client, MeetingRequest request, ByteBuf behind) {
    Deque<WaitingEnd> same = waiting.get(request.number());
    while (same != null && same.size() >= request.places()) {
      same.getFirst().refuse(MeetingRefusal.REPLACED); // the oldest, which may have gone unnoticed
    }
    SourcePlaces.Taking place = server.waitingPlaces().enter(client.getAddress());
    if (place != SourcePlaces.Taking.TAKEN) {
      boolean own = place == SourcePlaces.Taking.SOURCE_FULL;
      refuse(channel, behind, own ? MeetingRefusal.TOO_MANY_WAITING : MeetingRefusal.FULL);
      return;
    }
    WaitingEnd end = new WaitingEnd(this, request.number(), client, behind);
    waiting.computeIfAbsent(request.number(), _ -> new ArrayDeque<>()).addLast(end);
    server.waits(request.number(), true);
    server.counts().waited();
    channel.pipeline().addLast("waiting", end);
    channel.writeAndFlush(bytes(new MeetingAnswer.Waiting()));
    end.rests(server.limits().longestWait());
  }

  private void join(Channel channel, StreamStart start, MeetingRequest request, ByteBuf behind) {
    if (newest(request.number()) == null) {
      refuse(channel, behind, MeetingRefusal.NOBODY_WAITS);
      return;
    }
    SourcePlaces.Taking place = server.joinedPlaces().enter(start.client().getAddress());
    if (place != SourcePlaces.Taking.TAKEN) {
      boolean own = place == SourcePlaces.Taking.SOURCE_FULL;
      refuse(channel, behind, own ? MeetingRefusal.TOO_MANY_STREAMS : MeetingRefusal.FULL);
      return;
    }
    Meeting meeting = new Meeting(request.number(), start);
    server
        .streams()
        .direct(channel, start, behind, meeting, meeting, server.limits().idle(), meeting);
  }

  /** The end that began to wait last, which most likely still exists. Null if there is none. */
  private @Nullable WaitingEnd newest(MeetingNumber number) {
    Deque<WaitingEnd> ends = waiting.get(number);
    if (ends != null) {
      for (Iterator<WaitingEnd> newestFirst = ends.descendingIterator(); newestFirst.hasNext(); ) {
        WaitingEnd end = newestFirst.next();
        if (end.isAlive()) {
          return end;
        }
      }
    }
    return null;
  }

  private void refuse(Channel channel, ByteBuf behind, MeetingRefusal why) {
    behind.release();
    server.refuse(channel, why);
  }

  private static ByteBuf bytes(MeetingAnswer answer) {
    return Unpooled.wrappedBuffer(answer.encode());
  }

  /**
   * The outlet of one stream: connects it to a waiting end. Sends each end the other's address
   * before the stream's first byte.
   */
  private final class Meeting implements Outlet, InletAnswer, RelayStream.StreamObserver {
    private final MeetingNumber number;
    private final StreamStart start;
    private @Nullable InetSocketAddress peer;
    private boolean began;

    Meeting(MeetingNumber number, StreamStart start) {
      this.number = number;
      this.start = start;
    }

    @Override
    public void open(
        StreamStart same, EventLoop loop, StreamSettings settings, ServedStream stream) {
      if (!stream.waiting()) {
        return; // the joining end is already gone, and the other one goes on waiting
      }
      WaitingEnd end = newest(number);
      if (end == null || !server.tune(end.channel(), settings)) {
        stream.failed(new CloseReason.Shed(MeetingRefusal.NOBODY_WAITS.words()));
        return;
      }
      left(end);
      peer = end.address();
      server.counts().joined();
      Channel channel = end.channel();
      end.joined(early -> {
        channel.write(bytes(new MeetingAnswer.Joined(start.client())));
        stream.confirmed(channel, early);
        channel.flush();
      });
    }

    @Override
    public void opened(Channel inlet) {
      InetSocketAddress other = peer;
      if (other != null) {
        inlet.writeAndFlush(bytes(new MeetingAnswer.Joined(other)));
      }
    }

    @Override
    public void failed(Channel inlet, CloseReason why) {
      if (!began) { // refused before it became a stream
        server.joinedPlaces().leave(start.client().getAddress());
      }
      boolean nobody = MeetingRefusal.NOBODY_WAITS.words().equals(why.detail());
      server.refuse(inlet, nobody ? MeetingRefusal.NOBODY_WAITS : MeetingRefusal.FULL);
    }

    @Override
    public void began(RelayStream stream) {
      began = true;
      server.began(stream);
    }

    @Override
    public void ended(RelayStream stream, CloseReason reason) {
      server.joinedPlaces().leave(start.client().getAddress());
      server.ended(stream);
    }

    @Override
    public String target() {
      return "rendezvous";
    }

    @Override
    public void close() {}
  }
}
