package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever is wrong with a request, the answer is a problem document that says so. */
@NullUnmarked
class ProblemsTest {
  private static Rig rig;

  @BeforeAll
  static void start(@TempDir Path state) {
    rig = Rig.start(state);
    rig.live("r1");
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          POST | /api/v1/plans          | {"destination":          | 400 | invalid-request | not JSON
          POST | /api/v1/plans          | []                       | 400 | invalid-request | body (expected: an object)
          POST | /api/v1/plans          | {"destinatoin":"h:1"}    | 400 | invalid-request | destinatoin: not a property
          POST | /api/v1/plans          | {"destination":"h:1","source":{"rely":"r1"}} | 400 | invalid-request | source.rely: not a property
          POST | /api/v1/plans          | {"destination":"h:1"} x  | 400 | invalid-request | JSON
          POST | /api/v1/plans          | {"destination":"h:1","bytes":"many"} | 400 | invalid-request | bytes: "many" (expected: a whole number)
          POST | /api/v1/plans          | {"destination":"h:1","bytes":0}      | 400 | invalid-request | bytes
          POST | /api/v1/plans          | {"destination":"h:1","measureSeconds":30.5} | 400 | invalid-request | measureSeconds
          POST | /api/v1/plans          | {"destination":"h:1","limits":{"mostPricePerGib":-0.01}} | 400 | invalid-request | mostPricePerGib
          POST | /api/v1/plans          | {}                       | 400 | invalid-request | destination
          POST | /api/v1/plans          | {"destination":"h:1","maxRelays":9}  | 400 | invalid-request | maxRelays
          POST | /api/v1/plans          | {"destination":"h:1","congestionControl":"Reno!"} | 400 | invalid-request | congestionControl
          POST | /api/v1/plans          | {"destination":"h:1","source":{"observations":[null]}} | 400 | invalid-request | observations
          POST | /api/v1/plans          |                          | 415 | unsupported-media-type | application/json
          POST | /api/v1/plans          | ``                       | 400 | invalid-request | JSON body
          POST | /api/v1/chains         | {"destination":"h:1","setup":"QUICK"} | 400 | invalid-request | setup: QUICK (expected one of: PARALLEL, SEQUENTIAL)
          POST | /api/v1/chains         | {"destination":"h:1","via":["r1"],"options":{"bufferBytes":1}} | 400 | invalid-request | bufferBytes
          POST | /api/v1/plans          | {"destination":"h:1","bytes":"80"}   | 400 | invalid-request | bytes: "80" (expected: a whole number)
          POST | /api/v1/plans          | {"destination":"h:1","bytes":1.5}    | 400 | invalid-request | bytes: 1.5 (expected: a whole number)
          POST | /api/v1/plans          | {"destination":"h:1","bytes":true}   | 400 | invalid-request | bytes (expected: a whole number)
          POST | /api/v1/plans          | {"destination":5}        | 400 | invalid-request | destination: 5 (expected: a string)
          POST | /api/v1/chains         | {"destination":"h:1","via":"r1"}     | 400 | invalid-request | via (expected: an array)
          POST | /api/v1/chains         | {"destination":"h:1","via":[7]}      | 400 | invalid-request | via[0]: 7 (expected: a string)
          POST | /api/v1/chains         | {"destination":"h:1","via":["r1"],"ingressPort":"80"} | 400 | invalid-request | ingressPort: "80" (expected: a whole number)
          POST | /api/v1/chains         | {"destination":"h:1","via":["r1"],"onlyIfBetter":"true"} | 400 | invalid-request | onlyIfBetter: "true" (expected: true or false)
          POST | /api/v1/chains         | {"destination":"h:1","via":["r1"],"onlyIfBetter":1} | 400 | invalid-request | onlyIfBetter: 1 (expected: true or false)
          POST | /api/v1/chains         | {"destination":"h:1","via":["r1"],"setup":0} | 400 | invalid-request | setup: 0 (expected one of: PARALLEL, SEQUENTIAL)
          POST | /api/v1/chains         | {"destination":"h:1","via":["r1"],"timeToLiveSeconds":9} | 400 | invalid-request | timeToLiveSeconds
          POST | /api/v1/chains         | {"destination":"h:1","via":["r1"],"name":"a\\u001b[2Jb"} | 400 | invalid-request | name: no control or bidirectional characters
          POST | /api/v1/chains         | {"destination":"h:1","via":["r1"],"name":"a\\u202eb"} | 400 | invalid-request | name: no control or bidirectional characters
          POST | /api/v1/chains         | {"destination":"h:1","via":["r1",null]} | 400 | invalid-request | via[1] (expected: a string)
          POST | /api/v1/tunnels        | {"gateways":["a",null],"fromPrefixes":["10.0.0.0/8"],"toPrefixes":["10.1.0.0/16"]} | 400 | invalid-request | gateways[1] (expected: a string)
          POST | /api/v1/gateways/A/reports | {"instance":"00000000-0000-0000-0000-000000000001","version":"1","publicKey":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=","sequence":1,"signature":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==","tun":true,"mtu":1400,"upSeconds":1,"forwardedPackets":0,"drops":[],"links":[]} | 400 | invalid-request | name A: must match
          GET  | /api/v1/gateways/A     |                          | 404 | unknown-gateway | name A: must match
          DELETE | /api/v1/corrections/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/r1 | | 400 | invalid-request | size must be
          POST | /api/v1/chains         | {"destination":"h:1","via":["r1"],"options":{"hops":[null]}} | 400 | invalid-request | hops
          POST | /api/v1/chains         | {"destination":"h:1","via":["r1"],"options":{"hops":[{"congestionControl":"bbr"}]}} | 400 | invalid-request | hop
          POST | /api/v1/chains         | {"destination":"h:1","via":["r1"],"options":{"hops":[{"hop":8}]}} | 400 | invalid-request | options.hops[0].hop
          POST | /api/v1/chains         | {"destination":"h:1","via":["r1"],"options":{"hops":[{"hop":0,"congestionControl":"Reno!"}]}} | 400 | invalid-request | options.hops[0].congestionControl
          POST | /api/v1/chains         | {"destination":"h:1","via":["r1"],"options":{"hops":[{"hop":0,"bufferBytes":1}]}} | 400 | invalid-request | options.hops[0].bufferBytes
          POST | /api/v1/chains         | {"destination":"h:1","via":["r1"],"options":{"hops":[{"hop":0},{"hop":0}]}} | 400 | invalid-request | options.hops: hop 0 twice (expected: each hop at most once)
          POST | /api/v1/chains         | {"destination":"h:1","via":["r1"],"options":{"hops":[{"hop":1}]}} | 400 | invalid-request | options.hops: hop 1 of a route via r1 (expected: 0 to 0, hop 0 being from r1 to the destination)
          POST | /api/v1/chains         | {"destination":"h:1","via":["r1"],"options":{"allowSources":[]}} | 400 | invalid-request | options.allowSources
          POST | /api/v1/chains         | {"destination":"h:1","via":["r1"],"options":{"allowSources":[null]}} | 400 | invalid-request | options.allowSources[0] (expected: a string)
          POST | /api/v1/chains         | {"destination":"h:1","via":["r1"],"options":{"allowSources":["10.0.0.0/8","localhost"]}} | 400 | invalid-request | options.allowSources[1]: must match
          POST | /api/v1/chains         | {"destination":"h:1","via":["r1"],"options":{"allowSources":["10.0.0.0/33"]}} | 400 | invalid-request | options.allowSources: 10.0.0.0/33 (expected: /0 to /32)
          POST | /api/v1/relays         | {"name":"R 1"}           | 400 | invalid-request | name
          POST | /api/v1/relays         | {"name":"r1","site":"s","instance":"00000000-0000-0000-0000-000000000001","version":"1","control":{"host":"h","port":1},"hop":{"host":"h","port":2},"sendBufferBytes":0} | 400 | invalid-request | sendBufferBytes
          POST | /api/v1/relays         | {"name":"r1","site":"s","instance":"00000000-0000-0000-0000-000000000001","version":"1","control":{"host":"h","port":1},"hop":{"host":"h","port":2},"receiveBufferBytes":2147483648} | 400 | invalid-request | receiveBufferBytes
          POST | /api/v1/relays         | {"name":"r1","site":"s","instance":"00000000-0000-0000-0000-000000000001","version":"1","control":{"host":"h","port":1},"hop":{"host":"h","port":2},"receiveBufferBytes":"4M"} | 400 | invalid-request | receiveBufferBytes
          POST | /api/v1/relays/r1/heartbeats | {"instance":"x"}   | 400 | invalid-request | instance
          POST | /api/v1/relays/r1/heartbeats | {"instance":"00000000-0000-0000-0000-000000000000","runningStreams":0,"heldBytes":0,"sequence":1,"signature":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==","links":[null]} | 400 | invalid-request | links
          GET  | /api/v1/chains/xyz     |                          | 400 | invalid-request | chainId: xyz
          GET  | /api/v1/chains?state=FINE |                       | 400 | invalid-request | PLANNING
          GET  | /api/v1/chains?limit=0 |                          | 400 | invalid-request | limit
          GET  | /api/v1/chains?limit=many |                       | 400 | invalid-request | limit: many
          DELETE | /api/v1/chains/7a0e3f4e-74d7-4a0f-8df5-5a1e1c1a8f00?abort=perhaps | | 400 | invalid-request | abort: perhaps
          GET  | /api/v1/relays/r9      |                          | 404 | unknown-relay   | r9: no such relay (known: r1)
          GET  | /api/v1/relays/R%209   |                          | 404 | unknown-relay   | R 9
          GET  | /api/v1/nothing        |                          | 404 | not-found       |
          GET  | /nothing               |                          | 404 | not-found       |
          PATCH | /api/v1/relays        | {}                       | 405 | method-not-allowed | PATCH
          DELETE | /api/v1/chains       |                          | 405 | method-not-allowed | DELETE
          """)
  void theAnswerSaysWhatIsWrong(
      String method,
      String path,
      @Nullable String body,
      int status,
      String kind,
      @Nullable String words) {
    Rig.Response answer = rig.call(method, path, body);

    assertThat(answer.status()).as(answer.body()).isEqualTo(status);
    assertThat(answer.type()).isEqualTo("application/problem+json");
    assertThat(answer.problem().type()).isEqualTo("urn:cascade:problem:" + kind);
    assertThat(answer.problem().status()).isEqualTo(status);
    assertThat(answer.problem().title()).isNotBlank();
    if (words != null) {
      assertThat(answer.problem().detail()).contains(words);
    }
    assertThat(answer.body()).doesNotContain("io.cascade", "tools.jackson", "Exception");
  }

  @Test
  void anotherMediaTypeIsRefused() {
    Rig.Response answer =
        rig.call("POST", "/api/v1/plans", "destination=h", "Content-Type", "text/plain");

    assertThat(answer.status()).isEqualTo(415);
    assertThat(answer.problem().detail()).contains("expected: application/json");
  }

  @Test
  void aRepresentationThatIsNotThereIsRefused() {
    assertThat(rig.call("GET", "/api/v1/relays", null, "Accept", "image/png").status())
        .isEqualTo(406);
  }

  @Test
  void whatIsAllowedIsSaidWhereAMethodIsNot() {
    assertThat(rig.call("DELETE", "/api/v1/relays", null).response().headers().firstValue("Allow"))
        .hasValueSatisfying(allowed -> assertThat(allowed).contains("GET", "POST"));
  }

  @Test
  void anIdempotencyKeyHasALength() {
    String body = "{\"destination\":\"h:1\",\"via\":[\"r1\"]}";
    for (String key : new String[] {"k".repeat(129)}) {
      assertThat(rig.call("POST", "/api/v1/chains", body, "Idempotency-Key", key).status())
          .isEqualTo(400);
    }
  }

  @Test
  void aBodyThatIsTooLargeIsNotRead() {
    String body = "{\"destination\":\"" + "x".repeat(5 << 20) + "\"}";

    Rig.Response answer = rig.call("POST", "/api/v1/plans", body);

    assertThat(answer.status()).isEqualTo(413);
    assertThat(answer.problem().type()).isEqualTo("urn:cascade:problem:too-large");
  }

  /** Its bound would be checked when all million were there, of a hundred bytes each. */
  @Test
  void aListOfSmallElementsIsNotReadToItsEnd() {
    String body = "{\"model\":\"CUBIC\",\"hops\":[" + "{},".repeat(1_300_000) + "{}]}";

    Rig.Response answer = rig.call("POST", "/api/v1/estimates", body);

    assertThat(answer.status()).isEqualTo(413);
    assertThat(answer.problem().type()).isEqualTo("urn:cascade:problem:too-large");
    assertThat(answer.problem().detail()).contains("8388608 bytes in memory");
    assertThat(answer.response().headers().firstValue("Retry-After")).isEmpty();
  }

  @Test
  void aBodyThatTurnsOutTooLargeIsNotReadOn() throws IOException {
    String answer =
        raw(
            "POST /api/v1/plans HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                + (Integer.toHexString(1 << 20) + "\r\n" + " ".repeat(1 << 20) + "\r\n").repeat(5)
                + "0\r\n\r\n");

    assertThat(answer).startsWith("HTTP/1.1 413").contains("urn:cascade:problem:too-large");
  }

  @Test
  void whatTheServerRefusesBeforeAnybodySeesItIsAProblemToo() throws IOException {
    assertThat(
            raw(
                "GET /api/v1/relays HTTP/1.1\r\nHost: localhost\r\nX: "
                    + "x".repeat(20_000)
                    + "\r\n\r\n"))
        .startsWith("HTTP/1.1 400")
        .contains("application/problem+json")
        .contains("urn:cascade:problem:");
    assertThat(raw("GET /api/v1/re|lays HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        .startsWith("HTTP/1.1 400")
        .contains("urn:cascade:problem:invalid-request");
  }

  /** Its end never comes: whoever wanted the whole of it would wait. */
  @Test
  void aFormIsNotReadBeforeItIsKnownWhoSendsIt() throws IOException {
    for (String path : new String[] {"/ui/x", "/api/v1/chains/" + new UUID(1, 1)}) {
      assertThat(
              raw(
                  "DELETE "
                      + path
                      + " HTTP/1.1\r\nHost: localhost\r\n"
                      + "Content-Type: application/x-www-form-urlencoded\r\n"
                      + "Transfer-Encoding: chunked\r\n\r\n4\r\na=bb\r\n"))
          .as(path)
          .startsWith("HTTP/1.1 404");
    }
  }

  private static String raw(String request) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", rig.address().getPort())) {
      socket.setSoTimeout(10_000);
      try {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      } catch (IOException e) {
        // The server has heard enough; its answer is there all the same.
      }
      byte[] answer = new byte[16_384];
      int length = 0;
      for (int n; length < answer.length; length += n) {
        try {
          n = socket.getInputStream().read(answer, length, answer.length - length);
        } catch (IOException e) {
          break;
        }
        if (n < 0) {
          break;
        }
        if (new String(answer, 0, length + n, StandardCharsets.UTF_8).contains("\"status\"")) {
          length += n;
          break;
        }
      }
      return new String(answer, 0, length, StandardCharsets.UTF_8);
    }
  }
}
