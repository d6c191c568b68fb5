package io.cascade.gateway.tunnel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.command.CommandException;
import io.cascade.packets.header.IpAddress;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What stands on the command line and in files. */
class TextTest {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void aGatewayToDialHasANameAnAddressAndAKey() {
    LinkSettings link = LinkText.dial("gw2=192.0.2.2:7800,key=/etc/cascade/a.key");

    assertThat(link.peer()).isEqualTo("gw2");
    assertThat(link.remote()).hasToString("/192.0.2.2:7800");
    assertThat(link.keyFile()).hasToString("/etc/cascade/a.key");
    assertThat(LinkText.accept("gw1,key=b").dials()).isFalse();
    assertThat(LinkText.socket("7800").getPort()).isEqualTo(7_800);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gw2",
        "gw2=192.0.2.2:7800",
        "gw2=7800,key=a",
        "GW=192.0.2.2:7800,key=a",
        "gw2=192.0.2.2:0,key=a"
      })
  void anythingElseIsRefusedWithWhatIsExpected(String text) {
    assertThatThrownBy(() -> LinkText.dial(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected");
  }

  @Test
  void prefixesAreOfBothVersionsAndNeverNames() {
    assertThat(PrefixText.prefix("10.1.0.0/16")).hasToString("10.1.0.0/16");
    assertThat(PrefixText.prefix("fd00:1::/32").address().bits()).isEqualTo(IpAddress.V6_BITS);
    assertThat(PrefixText.prefix("10.1.0.1").length()).isEqualTo(32);
    for (String text : List.of("localhost", "10.1", "10.1.0.0/33", "dead.beef", "a/8")) {
      assertThatThrownBy(() -> PrefixText.prefix(text)).as(text).hasMessageContaining("expected");
    }
  }

  @Test
  void aKeyIsOneOfItsOwner() throws Exception {
    Path file = folder.resolve("key");
    assertThatThrownBy(() -> LinkKey.read(file))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("openssl rand -hex 32");

    Files.writeString(file, "no hexadecimal digits");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertThatThrownBy(() -> LinkKey.read(file)).hasMessageContaining("64 hexadecimal digits");

    Files.writeString(file, "0f".repeat(32) + "\n");
    for (String others : List.of("rw-r-----", "rw--w----", "rw----r--", "rw-----w-")) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(others));
      assertThatThrownBy(() -> LinkKey.read(file)).as(others).hasMessageContaining("chmod 600");
    }

    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertThat(LinkKey.read(file)).hasSize(32).containsOnly(0x0f);
  }

  @Test
  void aRouteNamesAGatewayOrTheOwnSideOfADevice() {
    assertThat(said("--route", "10.0.0.0/8=gw3"))
        .contains("PREFIX=NAME with one of [gw2], or PREFIX=local");
    assertThat(said("--route", "10.0.0.0/8=gw2", "--route", "10.1.0.0/16=local"))
        .contains("--route '10.1.0.0/16=local' needs --tun");
    assertThat(said("--route", "10.0.0.0/8=gw2", "--dial", "local=192.0.2.3:7800,key=a"))
        .contains("a gateway is called local");
  }

  /** What is said of options, beside those for a gateway to dial. */
  private static String said(String... options) {
    List<String> all = new ArrayList<>(List.of("--name", "gw1"));
    all.addAll(List.of("--dial", "gw2=192.0.2.2:7800,key=a"));
    all.addAll(List.of(options));
    StringWriter said = new StringWriter();
    CommandLine command =
        new CommandLine(new GatewayUpVerb())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setErr(new PrintWriter(said));
    assertThat(command.execute(all.toArray(String[]::new))).isEqualTo(CommandLine.ExitCode.USAGE);
    return said.toString();
  }

  @Test
  void routesLeadToTheDeviceByRulesOfTheirVersion() {
    TunnelRoutes routes =
        new TunnelRoutes(
            "tunnel0",
            1_400,
            List.of(PrefixText.address("10.1.0.254"), PrefixText.address("fd00:1::1")),
            List.of(PrefixText.prefix("10.2.0.1/8"), PrefixText.prefix("fd00:2::/32")),
            List.of(PrefixText.prefix("10.1.0.0/16")),
            7_800);

    assertThat(routes.lines(IpAddress.V4_BITS, "link set tunnel0 mtu 1400 up"))
        .containsExactly(
            "link set tunnel0 mtu 1400 up",
            "address replace 10.1.0.254/32 dev tunnel0",
            "route replace throw 10.1.0.0/16 table 7800",
            "route replace 10.0.0.0/8 dev tunnel0 table 7800",
            "rule add pref 7800 to 10.0.0.0/8 lookup 7800");
    assertThat(routes.lines(IpAddress.V6_BITS, "link set tunnel0 up"))
        .contains("rule add pref 7800 to fd00:2:0:0:0:0:0:0/32 lookup 7800");
  }
}
