package io.cascade.client.verbs;

import io.cascade.api.orchestrator.ServerCertificate;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cascade certificate}: the keys by which clients authenticate the orchestrator. */
@Command(
    name = "certificate",
    mixinStandardHelpOptions = true,
    description = {
      "Print the orchestrator's URLs with the pins of its keys, for --orchestrator of relays and"
          + " clients.",
      "With --pem it prints the certificate instead, for programs that verify certificates. With"
          + " --rotate the orchestrator presents its next key from now on. Connections stay"
          + " open, and clients that called since the previous rotation already know that key."
    })
public final class CertificateVerb implements Callable<Integer> {
  @Mixin private OrchestratorOption orchestrator = new OrchestratorOption();
  @Mixin private Output output = new Output();

  @Option(names = "--rotate", description = "Present the next key from now on.")
  private boolean rotate;

  @Option(names = "--pem", description = "Print the certificate.")
  private boolean pem;

  @Override
  public Integer call() {
    ServerCertificate shown =
        rotate ? orchestrator.client().rotateCertificate() : orchestrator.client().certificate();
    if (output.json()) {
      output.document(shown);
      return 0;
    }
    if (pem) {
      output.out().print(shown.certificate());
    } else {
      urls(shown).forEach(output.out()::println);
    }
    output.out().flush();
    if (rotate) {
      output.note(
          "the next key is in use now, and within seconds at standby orchestrators too. Rotate"
              + " again only when every client has called since: a client that misses two rotations"
              + " needs the URL above");
    }
    return 0;
  }

  private static List<String> urls(ServerCertificate shown) {
    return shown.urls().stream()
        .map(url -> shown.pins() == null ? url : url + "#" + shown.pins())
        .toList();
  }
}
