package io.cascade.client.sealed;

import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;

/**
 * Runs one exchange between two ends in this process at its start. The first exchange takes several
 * times as long as later ones, and so no sender waits for it.
 */
final class Rehearsal {
  /** Bound of the steps of one handshake, more than it needs. */
  private static final int MOST_STEPS = 100;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private Rehearsal() {}

  /** Runs the exchange on another thread. */
  static void start(ReceiverIdentity identity) {
    Thread.ofPlatform().daemon().name("rehearsal").start(() -> run(identity));
  }

  private static void run(ReceiverIdentity identity) {
    try {
      agree();
      shakeHands(TlsEnds.sender(identity::fingerprint), identity.engine());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void agree() throws IOException {
    Secret none = Secret.ofKey(new byte[0]);
    KeyAgreement one = new KeyAgreement(KeyAgreement.Role.SENDER, none);
    KeyAgreement other = new KeyAgreement(KeyAgreement.Role.RECEIVER, none);
    byte[] first = one.round1();
    byte[] answer = other.round1();
    one.takeRound1(ByteBuffer.wrap(answer));
    other.takeRound1(ByteBuffer.wrap(first));
    byte[] second = one.round2();
    byte[] last = other.round2();
    one.takeRound2(ByteBuffer.wrap(last));
    other.takeRound2(ByteBuffer.wrap(second));
    AgreedKeys _ = new AgreedKeys(one.material(), other.material());
  }

  /** Returns whether both ends have completed the handshake. */
  static boolean shakeHands(SSLEngine sender, SSLEngine receiver) throws IOException {
    sender.beginHandshake();
    receiver.beginHandshake();
    ByteBuffer there = ByteBuffer.allocate(2 * sender.getSession().getPacketBufferSize());
    ByteBuffer back = ByteBuffer.allocate(there.capacity());
    for (int step = 0; step < MOST_STEPS; step++) {
      if (isDone(sender) && isDone(receiver)) {
        return true;
      }
      step(sender, back, there);
      step(receiver, there, back);
    }
    return false;
  }

  private static boolean isDone(SSLEngine engine) {
    return engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
  }

  private static void step(SSLEngine engine, ByteBuffer from, ByteBuffer to) throws IOException {
    switch (engine.getHandshakeStatus()) {
      case NEED_TASK -> engine.getDelegatedTask().run();
      case NEED_WRAP -> engine.wrap(NOTHING, to);
      case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
        engine.unwrap(from.flip(), ByteBuffer.allocate(from.capacity()));
        from.compact();
      }
      case NOT_HANDSHAKING, FINISHED -> {}
    }
  }
}
