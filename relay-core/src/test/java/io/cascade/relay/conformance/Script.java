package io.cascade.relay.conformance;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a client and a server do with the connection between them. */
record Script(String name, List<Action> client, List<Action> server) {

  static Script script(String name) {
    return new Script(name, List.of(), List.of());
  }

  Script client(Action... actions) {
    return new Script(name, List.of(actions), server);
  }

  Script server(Action... actions) {
    return new Script(name, client, List.of(actions));
  }

  boolean sendsUrgentData() {
    return client.toString().contains("sendUrgent") || server.toString().contains("sendUrgent");
  }

  /** Whether both sides come to the end of their parts where bytes are held back like this. */
  boolean comesToItsEnd(HoldingBack holding) {
    return new Rehearsal(holding).comesToItsEnd();
  }

  @Override
  public String toString() {
    return name + "\n  client: " + client + "\n  server: " + server;
  }

  /** How many of a direction's bytes a relay lets through. */
  @FunctionalInterface
  interface HoldingBack {
    /**
     * @param sent bytes until now
     * @param ended the sender has said that it sends no more
     */
    long through(long sent, boolean ended);
  }

  /** Plays the script without a network, to see who would wait for ever. */
  private final class Rehearsal {
    private final HoldingBack holding;
    private final Set<String> marks = new HashSet<>();
    private final List<Lane> lanes = new ArrayList<>();
    private boolean moved;

    Rehearsal(HoldingBack holding) {
      this.holding = holding;
      Side one = new Side();
      Side other = new Side();
      one.peer = other;
      other.peer = one;
      lanes.add(new Lane(one, client));
      lanes.add(new Lane(other, server));
    }

    boolean comesToItsEnd() {
      do {
        moved = false;
        for (Lane lane : List.copyOf(lanes)) {
          while (!lane.left.isEmpty() && done(lane.side, lane.left.getFirst())) {
            lane.left.removeFirst();
            moved = true;
          }
        }
      } while (moved);
      return lanes.stream().allMatch(lane -> lane.left.isEmpty());
    }

    private boolean done(Side side, Action action) {
      Side peer = side.peer;
      switch (action) {
        case Action.Send send -> side.sent += send.bytes();
        case Action.SendUrgent _ -> side.sent++;
        case Action.HalfClose _ -> side.ended = true;
        case Action.Close _, Action.Reset _ -> {
          side.ended = true;
          side.gone = true;
        }
        case Action.Read read -> {
          if (!peer.gone && side.read + read.bytes() > holding.through(peer.sent, peer.ended)) {
            return false;
          }
          side.read += read.bytes();
        }
        case Action.Peek peek -> {
          return side.read + peek.bytes() <= holding.through(peer.sent, peer.ended);
        }
        case Action.ReadToEnd _ -> {
          return peer.ended;
        }
        case Action.SendUntilBroken _ -> {
          moved |= side.sent < Integer.MAX_VALUE;
          side.sent = Integer.MAX_VALUE;
          // Only what is handed on can break at the far side.
          return peer.gone && holding.through(Integer.MAX_VALUE, false) > 0;
        }
        case Action.Mark mark -> marks.add(mark.name());
        case Action.Await await -> {
          return marks.contains(await.mark());
        }
        case Action.Meanwhile meanwhile -> lanes.add(new Lane(side, meanwhile.actions()));
        case Action.Stall _ -> {}
      }
      return true;
    }

    private static final class Side {
      private Side peer = this;
      private long sent;
      private long read;
      private boolean ended;
      private boolean gone;
    }

    private static final class Lane {
      private final Side side;
      private final ArrayDeque<Action> left;

      Lane(Side side, List<Action> actions) {
        this.side = side;
        this.left = new ArrayDeque<>(actions);
      }
    }
  }
}
