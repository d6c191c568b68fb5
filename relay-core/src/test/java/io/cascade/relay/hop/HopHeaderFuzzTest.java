package io.cascade.relay.hop;

import io.cascade.api.orchestrator.HopAddress;
import io.cascade.relay.stream.StreamStart;
import io.cascade.testing.FuzzTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.InetSocketAddress;
import java.util.Base64;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;

/** Hop headers: PROXY protocol v2 with TLVs. */
class HopHeaderFuzzTest extends FuzzTest {
  private static final HopKey KEY = HopKey.parse(Base64.getEncoder().encodeToString(new byte[32]));
  private static final HopAddress HOP = new HopAddress(1, 2, 3);

  @Override
  protected Stream<byte[]> seeds() {
    UUID chain = new UUID(1, 2);
    HopHeader greeting = HopHeader.greeting(chain, HOP, 7);
    HopHeader v4 = HopHeader.stream(chain, HOP, 8, start("10.1.2.3", "10.4.5.6"));
    HopHeader v6 = HopHeader.stream(chain, HOP, 9, start("2001:db8::1", "10.4.5.6"));
    return Stream.of(
            Stream.of(greeting, v4, v6, greeting.answer(), v4.answer())
                .map(header -> header.encode(KEY)),
            Stream.of(TestMessage.Kind.values())
                .map(kind -> new TestMessage(kind, chain, 5).encode(KEY)),
            Stream.of(new byte[] {(byte) 0xca, 1}))
        .flatMap(all -> all);
  }

  private static StreamStart start(String client, String ingress) {
    return new StreamStart(
        new UUID(3, 4), new InetSocketAddress(client, 1), new InetSocketAddress(ingress, 2), true);
  }

  @Override
  protected void parse(byte[] input) throws Exception {
    ByteBuf in = Unpooled.wrappedBuffer(input);
    if (input.length >= ConnectStatus.BYTES) {
      ConnectStatus _ = ConnectStatus.decode(in.duplicate());
    }
    try {
      HopHeader.Unverified read = HopHeader.decode(in);
      if (read == null) {
        require(in.readerIndex() == 0, "a part of a header is not consumed");
        return;
      }
      HopHeader header = read.header();
      byte[] again = header.encode(KEY);
      HopHeader.Unverified once = HopHeader.decode(Unpooled.wrappedBuffer(again));
      same(header, Objects.requireNonNull(once).header());
      require(once.verifiedBy(KEY), "what is written is signed");
      TestMessage message = TestMessage.decode(Unpooled.wrappedBuffer(again), header.chain(), KEY);
      require(message != null, "a whole header is a message of a test, or none at all");
    } catch (HopHeader.Malformed | TestMessage.Unexpected e) {
      // As declared.
    }
  }
}
