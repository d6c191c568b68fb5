package io.cascade.relay.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.relay.transport.Descriptors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KernelLimitsTest {
  private static final double GIGABIT = 1e9;
  private static final int STREAMS = 10_000;

  /** Of a host made for the job. */
  private static final Map<String, String> AMPLE =
      Map.of(
          "net.ipv4.tcp_rmem", "4096\t131072\t33554432",
          "net.ipv4.tcp_wmem", "4096\t16384\t33554432",
          "net.ipv4.tcp_window_scaling", "1",
          "net.ipv4.tcp_sack", "1",
          "net.ipv4.tcp_moderate_rcvbuf", "1",
          "net.ipv4.tcp_slow_start_after_idle", "0",
          "net.ipv4.tcp_congestion_control", "cubic",
          "net.core.somaxconn", "4096");

  @TempDir Path settings;

  @BeforeEach
  void ample() throws IOException {
    for (Map.Entry<String, String> each : AMPLE.entrySet()) {
      set(each.getKey(), each.getValue());
    }
  }

  @Test
  void anAmpleHostHoldsNothingBack() {
    assertThat(check(GIGABIT)).isEmpty();
  }

  @Test
  void aHostThatTellsNothingIsNotJudged(@TempDir Path empty) {
    assertThat(new KernelLimits(empty, new Descriptors(1 << 20)).check(GIGABIT, STREAMS)).isEmpty();
  }

  /** 12.5 MB are under way at 1 Gbit/s over 100 ms, and half of a buffer is data. */
  @Test
  void aBufferBoundsTheRateOverALongRoundTrip() throws IOException {
    set("net.ipv4.tcp_wmem", "4096\t16384\t4194304");
    assertThat(check(GIGABIT))
        .containsExactly(
            "net.ipv4.tcp_wmem: a connection sends at most about 168 Mbit/s over 100 ms;"
                + " mend: sysctl -w net.ipv4.tcp_wmem=\"4096 16384 33554432\"");
    assertThat(check(100e6)).isEmpty();
  }

  /** What is asked for is enough, and no more than twice that. */
  @ParameterizedTest
  @CsvSource({"1e9, 33554432", "10e9, 268435456", "400e6, 16777216"})
  void theMendIsEnough(double bitsPerSecond, String most) throws IOException {
    set("net.ipv4.tcp_rmem", "4096 131072 6291456");
    set("net.ipv4.tcp_wmem", "4096 16384 " + most);
    assertThat(check(bitsPerSecond))
        .singleElement()
        .asString()
        .endsWith("sysctl -w net.ipv4.tcp_rmem=\"4096 131072 " + most + "\"");
  }

  @ParameterizedTest
  @CsvSource({
    "net.ipv4.tcp_window_scaling, 0, sysctl -w net.ipv4.tcp_window_scaling=1",
    "net.ipv4.tcp_sack, 0, sysctl -w net.ipv4.tcp_sack=1",
    "net.ipv4.tcp_moderate_rcvbuf, 0, sysctl -w net.ipv4.tcp_moderate_rcvbuf=1",
    "net.ipv4.tcp_slow_start_after_idle, 1, sysctl -w net.ipv4.tcp_slow_start_after_idle=0",
    "net.core.somaxconn, 128, sysctl -w net.core.somaxconn=4096"
  })
  void whatHoldsBackIsNamedWithItsMend(String name, String value, String mend) throws IOException {
    set(name, value);
    assertThat(check(GIGABIT)).singleElement().asString().startsWith(name).endsWith(mend);
  }

  @Test
  void bbrRemembersAPathAcrossPauses() throws IOException {
    set("net.ipv4.tcp_slow_start_after_idle", "1");
    set("net.ipv4.tcp_congestion_control", "bbr");
    assertThat(check(GIGABIT)).isEmpty();
  }

  @Test
  void streamsTakeTwoDescriptorsEach() {
    assertThat(new KernelLimits(settings, new Descriptors(1_024)).check(GIGABIT, STREAMS))
        .containsExactly(
            "file descriptors: enough for about 480 streams of 10000;"
                + " mend: ulimit -n 20256, or LimitNOFILE= of its service");
    assertThat(new KernelLimits(settings, new Descriptors(20_256)).check(GIGABIT, STREAMS))
        .isEmpty();
  }

  private List<String> check(double bitsPerSecond) {
    return new KernelLimits(settings, new Descriptors(1 << 20)).check(bitsPerSecond, STREAMS);
  }

  private void set(String name, String value) throws IOException {
    Path file = settings.resolve(name.replace('.', '/'));
    Files.createDirectories(file.getParent());
    Files.writeString(file, value + "\n");
  }
}
