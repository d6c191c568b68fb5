package io.cascade.packets.encapsulation;

import io.cascade.testing.Golden;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class PipeDatagramTest {
  @Test
  @Tag(Golden.TAG)
  void theBytesOnTheWireStayAsTheyAre() {
    Golden.check(
        "wire/splitter-pipe.txt",
        Arrays.stream(PipeDatagram.Kind.values())
            .map(kind ->
                kind
                    + " "
                    + HexFormat.of()
                        .formatHex(
                            PipeDatagram.make(kind, 0x0102030405060708L, 9, 3_000_000_000L, 4)
                                .array()))
            .collect(Collectors.joining("\n")));
  }
}
