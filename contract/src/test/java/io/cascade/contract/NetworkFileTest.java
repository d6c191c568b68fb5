package io.cascade.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.model.planning.LinkEstimate;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NetworkFileTest {

  @Test
  void countsOfLossStayCounts() {
    LinkEstimate link =
        link(
            "{'from':'a','to':'b','rttMillis':64,'lost':3,'sent':1000,'capacityBitsPerSecond':32e6}");

    assertThat(link.rtt()).isEqualTo(Duration.ofMillis(64));
    assertThat(link.loss().lost()).isEqualTo(3);
    assertThat(link.loss().sent()).isEqualTo(1000);
    assertThat(link.capacity().known()).hasValue(32e6);
  }

  @Test
  void aLossGivenAsAFractionIsTakenAsKnown() {
    LinkEstimate link = link("{'from':'a','to':'b','rttMillis':64,'lossRate':0.001}");

    assertThat(link.loss().likely()).isBetween(0.000999, 0.001001);
    assertThat(link.loss().upper()).isLessThan(0.00101);
    assertThat(link.loss().lower()).isGreaterThan(0.00099);
  }

  @Test
  void aLinkMayStandForBothDirections() {
    DescribedNetwork network =
        network(
            "{'links':[{'from':'a','to':'b','rttMillis':1,'lossRate':0,'bothDirections':true}]}");

    assertThat(network.topology().link("b", "a")).isPresent();
  }

  @Test
  void assumedCapacityIsThatOfLinksThatNameNone() {
    DescribedNetwork network =
        NetworkFile.parse(
            json(
                "{'links':[{'from':'a','to':'b','rttMillis':1,'lossRate':0},"
                    + "{'from':'b','to':'a','rttMillis':1,'lossRate':0,'capacityBitsPerSecond':5}]}"),
            7L);

    assertThat(network.topology().link("a", "b").orElseThrow().capacity().known()).hasValue(7);
    assertThat(network.topology().link("b", "a").orElseThrow().capacity().known()).hasValue(5);
  }

  @Test
  void commentsAndACommaTooManyAreNoHarm() {
    assertThat(
            network("// mine\n{'links':[{'from':'a','to':'b','rttMillis':1,'lossRate':0},],}")
                .topology()
                .nodes())
        .containsExactlyInAnyOrder("a", "b");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'links':[{'from':'a','to':'b','rttMillis':1,'loss':0}]} | links[0].loss: unknown field (expected: bothDirections, capacityBitsPerSecond, from, lossRate, lost, pricePerGib, rttMillis, sent, to)",
        "{'links':[{'from':'a','rttMillis':1,'lossRate':0}]} | links[0].to: missing (expected: a value)",
        "{'links':[{'from':'a','to':'b','rttMillis':1,'lossRate':-0.1}]} | links[0].lossRate: -0.1 (expected: 0..1; 0.001 is 0.1 %)",
        "{'links':[{'from':'a','to':'b','rttMillis':1,'lost':5,'sent':4}]} | links[0].lost: 5 (expected: 0..4)",
        "{'links':[{'from':'a','to':'b','rttMillis':1,'lost':-1,'sent':4}]} | links[0].lost: -1 (expected: 0..4)",
        "{'links':[{'from':'a','to':'b','rttMillis':1,'lost':0,'sent':0}]} | links[0].sent: 0 (expected: >= 1)",
        "{'links':[{'from':'a','to':'b','rttMillis':1}]} | links[0]: no loss (expected: lossRate, or lost and sent, as \"lost\": 3, \"sent\": 1000)",
        "{'links':[{'from':'a','to':'b','rttMillis':1,'lost':1,'sent':4,'lossRate':0}]} | links[0].lossRate: 0.0 (expected: either lossRate, or lost and sent)",
        "{'links':[{'from':'a','to':'b','rttMillis':'64ms','lossRate':0}]} | links[0].rttMillis: \"64ms\" (expected: a number)",
        "{'links':[{'from':'a','to':'b','rttMillis':0,'lossRate':0}]} | links[0].rttMillis: 0.0 (expected: > 0 and at most an hour)",
        "{'links':[{'from':'a','to':'b','rttMillis':[1],'lossRate':0}]} | links[0].rttMillis: of the wrong kind (expected: a number)",
        "{'links':[{'from':'a','to':'a','rttMillis':1,'lossRate':0}]} | links[0].to: a (expected: another node than from)",
        "{'links':[{'from':'a','to':'b','rttMillis':1,'lossRate':0,'capacityBitsPerSecond':0}]} | links[0].capacityBitsPerSecond: 0.0 (expected: > 0, or left out where unknown)",
        "{'links':[{'from':'a','to':'b','rttMillis':1,'lossRate':0},{'from':'a','to':'b','rttMillis':2,'lossRate':0}]} | links[1]: a→b (expected: one link per direction; is another of bothDirections?)",
        "{'nodes':[{'name':'a'}],'links':[{'from':'a','to':'b','rttMillis':1,'lossRate':0}]} | links[0].to: b (expected: one of nodes: a)",
        "{'nodes':[{'name':'a'},{'name':'a'}],'links':[]} | nodes[1].name: a (expected: each node once)",
        "{'nodes':[{'name':'a','pricePerGib':-1}],'links':[]} | nodes[0].pricePerGib: -1.0 (expected: >= 0)",
        "{'nodes':[]} | links: missing (expected: a value)",
        "{'links':[]} | links: [] (expected: at least one link)",
        "{'links':{}} | links: of the wrong kind (expected: a list [...])",
        "[] | not one description (expected: {\"links\": [...]} and nothing else)",
        "null | null (expected: {\"links\": [...]})",
      })
  void whatIsWrongIsNamedWithItsPlaceAndItsFix(String text, String message) {
    assertThatThrownBy(() -> network(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {"{'links': | line 1", "links: a b | line 1", "{'links':[]} {} | nothing else"})
  void whatIsNotJsonSaysWhere(String text, String part) {
    assertThatThrownBy(() -> network(text))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .contains(part)
        .hasLineCount(1);
  }

  @Test
  void theFileIsNamed(@TempDir Path folder) throws Exception {
    Path broken = Files.writeString(folder.resolve("net.json"), "{}");
    Path binary =
        Files.write(folder.resolve("net.bin"), "\u00e4".getBytes(StandardCharsets.ISO_8859_1));

    assertThatThrownBy(() -> NetworkFile.read(broken, null))
        .hasMessageStartingWith(broken + ": links: missing");
    assertThatThrownBy(() -> NetworkFile.read(folder.resolve("none"), null))
        .hasMessageContaining("no such file");
    assertThatThrownBy(() -> NetworkFile.read(folder, null)).hasMessageContaining("no such file");
    assertThatThrownBy(() -> NetworkFile.read(binary, null)).hasMessageContaining("UTF-8");
  }

  private static LinkEstimate link(String link) {
    return network("{'links':[" + link + "]}").topology().link("a", "b").orElseThrow();
  }

  private static DescribedNetwork network(String text) {
    return NetworkFile.parse(json(text), null);
  }

  private static String json(String text) {
    return text.replace('\'', '"');
  }
}
