package io.cascade.client.verbs;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.identity.InvitationText;
import io.cascade.api.orchestrator.InvitationRequest;
import io.cascade.api.orchestrator.NewInvitation;
import io.cascade.api.orchestrator.Role;
import io.cascade.command.TimeSpan;
import io.cascade.command.names.Loopback;
import java.net.URI;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cascade invite}: one line to paste on the machine of a relay or a client. */
@Command(
    name = "invite",
    mixinStandardHelpOptions = true,
    description = {
      "Invite a relay, or a caller with another role, and print the line to paste on its machine.",
      "The line holds all that the machine needs, the orchestrator's key included. It is valid"
          + " for one machine and for a short time."
    },
    footer = {
      "",
      "Examples:",
      "  cascade invite --name fra --site frankfurt",
      "  cascade invite --name alice --role client --ttl 1d"
    })
public final class InviteVerb implements Callable<Integer> {
  private static final int MOST_URLS = 4;

  @Mixin private OrchestratorOption orchestrator = new OrchestratorOption();
  @Mixin private Output output = new Output();

  @SuppressWarnings("NullAway.Init")
  @Option(
      names = "--name",
      required = true,
      paramLabel = "NAME",
      description = "Name the relay, or the user of the key: a-z, 0-9 and -.")
  private String name;

  @Option(
      names = "--role",
      defaultValue = "relay",
      description = "Grant this role: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private Role role = Role.RELAY;

  @Option(
      names = "--site",
      paramLabel = "SITE",
      description = "Name the relay's site, such as a city.")
  private @Nullable String site;

  @Option(
      names = "--ttl",
      paramLabel = "TIME",
      defaultValue = "15m",
      converter = TimeSpan.Converter.class,
      description =
          "Let the invitation expire after this long, 10s to 7d (default: ${DEFAULT-VALUE}).")
  private TimeSpan ttl = new TimeSpan(900);

  @Override
  public Integer call() {
    OrchestratorClient client = orchestrator.client();
    NewInvitation made =
        client.invite(new InvitationRequest(name, role, (int) Math.ceil(ttl.seconds())));
    List<String> urls = urls(client.address(), made);
    boolean here = urls.stream().allMatch(url -> isLoopback(URI.create(url)));
    List<String> others =
        client.others().stream()
            .filter(other -> here || !isLoopback(other))
            .limit(MOST_URLS)
            .map(URI::toString)
            .toList();
    String text = new InvitationText(urls, others, name, role, site, made.secret()).text();
    String line =
        role == Role.RELAY
            ? "./cascade relay " + (here ? "" : "--listen 0.0.0.0 ") + "--join " + text
            : "./cascade join " + text;
    if (output.json()) {
      output.document(new Invited(made, urls, line));
      return 0;
    }
    output.out().println(line);
    output.out().flush();
    output.note(
        "for one machine, until "
            + made.invitation().expiresAt()
            + "; the orchestrator is reached at "
            + String.join(", ", urls.stream().map(url -> url.replaceFirst("#.*", "")).toList())
            + (here ? ", which only this machine can reach" : ""));
    return 0;
  }

  private record Invited(NewInvitation invitation, List<String> urls, String line) {}

  /**
   * URLs in the invitation: the address that this machine uses is known to work, unless it is a
   * loopback address.
   */
  private static List<String> urls(URI own, NewInvitation made) {
    Set<String> urls = new LinkedHashSet<>();
    if (!isLoopback(own)) {
      urls.add(own.toString());
    }
    urls.addAll(made.urls());
    if (urls.isEmpty()) {
      urls.add(own.toString());
    }
    return urls.stream()
        .limit(MOST_URLS)
        .map(url -> made.pins() == null || url.startsWith("http:") ? url : url + "#" + made.pins())
        .toList();
  }

  private static boolean isLoopback(URI url) {
    return Loopback.isHost(String.valueOf(url.getHost()));
  }
}
