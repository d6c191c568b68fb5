package io.cascade.orchestrator.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.orchestrator.time.ManualTime;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.Channel;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StrangersTest {
  private static final int MOST = 64;
  private static final int MOST_CONNECTIONS = 128;
  private static final int OF_CALLER = 32;
  private static final int OF_SOURCE = 8;
  private static final int OF_KNOWN = 16;

  private final ManualTime time = ManualTime.from(Instant.EPOCH);
  private final Strangers strangers = new Strangers(MOST, MOST_CONNECTIONS, time.timekeeper());
  private int lastPort = 1_024;

  @Test
  void manySourcesTogetherLeavePlacesForAddressesThatSignedInLately() {
    signIn("192.0.2.7");
    signIn("192.0.2.8");

    assertThat(admittedOfManySources()).isEqualTo(MOST - OF_KNOWN);
    assertThat(admit("198.51.100.1")).as("another stranger").isFalse();
    assertThat(admitted("192.0.2.7", MOST)).isEqualTo(OF_SOURCE);
    assertThat(admitted("192.0.2.8", MOST)).isEqualTo(OF_SOURCE);
    assertThat(admit("192.0.2.9")).as("a neighbour").isFalse();
  }

  @Test
  void anAddressIsKnownForAWhileSinceItLastSignedIn() {
    signIn("192.0.2.7");
    assertThat(admittedOfManySources()).isPositive();

    time.pass(Strangers.KNOWN_FOR.minus(Duration.ofSeconds(1)));
    assertThat(admit("192.0.2.7")).isTrue();
    strangers.signedIn(null, "192.0.2.7", lastPort);
    time.pass(Duration.ofSeconds(1));
    assertThat(admit("192.0.2.7")).isTrue();
    time.pass(Strangers.KNOWN_FOR);
    assertThat(admit("192.0.2.7")).isFalse();
  }

  @Test
  void soManyAddressesAreKnown() {
    signIn("192.0.2.7");
    signIn("192.0.2.8");
    for (int i = 0; i < Strangers.MOST_KNOWN - 1; i++) {
      signIn("203.%d.%d.1".formatted(i / 256, i % 256));
    }
    assertThat(admittedOfManySources()).isPositive();

    assertThat(admit("192.0.2.7")).isFalse();
    assertThat(admit("192.0.2.8")).isTrue();
  }

  @Test
  void aSourceHasAnEighthOfThePlaces() {
    assertThat(admitted("192.0.2.1", 5)).isEqualTo(5);
    assertThat(admitted("192.0.2.2", MOST)).as("of the same 24 bits").isEqualTo(OF_SOURCE - 5);
    assertThat(admitted("192.0.3.2", MOST)).isEqualTo(OF_SOURCE);
    assertThat(admitted("2001:db8::1", 5)).isEqualTo(5);
    assertThat(admitted("2001:db8::ffff:1", MOST)).as("of the same 64").isEqualTo(OF_SOURCE - 5);
    assertThat(admitted("2001:db8:0:1::1", MOST)).isEqualTo(OF_SOURCE);
  }

  @Test
  void neighboursTakeNoPlaceOfAnAddressThatSignedIn() {
    signIn("192.0.2.7");

    assertThat(admitted("192.0.2.1", MOST)).isEqualTo(OF_SOURCE);
    assertThat(admitted("192.0.2.7", MOST)).isEqualTo(OF_SOURCE);
  }

  @Test
  void whereThereAreFewPlacesASourceHasOne() {
    Strangers few = new Strangers(1, MOST_CONNECTIONS, time.timekeeper());

    assertThat(few.admit(from("192.0.2.1"), new Connection())).isTrue();
    assertThat(few.admit(from("192.0.3.1"), new Connection())).isFalse();
  }

  @Test
  void oneThatEndsLeavesItsPlace() {
    Connection first = new Connection();
    assertThat(strangers.admit(from("192.0.2.1"), first)).isTrue();
    assertThat(admitted("192.0.2.1", MOST)).isEqualTo(OF_SOURCE - 1);

    first.close();

    assertThat(admitted("192.0.2.1", MOST)).isEqualTo(1);
  }

  @Test
  void oneFromThePortOfAnotherTakesItsPlace() {
    InetSocketAddress same = from("192.0.2.1");
    for (int i = 0; i < MOST; i++) {
      assertThat(strangers.admit(same, new Connection())).isTrue();
    }
    assertThat(admitted("192.0.2.1", MOST)).isEqualTo(OF_SOURCE - 1);
  }

  @Test
  void oneThatSignsInIsNoStranger() {
    assertThat(admit("fe80::1")).isTrue();
    int first = lastPort;
    assertThat(admitted("fe80::1", MOST)).isEqualTo(OF_SOURCE - 1);

    strangers.signedIn(null, "fe80:0:0:0:0:0:0:1%2", first);

    assertThat(admitted("fe80::1", MOST)).isEqualTo(1);
  }

  @Test
  void aCallerHasAQuarterOfAllConnections() {
    for (int i = 0; i < OF_CALLER; i++) {
      assertThat(signIn("viewer/bob", "10.0.%d.1".formatted(i), new Connection())).isTrue();
    }
    Connection last = new Connection();
    assertThat(signIn("viewer/bob", "192.0.2.1", last)).isFalse();
    assertThat(strangers.signedIn("viewer/bob", "192.0.2.1", lastPort)).as("tries again").isFalse();
    assertThat(signIn("viewer/alice", "192.0.2.1", new Connection())).isTrue();
    for (int i = 0; i < OF_CALLER + 1; i++) {
      assertThat(signIn(null, "127.0.0.1", new Connection())).as("nobody in particular").isTrue();
    }
  }

  @Test
  void oneThatACallerMayNotHaveStaysAStrangers() {
    for (int i = 0; i < OF_CALLER; i++) {
      signIn("viewer/bob", "10.0.%d.1".formatted(i), new Connection());
    }
    signIn("192.0.2.1");
    for (int i = 0; i < OF_SOURCE; i++) {
      assertThat(signIn("viewer/bob", "192.0.2.1", new Connection())).isFalse();
    }
    assertThat(admit("192.0.2.1")).isFalse();
  }

  @Test
  void aConnectionThatEndsOrGoesOverToAnotherCallerLeavesItsPlace() {
    Connection first = new Connection();
    assertThat(signIn("viewer/bob", "10.0.0.1", first)).isTrue();
    assertThat(signIn("viewer/bob", "192.0.2.1", new Connection())).isTrue();
    int second = lastPort;
    for (int i = 2; i < OF_CALLER; i++) {
      assertThat(signIn("viewer/bob", "10.0.%d.1".formatted(i), new Connection())).isTrue();
    }
    assertThat(signIn("viewer/bob", "10.0.0.1", new Connection())).isFalse();

    first.close();
    assertThat(signIn("viewer/bob", "10.1.0.1", new Connection())).isTrue();
    assertThat(strangers.signedIn("viewer/alice", "192.0.2.1", second)).isTrue();
    assertThat(signIn("viewer/bob", "10.2.0.1", new Connection())).isTrue();
    assertThat(signIn("viewer/bob", "10.3.0.1", new Connection())).isFalse();
  }

  private boolean signIn(@Nullable String owner, String address, Connection connection) {
    assertThat(strangers.admit(from(address), connection)).isTrue();
    return strangers.signedIn(owner, address, lastPort);
  }

  /** Each of 64 sources makes as many connections as all together may have. */
  private int admittedOfManySources() {
    int admitted = 0;
    for (int i = 0; i < 64; i++) {
      admitted += admitted("10.0.%d.1".formatted(i), MOST);
    }
    return admitted;
  }

  private int admitted(String address, int tries) {
    int admitted = 0;
    for (int i = 0; i < tries; i++) {
      admitted += admit(address) ? 1 : 0;
    }
    return admitted;
  }

  private boolean admit(String address) {
    return strangers.admit(from(address), new Connection());
  }

  private void signIn(String address) {
    assertThat(admit(address)).isTrue();
    strangers.signedIn(null, address, lastPort);
  }

  private InetSocketAddress from(String address) {
    return new InetSocketAddress(InetAddress.ofLiteral(address), ++lastPort);
  }

  private static final class Connection implements Channel {
    private boolean isOpen = true;

    @Override
    public boolean isOpen() {
      return isOpen;
    }

    @Override
    public void close() {
      isOpen = false;
    }
  }
}
