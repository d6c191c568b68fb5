package io.cascade.relay.balancer;

import io.cascade.testing.FuzzTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What load balancers say of their clients, in one piece and octet by octet. */
class ProxyProtocolFuzzTest extends FuzzTest {
  private static final String SIGNATURE = "0d0a0d0a000d0a515549540a";

  /**
   * What came of the octets that arrived.
   *
   * @param header null where there is none, or none yet
   * @param taken octets of it
   * @param refused whether they can become no header
   */
  private record Outcome(ProxyProtocol.@Nullable Header header, int taken, boolean refused) {}

  @Override
  protected Stream<byte[]> seeds() {
    return Stream.concat(
        Stream.of(
                "PROXY TCP4 192.0.2.7 198.51.100.1 56324 443\r\nhi",
                "PROXY TCP6 2001:db8::7 ::ffff:192.0.2.1 1 2\r\n",
                "PROXY TCP6 fe80::1%1 fe80::2%none 1 2\r\n",
                "PROXY UNKNOWN ffff::1 whatever\r\n")
            .map(line -> line.getBytes(StandardCharsets.US_ASCII)),
        Stream.of(
                "2111000f" + "c0000207c6336401" + "dc0401bb" + "030000" + "ff",
                "21210024"
                    + "20010db8000000000000000000000007"
                    + "00000000000000000000ffffc0000201"
                    + "00010002",
                "20000000",
                "21310002" + "abcd")
            .map(rest -> HexFormat.of().parseHex(SIGNATURE + rest)));
  }

  @Override
  protected void parse(byte[] input) throws ProxyProtocol.NotOne {
    Outcome whole = arriving(input, Math.max(1, input.length));
    same(whole, arriving(input, 1));
    ClientAddress client = whole.header() == null ? null : whole.header().client();
    if (client != null) {
      ByteBuf again = Unpooled.buffer();
      ProxyHeader.write(again, client.client(), client.at());
      same(new ProxyProtocol.Header(client, false), ProxyProtocol.read(again));
    }
  }

  private static Outcome arriving(byte[] input, int piece) {
    ByteBuf bytes = Unpooled.wrappedBuffer(input).writerIndex(0);
    do {
      bytes.writerIndex(Math.min(input.length, bytes.writerIndex() + piece));
      try {
        ProxyProtocol.Header header = ProxyProtocol.read(bytes);
        if (header != null) {
          return new Outcome(header, bytes.readerIndex(), false);
        }
      } catch (ProxyProtocol.NotOne e) {
        return new Outcome(null, 0, true);
      }
      require(bytes.readerIndex() == 0, "nothing is taken of a part of a header");
      require(bytes.readableBytes() < ProxyProtocol.MOST_BYTES, "a part of a header is not long");
    } while (bytes.writerIndex() < input.length);
    return new Outcome(null, 0, false);
  }
}
