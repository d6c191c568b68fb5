package io.cascade.api.identity;

import io.cascade.api.HostPort;
import io.cascade.api.client.ServerAddress;
import io.cascade.testing.FuzzTest;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/** Invitations, URLs with pins, hosts and ports: as a word, and what is in an invitation's word. */
class InvitationFuzzTest extends FuzzTest {
  private static final String PIN = "sha256-" + "a".repeat(43);
  private static final String DOCUMENT =
      """
      {"urls":["https://a:7400#%s"],"others":[],"name":"fra","role":"RELAY","site":"x","secret":"cis_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}\
      """
          .formatted(PIN);

  @Override
  protected Stream<byte[]> seeds() {
    return Stream.of(
            DOCUMENT,
            InvitationText.parse(word(DOCUMENT.getBytes(StandardCharsets.UTF_8))).text(),
            PIN + "," + PIN.replace('a', 'b'),
            "https://[2001:db8::1]:7400/#" + PIN + ", http://b:1",
            "[2001:db8::1]:22")
        .map(text -> text.getBytes(StandardCharsets.UTF_8));
  }

  private static String word(byte[] document) {
    return "cin_" + Base64.getUrlEncoder().withoutPadding().encodeToString(document);
  }

  @Override
  protected void parse(byte[] input) {
    String text = new String(input, StandardCharsets.UTF_8);
    invitation(text);
    invitation(word(input));
    try {
      KeyPins pins = KeyPins.parse(text);
      same(pins, KeyPins.parse(pins.toString()));
    } catch (IllegalArgumentException e) {
      // As declared.
    }
    try {
      HostPort at = HostPort.parse(text);
      same(at, HostPort.parse(at.toString()));
    } catch (IllegalArgumentException e) {
      // As declared.
    }
    try {
      List<URI> servers = ServerAddress.several(text);
      for (URI each : servers) {
        ServerAddress server = ServerAddress.of(each);
        same(server, ServerAddress.of(URI.create(server.toString())));
      }
      same(servers, ServerAddress.several(ServerAddress.joined(servers)));
    } catch (IllegalArgumentException e) {
      // As declared.
    }
  }

  private static void invitation(String word) {
    InvitationText read;
    try {
      read = InvitationText.parse(word);
    } catch (IllegalArgumentException e) {
      return; // As declared.
    }
    same(read, InvitationText.parse(read.text()));
    List<URI> addresses = read.addresses();
    require(!read.kept(addresses.getFirst()).isEmpty(), "an address is kept");
  }
}
