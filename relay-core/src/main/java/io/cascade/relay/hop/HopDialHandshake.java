package io.cascade.relay.hop;

import io.cascade.carriage.preamble.PreambleHandler;
import io.cascade.carriage.preamble.PreambleState;
import io.cascade.carriage.transport.ConnectionError;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The handshake of a connection to the next relay, at the dialling end: sends a header and checks
 * the answer. Leaves the pipeline when the next relay has accepted a stream. Runs on the
 * connection's event loop.
 */
final class HopDialHandshake extends PreambleHandler {
  private static final int MOST_EARLY_BYTES = 16 * 1_024;

  private static final Listener NOBODY =
      new Listener() {
        @Override
        public void answered(HopDialHandshake connection, ByteBuf early) {
          early.release();
        }

        @Override
        public void died(HopDialHandshake connection, String why) {}
      };

  private final HopKey key;
  private final Duration patience;
  private Listener listener;
  private @Nullable HopHeader asked;
  private boolean silent;

  /** Receives the answer. */
  interface Listener {
    /** The next relay gave the right answer; {@code early} are bytes that followed it. */
    void answered(HopDialHandshake connection, ByteBuf early);

    /**
     * The next relay did not answer, or the connection ended. Called at most once, and not after
     * the stream was accepted.
     */
    void died(HopDialHandshake connection, String why);
  }

  /**
   * @param patience time for each answer
   */
  HopDialHandshake(HopKey key, Duration patience, Listener listener) {
    super(MOST_EARLY_BYTES);
    this.key = key;
    this.patience = patience;
    this.listener = listener;
  }

  Channel channel() {
    return context().channel();
  }

  /** Whether the greeting was answered and the connection is open, as far as this end knows. */
  boolean isReady() {
    return state() == PreambleState.RESTING && channel().isActive();
  }

  /** Writes a header without flushing it; {@code newListener} then receives the answer. */
  void ask(HopHeader header, Listener newListener) {
    listener = newListener;
    asked = header;
    channel().write(Unpooled.wrappedBuffer(header.encode(key)));
    expect();
  }

  /** Closes the connection, which has no user any longer. */
  void abandon(String why) {
    listener = NOBODY;
    die(why);
  }

  /** Whether it ended because no answer arrived, and not by an error that the kernel reported. */
  boolean wasSilent() {
    return silent;
  }

  @Override
  protected void parse(ByteBuf bytes) {
    try {
      HopHeader.Unverified answer = HopHeader.decode(bytes);
      if (answer != null) {
        check(answer);
      }
    } catch (HopHeader.Malformed e) {
      die("unexpected answer: " + e.getMessage());
    }
  }

  private void check(HopHeader.Unverified answer) {
    HopHeader question = asked;
    if (question == null || !answer.header().equals(question.answer()) || !answer.verifiedBy(key)) {
      die("the answer does not prove the chain's key");
      return;
    }
    asked = null;
    if (question.kind() != HopHeader.Kind.GREETING) {
      handOver(early -> listener.answered(this, early));
      return;
    }
    rest();
    if (!state().isOver()) {
      listener.answered(this, Unpooled.EMPTY_BUFFER);
    }
  }

  @Override
  protected void late() {
    silent = true;
    die("no answer within " + patience.toMillis() + " ms");
  }

  @Override
  protected void broken(@Nullable Throwable cause) {
    die(cause == null ? "closed by the next relay" : ConnectionError.words(cause));
  }

  @Override
  protected Duration patience() {
    return patience;
  }

  private void die(String why) {
    if (state().isOver()) {
      return;
    }
    giveUp();
    channel().close();
    listener.died(this, why);
  }
}
