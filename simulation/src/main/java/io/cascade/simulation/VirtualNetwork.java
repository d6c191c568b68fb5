package io.cascade.simulation;

import io.cascade.links.LinkDirection;
import io.cascade.links.LinkShape;
import io.cascade.links.Loss;
import io.cascade.links.LossProcess;
import io.cascade.links.PacketPool;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A link in both directions that several flows share, in virtual time. Rate, queue and delay are
 * common; each flow may lose packets after the queue, as over a radio at its end.
 */
public final class VirtualNetwork {
  private static final int SLOTS = 1 << 16;

  /** Advances the time if an endpoint requested a call at once and then did nothing. */
  private static final long STEP_NANOS = 1_000;

  private final PacketPool pool =
      new PacketPool(MemorySegment.ofArray(new byte[SLOTS]), Byte.BYTES);
  private final @Nullable Object[] contents = new Object[SLOTS];
  private final @Nullable Flow[] owners = new Flow[SLOTS];
  private final LinkDirection forward;
  private final LinkDirection backward;
  private final List<Flow> flows = new ArrayList<>();
  private final SplittableRandom seeds;
  private long nowNanos;

  /** Two ends and their flow's losses. */
  private static final class Flow {
    private final Endpoint near;
    private final Endpoint far;
    private final LossProcess lossForward;
    private final LossProcess lossBackward;
    private final long startNanos;
    private final BiConsumer<Object, Long> exit;

    private Flow(
        Endpoint near,
        Endpoint far,
        Loss forward,
        Loss backward,
        long startNanos,
        BiConsumer<Object, Long> exit,
        SplittableRandom seeds) {
      this.near = near;
      this.far = far;
      this.lossForward = new LossProcess(forward, seeds.nextLong());
      this.lossBackward = new LossProcess(backward, seeds.nextLong());
      this.startNanos = startNanos;
      this.exit = exit;
    }
  }

  /**
   * @param forward shape from near ends to far ends
   */
  public VirtualNetwork(LinkShape forward, LinkShape backward, long seed) {
    this.seeds = new SplittableRandom(seed);
    this.forward = new LinkDirection(forward, pool, seeds.nextLong(), 0);
    this.backward = new LinkDirection(backward, pool, seeds.nextLong(), 0);
  }

  /** Adds a flow with the same loss in both directions. */
  public void add(Endpoint near, Endpoint far, Loss loss, long startNanos) {
    add(near, far, loss, startNanos, (_, _) -> {});
  }

  /**
   * Adds a flow.
   *
   * @param exit receives every packet of the near end that leaves the link, and the time, including
   *     packets that the flow then loses
   */
  public void add(
      Endpoint near, Endpoint far, Loss loss, long startNanos, BiConsumer<Object, Long> exit) {
    flows.add(new Flow(near, far, loss, loss, startNanos, exit, seeds));
  }

  /** Adds a flow that loses packets only in the forward direction, from the start. */
  public void addLosingForward(Endpoint near, Endpoint far, Loss loss) {
    flows.add(new Flow(near, far, loss, Loss.NONE, 0, (_, _) -> {}, seeds));
  }

  public long nowNanos() {
    return nowNanos;
  }

  public LinkDirection forward() {
    return forward;
  }

  public LinkDirection backward() {
    return backward;
  }

  /** Changes a flow's loss. */
  public void become(int flow, Loss loss) {
    flows.get(flow).lossForward.become(loss);
    flows.get(flow).lossBackward.become(loss);
  }

  /** Continues until a time. */
  public void runUntil(long untilNanos) {
    while (true) {
      boolean active = deliver(forward, true);
      active |= deliver(backward, false);
      for (Flow flow : flows) {
        if (flow.startNanos <= nowNanos) {
          active |= send(flow, flow.near, forward);
          active |= send(flow, flow.far, backward);
        }
      }
      long next = Math.min(forward.nextNanos(), backward.nextNanos());
      for (Flow flow : flows) {
        next =
            Math.min(
                next,
                flow.startNanos > nowNanos
                    ? flow.startNanos
                    : Math.min(flow.near.nextNanos(), flow.far.nextNanos()));
      }
      long step = active ? nowNanos : nowNanos + STEP_NANOS;
      if (next > untilNanos || step > untilNanos) {
        nowNanos = untilNanos;
        return;
      }
      nowNanos = Math.max(next, step);
    }
  }

  private boolean deliver(LinkDirection direction, boolean isForward) {
    boolean any = false;
    while (direction.isDue(nowNanos)) {
      int slot = direction.dueSlot();
      Object content = contents[slot];
      Flow flow = owners[slot];
      contents[slot] = null;
      direction.forwarded();
      any = true;
      if (content == null || flow == null) {
        throw new IllegalStateException("empty slot");
      }
      if (isForward) {
        flow.exit.accept(content, nowNanos);
        if (!flow.lossForward.loses()) {
          flow.far.onPacket(content, nowNanos);
        }
      } else if (!flow.lossBackward.loses()) {
        flow.near.onPacket(content, nowNanos);
      }
    }
    return any;
  }

  private boolean send(Flow flow, Endpoint from, LinkDirection direction) {
    boolean any = false;
    for (Packet packet = from.poll(nowNanos); packet != null; packet = from.poll(nowNanos)) {
      any = true;
      int slot = pool.take();
      if (slot < 0) {
        direction.overflow();
        continue;
      }
      contents[slot] = packet.content();
      owners[slot] = flow;
      direction.take(nowNanos, slot, packet.bytes());
    }
    return any;
  }
}
