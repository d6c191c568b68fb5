package io.cascade.relay.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.relay.admission.SourcePlaces;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What one source, all sources and a day may take. */
class RendezvousBoundsTest {
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5); // the clock may run over

  @Test
  void aSourceMakesSoManyRequestsInAMinute() throws UnknownHostException {
    RequestRate rate = new RequestRate(2, now::get);
    InetAddress client = InetAddress.getByName("192.0.2.1");
    assertThat(rate.admit(client)).isTrue();
    assertThat(rate.admit(client)).isTrue();
    assertThat(rate.admit(client)).isFalse();
    assertThat(rate.admit(InetAddress.getByName("192.0.2.2"))).isTrue();
    now.addAndGet(Duration.ofMinutes(1).toNanos());
    assertThat(rate.admit(client)).isTrue();
  }

  @Test
  void sourcesBeyondThoseThatAreKnownShareWhatOneMayHave() throws UnknownHostException {
    RequestRate rate = new RequestRate(2, now::get);
    for (int i = 0; i < RequestRate.MOST_SOURCES; i++) {
      assertThat(rate.admit(address(i))).isTrue();
    }
    assertThat(rate.admit(address(1_000_001))).isTrue();
    assertThat(rate.admit(address(1_000_002))).isTrue();
    assertThat(rate.admit(address(1_000_003))).isFalse();
    assertThat(rate.admit(address(0))).isTrue();
  }

  @Test
  void anIpv6NetworkIsOneSource() throws UnknownHostException {
    SourcePlaces places = new SourcePlaces(10, 1);
    InetAddress first = InetAddress.getByName("2001:db8::1");
    assertThat(places.enter(first)).isEqualTo(SourcePlaces.Taking.TAKEN);
    assertThat(places.enter(InetAddress.getByName("2001:db8::ffff:1")))
        .isEqualTo(SourcePlaces.Taking.SOURCE_FULL);
    assertThat(places.enter(InetAddress.getByName("2001:db8:0:1::1")))
        .isEqualTo(SourcePlaces.Taking.TAKEN);
    places.leave(first);
    assertThat(places.enter(first)).isEqualTo(SourcePlaces.Taking.TAKEN);
  }

  @Test
  void placesOfAllSourcesAreBoundedToo() throws UnknownHostException {
    SourcePlaces places = new SourcePlaces(1, 1);
    assertThat(places.enter(address(1))).isEqualTo(SourcePlaces.Taking.TAKEN);
    assertThat(places.enter(address(2))).isEqualTo(SourcePlaces.Taking.FULL);
    assertThat(places.taken()).isEqualTo(1);
  }

  @Test
  void aDaysBytesAreThereAgainTheNextDay() {
    DayBudget budget = new DayBudget(100, now::get);
    budget.moved(60);
    assertThat(budget.leftBytes()).isEqualTo(40);
    budget.moved(60);
    assertThat(budget.leftBytes()).isZero();
    now.addAndGet(Duration.ofDays(1).toNanos());
    assertThat(budget.leftBytes()).isEqualTo(100);
  }

  private static InetAddress address(int number) throws UnknownHostException {
    return InetAddress.getByAddress(ByteBuffer.allocate(4).putInt(number).array());
  }
}
