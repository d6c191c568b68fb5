package io.cascade.coding.crypto;

import static io.cascade.coding.crypto.DiallingState.AGREED;
import static io.cascade.coding.crypto.DiallingState.COOKIE_SENT;
import static io.cascade.coding.crypto.DiallingState.FAILED;
import static io.cascade.coding.crypto.DiallingState.HELLO_SENT;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.testing.Golden;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class HandshakeTest {
  private static final long SECOND = 1_000_000_000;
  private static final long MILLI = 1_000_000;
  private static final int LENGTH = 1_472;
  private static final byte[] NAME = "hop".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] KEY = key(1);

  private final Accepting accepting =
      new Accepting(
          name -> Arrays.equals(name, NAME) ? KEY : null,
          new SecureRandom(),
          Accepting.MOST_WITHOUT_COOKIE);

  @Test
  void theStateMovesAsItsTableSays() {
    // RETRY_ARRIVED, WELCOME_ARRIVED, TIMED_OUT
    assertRow(HELLO_SENT, COOKIE_SENT, AGREED, FAILED);
    assertRow(COOKIE_SENT, COOKIE_SENT, AGREED, FAILED);
    assertRow(AGREED, AGREED, AGREED, AGREED);
    assertRow(FAILED, FAILED, FAILED, FAILED);
  }

  private static void assertRow(DiallingState from, DiallingState... to) {
    assertThat(Arrays.stream(DiallingState.Event.values()).map(from::after).toList())
        .as("from %s", from)
        .isEqualTo(List.of(to));
  }

  @Test
  @Tag(Golden.TAG)
  void theBytesOfAHandshakeStayAsTheyAre() {
    byte[] agreement = new byte[AgreementKey.PUBLIC_BYTES];
    Arrays.fill(agreement, (byte) 0xa5);
    HandshakePacket.Hello hello =
        new HandshakePacket.Hello(7, agreement, NAME, new byte[] {1, 2, 3}, new byte[0], 128)
            .signed(KEY);
    HandshakePacket.Retry retry = HandshakePacket.Retry.signed(KEY, hello, new byte[] {4, 5});
    HandshakePacket.Welcome welcome =
        new HandshakePacket.Welcome(7, 8, agreement, new byte[0], 128).signed(KEY, hello);
    HexFormat hex = HexFormat.of();
    Golden.check(
        "wire/coded-handshake.txt",
        "HELLO %s%nRETRY %s%nWELCOME %s%n"
            .formatted(
                hex.formatHex(hello.encode()),
                hex.formatHex(retry.encode()),
                hex.formatHex(welcome.encode())));
  }

  @Test
  void bothEndsAgreeInOneRoundTripAndOpenEachOthersDatagrams() {
    Dialling dialling = dialling(KEY, 7);
    byte[] hello = requireNonNull(dialling.poll(0));
    Accepting.HelloOutcome.Opened opened = opened(hello, address(1), 0);
    dialling.onDatagram(ByteBuffer.wrap(opened.welcome()), MILLI);

    assertThat(dialling.state()).isEqualTo(AGREED);
    Agreement near = requireNonNull(dialling.agreement());
    Agreement far = opened.agreement();
    assertThat(near.remoteConnectionId()).isEqualTo(far.localConnectionId());
    assertThat(near.localConnectionId()).isEqualTo(far.remoteConnectionId()).isEqualTo(7);
    assertThat(near.contentBytes()).isEqualTo(far.contentBytes()).isEqualTo(1_435);
    PacketProtectionTest.assertOpens(near.protection(), far.protection());
    PacketProtectionTest.assertOpens(far.protection(), near.protection());
    assertThat(dialling.poll(SECOND)).isNull();
  }

  @Test
  void anAnswerIsNeverLongerThanWhatItAnswers() {
    byte[] hello = requireNonNull(dialling(KEY, 7).poll(0));
    assertThat(opened(hello, address(1), 0).welcome()).hasSizeLessThanOrEqualTo(hello.length);
    byte[] cut = Arrays.copyOf(hello, 1_000);
    assertThat(accepting.onDatagram(ByteBuffer.wrap(cut), address(2), LENGTH, 0))
        .isInstanceOf(Accepting.HelloOutcome.Nothing.class);
  }

  @Test
  void aHelloThatIsRepeatedGetsTheSameAnswer() {
    Dialling dialling = dialling(KEY, 7);
    byte[] welcome = opened(requireNonNull(dialling.poll(0)), address(1), 0).welcome();
    byte[] again = requireNonNull(dialling.poll(40 * MILLI));
    assertThat(accepting.onDatagram(ByteBuffer.wrap(again), address(1), LENGTH, 0))
        .isInstanceOfSatisfying(
            Accepting.HelloOutcome.Reply.class,
            reply -> assertThat(reply.datagram()).isEqualTo(welcome));
    assertThat(accepting.halfOpen()).isEqualTo(1);
  }

  @Test
  void whoLacksTheKeyLeavesNothingBehindAndIsNotAnswered() {
    byte[] forged = requireNonNull(dialling(key(2), 7).poll(0));
    assertThat(accepting.onDatagram(ByteBuffer.wrap(forged), address(1), LENGTH, 0))
        .isInstanceOf(Accepting.HelloOutcome.Nothing.class);
    Dialling unknown =
        new Dialling(KEY, new byte[] {1}, 7, LENGTH, Dialling.Repetition.SHORTER_LATER, 0, SECOND);
    assertThat(
            accepting.onDatagram(
                ByteBuffer.wrap(requireNonNull(unknown.poll(0))), address(1), LENGTH, 0))
        .isInstanceOf(Accepting.HelloOutcome.Nothing.class);
    assertThat(accepting.halfOpen()).isZero();
    assertThat(accepting.refused()).isEqualTo(2);
  }

  @Test
  void aDiallerBelievesNobodyWithoutTheKey() {
    Accepting impostor =
        new Accepting(_ -> key(2), new SecureRandom(), Accepting.MOST_WITHOUT_COOKIE);
    Dialling dialling = dialling(KEY, 7);
    byte[] hello = requireNonNull(dialling.poll(0));
    assertThat(impostor.onDatagram(ByteBuffer.wrap(hello), address(1), LENGTH, 0))
        .isInstanceOf(Accepting.HelloOutcome.Nothing.class);
    Accepting.HelloOutcome.Opened opened = opened(hello, address(1), 0);
    byte[] changed = opened.welcome().clone();
    for (int at : new int[] {2, 6, 12, 50}) {
      changed[at] ^= 1;
      dialling.onDatagram(ByteBuffer.wrap(changed.clone()), 0);
      changed[at] ^= 1;
    }
    dialling.onDatagram(ByteBuffer.wrap(Arrays.copyOf(changed, 1_300)), 0);
    assertThat(dialling.state()).isEqualTo(HELLO_SENT);
  }

  @Test
  void theHelloOfASessionThatStandsIsNotAnsweredAnyMore() {
    byte[] recorded = requireNonNull(dialling(KEY, 7).poll(0));
    byte[] diallersKey = opened(recorded, address(1), 0).diallersKey();
    Accepting later =
        accepting(
            new Accepting.KnownSessions() {
              @Override
              public boolean isTaken(byte[] key) {
                return Arrays.equals(key, diallersKey);
              }
            });

    assertThat(later.onDatagram(ByteBuffer.wrap(recorded), address(2), LENGTH, 0))
        .isInstanceOf(Accepting.HelloOutcome.Nothing.class);
    assertThat(later.halfOpen()).isZero();
    assertThat(
            later.onDatagram(
                ByteBuffer.wrap(requireNonNull(dialling(KEY, 8).poll(0))), address(2), LENGTH, 0))
        .isInstanceOf(Accepting.HelloOutcome.Opened.class);
  }

  @Test
  void whoBeginsAtTheAddressOfAnotherDiallerHasToShowThatItIsThere() {
    Accepting contested =
        accepting(
            new Accepting.KnownSessions() {
              @Override
              public boolean isAnothers(byte[] address, byte[] key) {
                return Arrays.equals(address, address(1));
              }
            });
    Dialling dialling = dialling(KEY, 7);
    byte[] hello = requireNonNull(dialling.poll(0));

    byte[] retry =
        ((Accepting.HelloOutcome.Reply)
                contested.onDatagram(ByteBuffer.wrap(hello), address(1), LENGTH, 0))
            .datagram();
    assertThat(contested.halfOpen()).isZero();
    dialling.onDatagram(ByteBuffer.wrap(retry), MILLI);
    byte[] second = requireNonNull(dialling.poll(MILLI));
    assertThat(contested.onDatagram(ByteBuffer.wrap(second), address(1), LENGTH, MILLI))
        .isInstanceOf(Accepting.HelloOutcome.Opened.class);
  }

  private static Accepting accepting(Accepting.KnownSessions standing) {
    return new Accepting(
        name -> Arrays.equals(name, NAME) ? KEY : null,
        standing,
        new SecureRandom(),
        Accepting.MOST_WITHOUT_COOKIE);
  }

  @Test
  void manyHalfOpenSessionsMakeDiallersShowTheirAddress() {
    for (int i = 0; i < Accepting.MOST_WITHOUT_COOKIE; i++) {
      opened(requireNonNull(dialling(KEY, i).poll(0)), address(i), 0);
    }
    Dialling dialling = dialling(KEY, 1_000);
    byte[] hello = requireNonNull(dialling.poll(0));
    Accepting.HelloOutcome retry =
        accepting.onDatagram(ByteBuffer.wrap(hello), address(1_000), LENGTH, 0);
    assertThat(retry).isInstanceOf(Accepting.HelloOutcome.Reply.class);
    assertThat(accepting.halfOpen()).isEqualTo(Accepting.MOST_WITHOUT_COOKIE);

    byte[] forged = ((Accepting.HelloOutcome.Reply) retry).datagram().clone();
    forged[8] ^= 1;
    dialling.onDatagram(ByteBuffer.wrap(forged), MILLI);
    assertThat(dialling.state())
        .as("with a cookie that somebody has changed")
        .isEqualTo(HELLO_SENT);
    dialling.onDatagram(ByteBuffer.wrap(((Accepting.HelloOutcome.Reply) retry).datagram()), MILLI);
    assertThat(dialling.state()).isEqualTo(COOKIE_SENT);
    byte[] second = requireNonNull(dialling.poll(MILLI));
    assertThat(accepting.onDatagram(ByteBuffer.wrap(second), address(1_001), LENGTH, MILLI))
        .as("with the cookie of another address")
        .isInstanceOf(Accepting.HelloOutcome.Reply.class);
    dialling.onDatagram(
        ByteBuffer.wrap(opened(second, address(1_000), MILLI).welcome()), 2 * MILLI);
    assertThat(dialling.state()).isEqualTo(AGREED);
  }

  @Test
  void halfOpenSessionsAreBoundedAndForgotten() {
    Accepting.HelloOutcome last = new Accepting.HelloOutcome.Nothing();
    for (int i = 0; i < 2 * Accepting.MOST_HALF_OPEN; i++) {
      Dialling dialling = dialling(KEY, i);
      byte[] hello = requireNonNull(dialling.poll(0));
      last = accepting.onDatagram(ByteBuffer.wrap(hello), address(i), LENGTH, 0);
      if (last instanceof Accepting.HelloOutcome.Reply retry) {
        dialling.onDatagram(ByteBuffer.wrap(retry.datagram()), 0);
        hello = requireNonNull(dialling.poll(0));
        last = accepting.onDatagram(ByteBuffer.wrap(hello), address(i), LENGTH, 0);
      }
    }
    assertThat(last).isInstanceOf(Accepting.HelloOutcome.Nothing.class);
    assertThat(accepting.halfOpen()).isEqualTo(Accepting.MOST_HALF_OPEN);

    opened(requireNonNull(dialling(KEY, 5_000).poll(0)), address(5_000), Accepting.KEPT_NANOS);
    assertThat(accepting.halfOpen()).isEqualTo(1);
  }

  @Test
  void aSessionWhosePeerHasShownItsKeysIsNotHalfOpen() {
    Accepting.HelloOutcome.Opened opened =
        opened(requireNonNull(dialling(KEY, 7).poll(0)), address(1), 0);
    accepting.settled(opened.agreement().localConnectionId());
    assertThat(accepting.halfOpen()).isZero();
  }

  @Test
  void theHelloOfASessionForWhichThereWasNoRoomIsNotAnsweredWithItsWelcome() {
    byte[] hello = requireNonNull(dialling(KEY, 7).poll(0));
    Accepting.HelloOutcome.Opened first = opened(hello, address(1), 0);
    accepting.forget(first.agreement().localConnectionId());
    assertThat(accepting.halfOpen()).isZero();

    Accepting.HelloOutcome.Opened again = opened(hello, address(1), MILLI);
    assertThat(again.welcome()).isNotEqualTo(first.welcome());
  }

  @Test
  void withoutAnAnswerItIsTriedWithShorterDatagramsAndThenFails() {
    Dialling dialling = dialling(KEY, 7);
    int sent = 0;
    byte[] last = {};
    for (long now = 0; now <= SECOND; now += MILLI) {
      byte[] hello = dialling.poll(now);
      if (hello != null) {
        sent++;
        assertThat(hello).hasSizeBetween(sent <= 5 ? LENGTH : 1_232, LENGTH);
        last = hello;
      }
    }
    assertThat(dialling.state()).isEqualTo(FAILED);
    assertThat(sent).isBetween(6, 8);
    assertThat(opened(last, address(1), 0).agreement().datagramBytes()).isEqualTo(1_232);
  }

  @Test
  void datagramsAtRandomAreRefused() {
    SplittableRandom random = new SplittableRandom(3);
    Dialling dialling = dialling(KEY, 7);
    byte[] hello = requireNonNull(dialling.poll(0));
    for (int i = 0; i < 200_000; i++) {
      byte[] changed = hello.clone();
      changed[random.nextInt(77)] ^= (byte) (1 << random.nextInt(8));
      if (random.nextInt(4) == 0) {
        changed = Arrays.copyOf(changed, random.nextInt(0, 1_472));
      }
      assertThat(accepting.onDatagram(ByteBuffer.wrap(changed), address(1), LENGTH, 0))
          .isInstanceOf(Accepting.HelloOutcome.Nothing.class);
      if (random.nextInt(3) == 0 && changed.length > 0) {
        changed[0] = (byte) random.nextInt(0x10, 0x16);
      }
      dialling.onDatagram(ByteBuffer.wrap(changed), 0);
      if (dialling.state() == COOKIE_SENT) {
        dialling = dialling(KEY, 7);
      }
    }
    assertThat(accepting.halfOpen()).isZero();
    assertThat(dialling.state()).isEqualTo(HELLO_SENT);
  }

  private Accepting.HelloOutcome.Opened opened(byte[] hello, byte[] address, long now) {
    Accepting.HelloOutcome answer =
        accepting.onDatagram(ByteBuffer.wrap(hello), address, LENGTH, now);
    assertThat(answer).isInstanceOf(Accepting.HelloOutcome.Opened.class);
    return (Accepting.HelloOutcome.Opened) answer;
  }

  private static Dialling dialling(byte[] key, int id) {
    return new Dialling(key, NAME, id, LENGTH, Dialling.Repetition.SHORTER_LATER, 0, SECOND);
  }

  private static byte[] address(int host) {
    return ByteBuffer.allocate(6).putInt(host).array();
  }

  private static byte[] key(int value) {
    byte[] key = new byte[32];
    Arrays.fill(key, (byte) value);
    return key;
  }
}
