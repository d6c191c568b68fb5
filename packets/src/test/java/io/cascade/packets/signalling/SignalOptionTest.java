package io.cascade.packets.signalling;

import io.cascade.testing.Golden;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class SignalOptionTest {
  @Test
  @Tag(Golden.TAG)
  void theBytesOnTheWireStayAsTheyAre() {
    Golden.check(
        "wire/splitter-option.txt",
        Arrays.stream(SignalOption.Type.values())
            .map(type ->
                type + " " + HexFormat.of().formatHex(new SignalOption(type, 0x123456).bytes()))
            .collect(Collectors.joining("\n")));
  }
}
