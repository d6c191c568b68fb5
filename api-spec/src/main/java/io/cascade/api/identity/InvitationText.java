package io.cascade.api.identity;

import io.cascade.api.Json;
import io.cascade.api.orchestrator.Role;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Everything that a new machine needs, as one word without characters special to shells: {@code
 * cin_} and a document in Base64 for URLs.
 *
 * @param urls where the orchestrator may be reached, with the pins of its keys; 1 to 8
 * @param others other orchestrators that may lead, each with its own pins; at most 8
 * @param name name of the invited party
 * @param role role of that name
 * @param site site of a relay; null if none was named
 * @param secret with which the invitation is accepted, once
 */
public record InvitationText(
    List<String> urls,
    List<String> others,
    String name,
    Role role,
    @Nullable String site,
    String secret) {
  private static final String PREFIX = "cin_";
  private static final int MOST_CHARACTERS = 8_192;
  private static final int MOST_URLS = 8;

  public InvitationText {
    // Absent in the document of a single orchestrator.
    others = others == null ? List.of() : List.copyOf(others);
  }

  /**
   * Reads the form that {@link #text} writes.
   *
   * @throws IllegalArgumentException when it is something else; the message does not contain the
   *     text
   */
  public static InvitationText parse(String text) {
    InvitationText read;
    try {
      if (!text.startsWith(PREFIX) || text.length() > MOST_CHARACTERS) {
        throw new IllegalArgumentException("not an invitation (expected: cin_...)");
      }
      byte[] document = Base64.getUrlDecoder().decode(text.substring(PREFIX.length()));
      read = Json.lenient().readValue(document, InvitationText.class);
    } catch (JacksonException e) {
      throw new IllegalArgumentException("the invitation is incomplete; fix: copy the whole line");
    }
    if (read == null
        || read.urls == null
        || read.urls.isEmpty()
        || read.urls.size() > MOST_URLS
        || read.others.size() > MOST_URLS
        || read.name == null
        || read.role == null
        || read.secret == null
        || !InvitationSecret.isOne(read.secret)
        || !Stream.concat(read.urls.stream(), read.others.stream())
            .allMatch(InvitationText::isAddress)) {
      throw new IllegalArgumentException("the invitation is incomplete; fix: copy the whole line");
    }
    return read;
  }

  private static boolean isAddress(@Nullable String url) {
    try {
      return url != null && new URI(url).getHost() != null;
    } catch (URISyntaxException e) {
      return false;
    }
  }

  /** The invitation as one word. */
  public String text() {
    byte[] document = Json.lenient().writeValueAsString(this).getBytes(StandardCharsets.UTF_8);
    return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(document);
  }

  /** The addresses, in the order in which they have to be tried. */
  public List<URI> addresses() {
    return Stream.concat(urls.stream(), others.stream()).map(URI::create).toList();
  }

  /**
   * The addresses to keep once one has answered, separated by commas: that one, and the other
   * orchestrators. Other addresses of the same orchestrator may be in networks that cannot be
   * reached.
   */
  public String kept(URI answered) {
    String first = answered.toString();
    Stream<String> beside =
        others.contains(first)
            ? Stream.concat(urls.stream().limit(1), others.stream())
            : others.stream();
    return Stream.concat(Stream.of(first), beside).distinct().collect(Collectors.joining(","));
  }

  /** Leaves out the secret. */
  @Override
  public String toString() {
    return "InvitationText[" + role + " " + name + " at " + urls + "]";
  }
}
