package io.cascade.carriage.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.carriage.LeakWatch;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What can go wrong only where memory is the library's own. */
class BoringSslEngineTest {
  private static final InetSocketAddress SOMEWHERE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 7_411);
  private static final int PIECE = 10_000;
  private static final int KEY_LIMIT = 100_000;
  private static final ByteBufAllocator MEMORY = PooledByteBufAllocator.DEFAULT;

  private RelayIdentity identity;
  private BoringSslEngines relay;

  @BeforeEach
  void makeARelay() throws Exception {
    assumeTrue(TlsLibrary.BORINGSSL.available(), "BoringSSL is not to be had here");
    LeakWatch.start();
    identity = RelayIdentity.create("r", new SecureRandom());
    relay = new BoringSslEngines(identity, KeyUse.LIMIT_BYTES);
  }

  @AfterEach
  void nothingLeaks() {
    LeakWatch.assertNothingLeaks();
  }

  @Test
  void whatWaitsGoesBeforeWhatIsSealed() throws Exception {
    // The second handshake's last message is short enough to wait as a whole.
    for (int i = 0; i < 2; i++) {
      TlsEngine near = relay.dialling(SOMEWHERE, identity.fingerprint());
      TlsEngine far = relay.accepting();
      near.begin();
      far.begin();
      while (!near.established()) {
        pass(near.message(MEMORY), far);
        ByteBuf flight = far.message(MEMORY);
        if (flight.isReadable()) {
          open(flight, near);
        }
        flight.release();
      }
      assertThat(near.need()).isEqualTo(TlsEngine.Need.SENDING);
      ByteBuf plain = Unpooled.copiedBuffer("behind it", StandardCharsets.UTF_8);
      ByteBuf sealed = near.seal(MEMORY, plain);
      plain.release();
      assertThat(pass(sealed, far)).isEqualTo("behind it");
      assertThat(far.established()).isTrue();
      assertThat(near.resumed()).isEqualTo(i == 1);
      pass(far.message(MEMORY), near); // the tickets
      near.free();
      far.free();
    }
  }

  @Test
  void afterItsEndEveryCallIsRefused() throws Exception {
    TlsEngine engine = relay.dialling(SOMEWHERE, identity.fingerprint());
    engine.begin();
    engine.free();
    engine.free();

    assertThat(engine.need()).isEqualTo(TlsEngine.Need.RECORDS);
    assertThat(engine.resumed()).isFalse();
    assertThatThrownBy(() -> engine.message(MEMORY)).isInstanceOf(SSLException.class);
    assertThatThrownBy(() -> engine.seal(MEMORY, Unpooled.EMPTY_BUFFER))
        .isInstanceOf(SSLException.class);
    assertThatThrownBy(() -> engine.open(Unpooled.EMPTY_BUFFER, 0, Unpooled.EMPTY_BUFFER))
        .isInstanceOf(SSLException.class);
    assertThatThrownBy(engine::endOutput).isInstanceOf(SSLException.class);
    assertThatThrownBy(engine::peer).isInstanceOf(SSLException.class);
  }

  @Test
  void aKeySealsNoMoreThanItMayAndTheOtherDirectionGoesOn() throws Exception {
    BoringSslEngines limited = new BoringSslEngines(identity, KEY_LIMIT);
    TlsEngine near = limited.dialling(SOMEWHERE, identity.fingerprint());
    TlsEngine far = limited.accepting();
    shakeHands(near, far);

    int passed = sealUntilTheLimit(near, far);

    assertThat(passed).isBetween(KEY_LIMIT - 2 * PIECE, KEY_LIMIT);
    assertThatThrownBy(() -> seal(near)).isInstanceOf(TlsKeyLimit.class);
    assertThat(pass(seal(far), near)).hasSize(PIECE);
    near.free();
    far.free();
  }

  /** The JDK asks for one by itself long before the limit. */
  @Test
  void aKeyUpdateThatThePeerAsksForBeginsTheCountAnew() throws Exception {
    BoringSslEngines limited = new BoringSslEngines(identity, KEY_LIMIT);
    TlsEngine near = limited.dialling(SOMEWHERE, identity.fingerprint());
    TlsEngine far = TlsLibrary.JDK.engines(identity, new SecureRandom(), 0).accepting();
    shakeHands(near, far);
    for (int i = 0; i < 3; i++) {
      assertThat(pass(seal(near), far)).hasSize(PIECE);
    }

    far.begin(); // after the handshake, this is a key update
    while (far.need() == TlsEngine.Need.SENDING) {
      pass(far.message(MEMORY), near);
    }

    assertThat(sealUntilTheLimit(near, far)).isBetween(KEY_LIMIT - 2 * PIECE, KEY_LIMIT);
    far.free();
    near.free();
  }

  private static int sealUntilTheLimit(TlsEngine from, TlsEngine to) throws Exception {
    int passed = 0;
    while (passed < 2 * KEY_LIMIT) {
      ByteBuf sealed;
      try {
        sealed = seal(from);
      } catch (TlsKeyLimit e) {
        return passed;
      }
      passed += pass(sealed, to).length();
    }
    return passed;
  }

  private static ByteBuf seal(TlsEngine engine) throws Exception {
    ByteBuf plain = MEMORY.directBuffer(PIECE).writeZero(PIECE);
    try {
      return engine.seal(MEMORY, plain);
    } finally {
      plain.release();
    }
  }

  private static void shakeHands(TlsEngine near, TlsEngine far) throws SSLException {
    near.begin();
    far.begin();
    while (!near.established() || !far.established() || isBusy(near) || isBusy(far)) {
      advance(near, far);
      advance(far, near);
    }
  }

  private static boolean isBusy(TlsEngine engine) {
    return engine.need() != TlsEngine.Need.RECORDS;
  }

  private static void advance(TlsEngine from, TlsEngine to) throws SSLException {
    while (isBusy(from)) {
      if (from.need() == TlsEngine.Need.COMPUTATION) {
        from.compute();
        continue;
      }
      ByteBuf records = from.message(MEMORY);
      while (records.isReadable()) {
        if (to.need() == TlsEngine.Need.COMPUTATION) {
          to.compute();
        }
        ByteBuf plain = MEMORY.directBuffer(records.readableBytes());
        to.open(records, PartialRecords.recordLength(records), plain);
        plain.release();
      }
      records.release();
    }
  }

  private static String pass(ByteBuf records, TlsEngine to) throws SSLException {
    try {
      return open(records, to);
    } finally {
      records.release();
    }
  }

  private static String open(ByteBuf records, TlsEngine to) throws SSLException {
    ByteBuf plain = MEMORY.directBuffer(Math.max(1, records.readableBytes()));
    try {
      while (records.isReadable()) {
        int length = PartialRecords.recordLength(records);
        to.open(records, Math.min(length, records.readableBytes()), plain);
      }
      return plain.toString(StandardCharsets.UTF_8);
    } finally {
      plain.release();
    }
  }
}
