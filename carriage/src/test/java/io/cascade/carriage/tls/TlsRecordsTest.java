package io.cascade.carriage.tls;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.carriage.LeakWatch;
import io.cascade.carriage.transport.Connection;
import io.cascade.carriage.transport.EmbeddedConnection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two ends in memory, with a wire between them that cuts what passes anywhere. */
@ParameterizedClass
@CsvSource({"BORINGSSL, BORINGSSL", "JDK, JDK", "BORINGSSL, JDK", "JDK, BORINGSSL"})
class TlsRecordsTest {
  private static final InetSocketAddress SOMEWHERE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 7_411);

  private final HopTls dialler;
  private final HopTls acceptor;
  private EmbeddedChannel near = new EmbeddedChannel();
  private EmbeddedChannel far = new EmbeddedChannel();

  TlsRecordsTest(TlsLibrary diallers, TlsLibrary acceptors) {
    assumeTrue(diallers.available() && acceptors.available(), "BoringSSL is not to be had here");
    dialler = new HopTls("a", diallers, KeyUse.LIMIT_BYTES, Runnable::run);
    acceptor = new HopTls("b", acceptors, KeyUse.LIMIT_BYTES, Runnable::run);
  }

  @BeforeEach
  void watch() {
    LeakWatch.start();
  }

  @AfterEach
  void close() {
    near.finishAndReleaseAll();
    far.finishAndReleaseAll();
    LeakWatch.assertNothingLeaks();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 1_000, 16_389, 1 << 20})
  void opensRecordsHoweverTheyAreCut(int cut) {
    connect(acceptor.fingerprint(), cut);
    byte[] bytes = random(cut < 100 ? 20_000 : 1_000_000);

    near.writeOutbound(Unpooled.copiedBuffer(bytes));
    carry(near, far, cut);

    assertThat(received(far)).isEqualTo(bytes);
    assertThat(carriedBy(far)).isZero();
  }

  @Test
  void carriesAtMostOneRecordThatIsNotWhole() {
    connect(acceptor.fingerprint(), 1 << 20);

    near.writeOutbound(Unpooled.copiedBuffer(random(100_000)));
    ByteBuf sealed = near.readOutbound();
    while (sealed.isReadable()) {
      far.writeInbound(sealed.readRetainedSlice(Math.min(1_111, sealed.readableBytes())));
      assertThat(carriedBy(far)).isLessThanOrEqualTo(16_384 + 256 + 5);
    }
    sealed.release();
    assertThat(received(far)).hasSize(100_000);
  }

  @Test
  void whatAKeyMayNotSealFailsAndIsNotSent() {
    HopTls limited = new HopTls("a", TlsLibrary.BORINGSSL, 50_000, Runnable::run);
    assumeTrue(TlsLibrary.BORINGSSL.available(), "BoringSSL is not to be had here");
    near = channel(limited.dialling(SOMEWHERE, acceptor.fingerprint()));
    far = channel(requireNonNull(acceptor.accepting()));
    shakeHands(1 << 20);
    near.writeOutbound(Unpooled.copiedBuffer(random(40_000)));
    carry(near, far, 1 << 20);

    ChannelFuture refused = near.writeAndFlush(Unpooled.copiedBuffer(random(20_000)));

    assertThat(refused.cause()).isInstanceOf(TlsKeyLimit.class).hasMessageContaining("fix:");
    assertThat(near.<ByteBuf>readOutbound()).isNull();
    assertThat(received(far)).hasSize(40_000);
  }

  @Test
  void bothEndsKnowEachOther() {
    connect(acceptor.fingerprint(), 1 << 20);

    assertThat(peer(near)).isEqualTo(acceptor.fingerprint());
    assertThat(peer(far)).isEqualTo(dialler.fingerprint());
  }

  @Test
  void theSecondConnectionResumesTheFirstOnesSessionAndStillKnowsThePeer() {
    connect(acceptor.fingerprint(), 1 << 20);
    near.finishAndReleaseAll();
    far.finishAndReleaseAll();
    connect(acceptor.fingerprint(), 1 << 20);

    assertThat(dialler.handshakes()).isEqualTo(Map.of("full", 1L, "resumed", 1L, "failed", 0L));
    assertThat(acceptor.handshakes()).isEqualTo(Map.of("full", 1L, "resumed", 1L, "failed", 0L));
    assertThat(peer(far)).isEqualTo(dialler.fingerprint());
  }

  @Test
  void refusesAPeerWithAnotherCertificateBeforeAByteIsSent() {
    near = channel(dialler.dialling(SOMEWHERE, new HopTls("c", TlsLibrary.JDK).fingerprint()));
    acceptor.fingerprint();
    far = channel(requireNonNull(acceptor.accepting()));
    shakeHands(1 << 20);

    assertThat(records(near).established().cause()).hasMessageContaining("certificate");
    assertThat(dialler.handshakes()).containsEntry("failed", 1L);
  }

  @Test
  void handshakesOfWhichAByteWasChangedDoNotComeToTheirEnd() {
    acceptor.fingerprint();
    for (int at = 0; at < 1_100; at += 7) {
      near = channel(dialler.dialling(SOMEWHERE, acceptor.fingerprint()));
      far = channel(requireNonNull(acceptor.accepting()));
      changeOneOfTheHandshakesBytes(at);

      assertThat(records(near).established().isSuccess() && records(far).established().isSuccess())
          .as("byte %d", at)
          .isFalse();
      near.finishAndReleaseAll();
      far.finishAndReleaseAll();
    }
  }

  /**
   * Counts the bytes in both directions together, and leaves out the version, which is no one's.
   */
  private void changeOneOfTheHandshakesBytes(int at) {
    int before = 0;
    EmbeddedChannel from = near;
    EmbeddedChannel to = far;
    for (int silent = 0; silent < 2; ) {
      ByteBuf bytes = from.readOutbound();
      if (bytes == null) {
        silent++;
        EmbeddedChannel other = from;
        from = to;
        to = other;
        continue;
      }
      silent = 0;
      int record = 0;
      while (record + 5 <= bytes.readableBytes()) {
        int changed = at - before - record;
        if (changed >= 0 && changed < 5 + bytes.getUnsignedShort(record + 3)) {
          int index = record + (changed == 1 || changed == 2 ? 0 : changed);
          bytes.setByte(index, bytes.getByte(index) ^ 0x41);
          before = Integer.MIN_VALUE / 2;
          break;
        }
        record += 5 + bytes.getUnsignedShort(record + 3);
      }
      before += bytes.readableBytes();
      try {
        to.writeInbound(bytes);
        to.checkException();
      } catch (Exception e) {
        assertThat(e).isInstanceOf(TlsFailure.class);
        return;
      }
      to.runPendingTasks();
    }
  }

  @Test
  void aRecordThatWasChangedIsAFailure() {
    connect(acceptor.fingerprint(), 1 << 20);

    near.writeOutbound(Unpooled.copiedBuffer(random(1_000)));
    ByteBuf sealed = near.readOutbound();
    sealed.setByte(500, sealed.getByte(500) ^ 1);
    try {
      far.writeInbound(sealed);
      far.checkException();
    } catch (Exception e) {
      assertThat(e).isInstanceOf(TlsFailure.class).hasMessageContaining("not genuine");
      assertThat(far.inboundMessages()).isEmpty();
      return;
    }
    throw new AssertionError("nobody noticed");
  }

  @Test
  void anEndWithoutCloseNotifyIsATruncation() {
    connect(acceptor.fingerprint(), 1 << 20);

    far.pipeline().fireUserEventTriggered(ChannelInputShutdownReadComplete.INSTANCE);
    try {
      far.checkException();
    } catch (Exception e) {
      assertThat(e).isInstanceOf(TlsFailure.class).hasMessageContaining("truncated");
      return;
    }
    throw new AssertionError("taken for an end");
  }

  @Test
  void whoeverDoesNotShakeHandsIsAFailure() {
    acceptor.fingerprint();
    far = channel(requireNonNull(acceptor.accepting()));
    try {
      far.writeInbound(Unpooled.copiedBuffer(new byte[] {0x16, 3, 1, 0, 5, 1, 2, 3, 4, 5}));
      await()
          .until(() -> {
            far.runPendingTasks();
            far.checkException();
            return false;
          });
    } catch (Exception e) {
      assertThat(e).hasRootCauseInstanceOf(javax.net.ssl.SSLException.class);
      return;
    }
    throw new AssertionError("taken for a handshake");
  }

  private void connect(Fingerprint expected, int cut) {
    near = channel(dialler.dialling(SOMEWHERE, expected));
    far = channel(requireNonNull(acceptor.accepting()));
    shakeHands(cut);
    assertThat(records(near).established().isSuccess()).isTrue();
    assertThat(records(far).established().isSuccess()).isTrue();
  }

  private void shakeHands(int cut) {
    await()
        .until(() -> {
          carry(near, far, cut);
          carry(far, near, cut);
          near.runPendingTasks();
          far.runPendingTasks();
          boolean failed = records(near).established().cause() != null;
          return failed
              || (records(near).established().isDone()
                  && records(far).established().isDone()
                  && near.outboundMessages().isEmpty()
                  && far.outboundMessages().isEmpty());
        });
  }

  private static EmbeddedChannel channel(TlsRecords records) {
    return new EmbeddedConnection(records);
  }

  private static void carry(EmbeddedChannel from, EmbeddedChannel to, int cut) {
    for (ByteBuf bytes = from.readOutbound(); bytes != null; bytes = from.readOutbound()) {
      while (bytes.isReadable()) {
        to.writeInbound(bytes.readRetainedSlice(Math.min(cut, bytes.readableBytes())));
      }
      bytes.release();
    }
  }

  private static byte[] received(EmbeddedChannel channel) {
    ByteBuf all = Unpooled.buffer();
    for (ByteBuf bytes = channel.readInbound(); bytes != null; bytes = channel.readInbound()) {
      all.writeBytes(bytes);
      bytes.release();
    }
    return Arrays.copyOf(all.array(), all.readableBytes());
  }

  private static int carriedBy(EmbeddedChannel channel) {
    return Connection.of(channel).receive().carried();
  }

  private static @Nullable Fingerprint peer(EmbeddedChannel channel) {
    return records(channel).peer();
  }

  private static TlsRecords records(EmbeddedChannel channel) {
    return channel.pipeline().get(TlsRecords.class);
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(1).nextBytes(bytes);
    return bytes;
  }
}
