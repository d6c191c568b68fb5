package io.cascade.relay.proxy;

import static java.util.Objects.requireNonNull;

import io.cascade.api.HostPort;
import io.cascade.carriage.preamble.PreambleHandler;
import io.cascade.carriage.preamble.PreambleState;
import io.cascade.carriage.socket.LingeringClose;
import io.cascade.relay.balancer.ClientAddress;
import io.cascade.relay.destination.DestinationRules;
import io.cascade.relay.stream.InletAnswer;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The handshake of a proxy's client, up to the destination that it names: one connection, on its
 * event loop. A decoder of the protocol precedes this handler. When the destination is known, both
 * leave the pipeline, and the following bytes are the stream's first ones.
 */
abstract class Handshake extends PreambleHandler {
  /** Bytes of one read; the decoder itself bounds what it holds. */
  private static final int READ_BYTES = 2_048;

  private final ProxyAdmission admission;
  private @Nullable InetAddress client;
  private @Nullable ChannelHandler decoder;

  /** Verifies a password when this client has its turn. */
  private @Nullable Runnable awaited;

  Handshake(ProxyAdmission admission) {
    super(READ_BYTES);
    this.admission = admission;
  }

  /** Returns the decoder of the client's first message. */
  abstract ChannelHandler firstDecoder();

  /** Handles one message of the protocol. */
  abstract void received(ChannelHandlerContext context, Object message);

  final ProxyAdmission admission() {
    return admission;
  }

  @Override
  public final void channelActive(ChannelHandlerContext context) {
    Channel channel = context.channel();
    ClientAddress from = ClientAddress.of(channel);
    if (from == null) {
      channel.close(); // reset before its address was read
      return;
    }
    InetAddress who = from.client().getAddress();
    client = who;
    HandshakeOutcome refusal = admission.enter(who);
    if (refusal != null) {
      giveUp();
      admission.refused(refusal, who, null);
      channel.close();
      return;
    }
    ChannelHandler first = firstDecoder();
    decoder = first;
    context.pipeline().addBefore(context.name(), null, first);
    expect();
  }

  @Override
  public final void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof ByteBuf) {
      super.channelRead(context, message);
    } else if (state().isPending()) {
      received(context, message);
    } else {
      ReferenceCountUtil.release(message);
    }
  }

  /** Does nothing: bytes that the decoder passes on are the stream's first. */
  @Override
  protected final void parse(ByteBuf bytes) {}

  @Override
  protected final Duration patience() {
    return admission.patience();
  }

  @Override
  protected final void late() {
    refuse(HandshakeOutcome.TIMED_OUT, null);
  }

  @Override
  protected final void broken(@Nullable Throwable cause) {
    refuse(HandshakeOutcome.GONE, null);
  }

  @Override
  protected final void moved(PreambleState from, PreambleState to) {
    if (from.isPending() && !to.isPending()) {
      admission.leave(client());
    }
    Runnable turn = awaited;
    if (turn != null && to != PreambleState.SUSPENDED) {
      awaited = null;
      admission.passwords().withdraw(client(), turn);
    }
  }

  /**
   * Replaces the decoder for the next message and passes it the bytes that the last one did not
   * consume.
   */
  final void decodeWith(ChannelHandlerContext context, ChannelHandler next) {
    ChannelHandler last = decoder;
    decoder = next;
    if (last != null) {
      context.pipeline().replace(last, null, next);
    }
  }

  /** Removes the decoder; later bytes belong to the stream. */
  final void decodeNoMore(ChannelHandlerContext context) {
    ChannelHandler last = decoder;
    decoder = null;
    if (last != null) {
      context.pipeline().remove(last);
    }
  }

  /**
   * Verifies a password, off the event loop if that takes time; {@code then} runs on the event
   * loop.
   */
  final void verify(
      ChannelHandlerContext context,
      Credentials credentials,
      String user,
      String password,
      Consumer<Boolean> then) {
    if (Credentials.isTooLong(password) || credentials.knows(user, password)) {
      then.accept(!Credentials.isTooLong(password));
      return;
    }
    suspend();
    Runnable turn =
        () -> {
          boolean right = credentials.verify(user, password);
          context.executor().execute(() -> verified(right, then));
        };
    awaited = turn;
    admission.passwords().await(client(), turn);
  }

  private void verified(boolean right, Consumer<Boolean> then) {
    if (verifying()) {
      resume();
      then.accept(right);
      readOn();
    }
  }

  private InetAddress client() {
    return requireNonNull(client, "no client yet");
  }

  /** Whether a password is being verified. */
  final boolean verifying() {
    return state() == PreambleState.SUSPENDED;
  }

  /**
   * Ends the handshake without a stream.
   *
   * @param words the last bytes sent to the client; null for none
   */
  final void refuse(HandshakeOutcome outcome, @Nullable Object words) {
    refuse(outcome, null, words);
  }

  /**
   * Ends the handshake without a stream.
   *
   * @param destination that the client named; null if it named none
   * @param words the last bytes sent to the client; null for none
   */
  final void refuse(
      HandshakeOutcome outcome, @Nullable HostPort destination, @Nullable Object words) {
    if (!state().isPending()) {
      ReferenceCountUtil.release(words);
      return;
    }
    giveUp();
    admission.refused(outcome, client(), destination);
    Channel channel = context().channel();
    if (words == null) {
      channel.close();
    } else {
      LingeringClose.send(channel, words);
    }
  }

  /** Starts the stream to the destination, which the rules allow. */
  final void leave(
      ChannelHandlerContext context,
      HostPort destination,
      DestinationRules.Look look,
      InletAnswer answer) {
    decodeNoMore(context);
    Channel channel = context.channel();
    handOver(early -> admission.forward(channel, destination, look, early, answer));
  }
}
