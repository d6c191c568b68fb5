package io.cascade.carriage.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.carriage.transport.Capabilities;
import io.cascade.carriage.transport.Descriptors;
import io.cascade.kernel.settings.KernelSettings;
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
  private static final int LOOPS = 2;
  private static final Capabilities SYS_ADMIN = new Capabilities(1L << 21);
  private static final Capabilities SYS_RESOURCE = new Capabilities(1L << 24);

  /** The settings of a host made for the job. */
  private static final Map<String, String> AMPLE =
      Map.of(
          "net.ipv4.tcp_rmem", "4096\t131072\t33554432",
          "net.ipv4.tcp_wmem", "4096\t16384\t33554432",
          "net.ipv4.tcp_window_scaling", "1",
          "net.ipv4.tcp_sack", "1",
          "net.ipv4.tcp_moderate_rcvbuf", "1",
          "net.ipv4.tcp_slow_start_after_idle", "0",
          "net.ipv4.tcp_congestion_control", "cubic",
          "net.core.somaxconn", "4096",
          "fs.pipe-max-size", "1048576",
          "fs.pipe-user-pages-soft", "32768");

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
    settings = empty;
    assertThat(check(GIGABIT)).isEmpty();
  }

  /** 12.5 MB are under way at 1 Gbit/s over 100 ms, and half of a buffer is data. */
  @Test
  void aBufferBoundsTheRateOverALongRoundTrip() throws IOException {
    set("net.ipv4.tcp_wmem", "4096\t16384\t4194304");
    assertThat(check(GIGABIT))
        .containsExactly(
            "net.ipv4.tcp_wmem: a connection sends at most about 168 Mbit/s over 100 ms;"
                + " fix: sysctl -w net.ipv4.tcp_wmem=\"4096 16384 33554432\"");
    assertThat(check(100e6)).isEmpty();
  }

  /** What is asked for is enough, and no more than twice that. */
  @ParameterizedTest
  @CsvSource({"1e9, 33554432", "10e9, 268435456", "400e6, 16777216"})
  void theFixIsEnough(double bitsPerSecond, String most) throws IOException {
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
  void whatHoldsBackIsNamedWithItsFix(String name, String value, String fix) throws IOException {
    set(name, value);
    assertThat(check(GIGABIT)).singleElement().asString().startsWith(name).endsWith(fix);
  }

  @Test
  void bbrRemembersAPathAcrossPauses() throws IOException {
    set("net.ipv4.tcp_slow_start_after_idle", "1");
    set("net.ipv4.tcp_congestion_control", "bbr");
    assertThat(check(GIGABIT)).isEmpty();
  }

  @Test
  void streamsTakeTwoDescriptorsEach() {
    assertThat(check(new Descriptors(1_024), Capabilities.NONE, LOOPS))
        .containsExactly(
            "file descriptors: enough for about 480 streams of 10000;"
                + " fix: ulimit -n 20256, or LimitNOFILE= of its service");
    assertThat(check(new Descriptors(20_256), Capabilities.NONE, LOOPS)).isEmpty();
  }

  @Test
  void pipesThatMayNotBeAsLargeAsWantedAreNotUsedAtAll() throws IOException {
    set("fs.pipe-max-size", "65536");
    assertThat(pipes(Capabilities.NONE))
        .containsExactly(
            "fs.pipe-max-size: the kernel refuses the relay pipes of 1048576 bytes, and all streams"
                + " are copied; fix: sysctl -w fs.pipe-max-size=1048576");
    assertThat(pipes(SYS_ADMIN)).hasSize(1);
    assertThat(pipes(SYS_RESOURCE)).isEmpty();
  }

  /** 256 pages of 4 KiB each, 64 pipes kept on each of two event loops; 16,384 is usual. */
  @Test
  void theUsersPipesMustBeEnoughForThoseThatEveryEventLoopKeeps() throws IOException {
    set("fs.pipe-user-pages-soft", "16384");
    assertThat(pipes(Capabilities.NONE))
        .containsExactly(
            "fs.pipe-user-pages-soft: enough for 64 pipes of the 128 that the relay keeps, and"
                + " streams without one are copied; fix: sysctl -w fs.pipe-user-pages-soft=32768");
    assertThat(pipes(SYS_ADMIN)).isEmpty();
    assertThat(pipes(SYS_RESOURCE)).isEmpty();
    assertThat(check(new Descriptors(1 << 20), Capabilities.NONE, 1)).isEmpty();
  }

  @Test
  void noSoftLimitIsNoLimit() throws IOException {
    set("fs.pipe-user-pages-soft", "0");
    assertThat(pipes(Capabilities.NONE)).isEmpty();
  }

  @Test
  void whoSplicesNothingNeedsNoPipes() throws IOException {
    set("fs.pipe-max-size", "4096");
    set("fs.pipe-user-pages-soft", "1");
    assertThat(check(new Descriptors(1 << 20), Capabilities.NONE, 0)).isEmpty();
  }

  @Test
  void howFarBuffersGrowIsTheLastOfTheThreeSizes() throws IOException {
    set("net.ipv4.tcp_wmem", "4096\t16384\t4194304");
    assertThat(SocketBuffers.of(new KernelSettings(settings)))
        .isEqualTo(new SocketBuffers(4_194_304L, 33_554_432L));
  }

  @Test
  void howFarBuffersGrowIsLeftOpenWhereTheHostTellsNothing(@TempDir Path empty) {
    assertThat(SocketBuffers.of(new KernelSettings(empty)))
        .isEqualTo(new SocketBuffers(null, null));
  }

  private List<String> check(double bitsPerSecond) {
    return new KernelLimits(
            new KernelSettings(settings), new Descriptors(1 << 20), Capabilities.NONE)
        .check(bitsPerSecond, STREAMS, LOOPS);
  }

  private List<String> pipes(Capabilities capabilities) {
    return check(new Descriptors(1 << 20), capabilities, LOOPS);
  }

  private List<String> check(Descriptors descriptors, Capabilities capabilities, int loops) {
    return new KernelLimits(new KernelSettings(settings), descriptors, capabilities)
        .check(GIGABIT, STREAMS, loops);
  }

  private void set(String name, String value) throws IOException {
    Path file = settings.resolve(name.replace('.', '/'));
    Files.createDirectories(file.getParent());
    Files.writeString(file, value + "\n");
  }
}
