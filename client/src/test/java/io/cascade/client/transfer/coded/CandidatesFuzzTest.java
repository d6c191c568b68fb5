package io.cascade.client.transfer.coded;

import io.cascade.client.transfer.connection.Said;
import io.cascade.testing.FuzzTest;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;

/** Addresses that the ends of a coded session tell each other. */
class CandidatesFuzzTest extends FuzzTest {
  @Override
  protected Stream<byte[]> seeds() {
    Candidates candidates =
        new Candidates(
            List.of(new InetSocketAddress("10.0.0.1", 1), new InetSocketAddress("2001:db8::1", 2)));
    return Stream.of(bytes(candidates));
  }

  @Override
  protected void parse(byte[] input) throws Exception {
    Candidates candidates;
    try {
      candidates = Candidates.read(new Said(input));
    } catch (IOException e) {
      return; // As declared.
    }
    same(candidates, Candidates.read(new Said(bytes(candidates))));
  }

  private static byte[] bytes(Candidates candidates) {
    ByteBuffer encoded = candidates.encode();
    byte[] copy = new byte[encoded.remaining()];
    encoded.get(copy);
    return copy;
  }
}
