package io.cascade.client.doctor;

import io.cascade.testing.FuzzTest;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.stream.Stream;

/** Datagrams between two doctors. */
class ProbeDatagramFuzzTest extends FuzzTest {
  @Override
  protected Stream<byte[]> seeds() {
    return Stream.of(true, false)
        .map(answer -> new ProbeDatagram(answer, 1, 2, 40).encode().array());
  }

  @Override
  protected void parse(byte[] input) {
    Optional<ProbeDatagram> read = ProbeDatagram.decode(ByteBuffer.wrap(input));
    read.ifPresent(probe -> same(read, ProbeDatagram.decode(probe.encode())));
  }
}
