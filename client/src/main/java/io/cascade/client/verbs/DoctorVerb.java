package io.cascade.client.verbs;

import io.cascade.api.HostPort;
import io.cascade.client.doctor.Answering;
import io.cascade.client.doctor.Doctor;
import io.cascade.client.doctor.Finding;
import io.cascade.command.CommandException;
import io.cascade.command.Printable;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = {
      "Check whether this host is fit for Cascade, and print what to do about each problem.",
      "Checks the kernel's buffers and congestion controls, ports, memory, clock, orchestrator and"
          + " key; with --peer also the path to another host, for ten seconds. Exits with 1 if"
          + " something does not work."
    },
    footer = {
      "",
      "Examples:",
      "  cascade doctor",
      "  cascade doctor --answer                        # at the other end, for ten minutes",
      "  cascade doctor --peer files.example.org"
    })
public final class DoctorVerb implements Callable<Integer> {
  /** Default port of receive, which a firewall that is configured for it admits already. */
  private static final int PORT = 7420;

  private static final Duration ANSWERING = Duration.ofMinutes(10);

  @Mixin private OrchestratorOption orchestrator = new OrchestratorOption();
  @Mixin private Output output = new Output();

  @Option(
      names = "--peer",
      paramLabel = "HOST[:PORT]",
      converter = PeerConverter.class,
      description =
          "Check the path to a host that runs ./cascade doctor --answer (default port: 7420).")
  private @Nullable HostPort peer;

  @Option(
      names = "--answer",
      arity = "0..1",
      fallbackValue = "7420",
      paramLabel = "PORT",
      description =
          "Answer another host's doctor on this port (default: ${FALLBACK-VALUE}), over TCP and"
              + " UDP, for ten minutes.")
  private @Nullable Integer answer;

  @Override
  public Integer call() throws InterruptedException {
    if (answer != null) {
      answer(answer);
      return 0;
    }
    List<Finding> found = Doctor.examine(orchestrator.client(), peer, Instant::now);
    if (output.json()) {
      output.document(found);
    } else {
      found.forEach(this::print);
      output.out().flush();
    }
    return found.stream().anyMatch(each -> each.verdict() == Finding.Verdict.BAD) ? 1 : 0;
  }

  private void answer(int port) throws InterruptedException {
    try (Answering answering = new Answering(port, () -> Instant.now().toEpochMilli())) {
      output
          .out()
          .printf(
              "answering at port %d, TCP and UDP, for %d minutes; at the other end: ./cascade doctor"
                  + " --peer HOST:%d%n",
              answering.port(), ANSWERING.toMinutes(), answering.port());
      output.out().flush();
      TimeUnit.NANOSECONDS.sleep(ANSWERING.toNanos());
    } catch (IOException e) {
      throw new CommandException(
          "port " + port + ": " + e.getMessage() + "; fix: --answer PORT", e);
    }
  }

  private void print(Finding one) {
    String mark =
        switch (one.verdict()) {
          case GOOD -> "ok  ";
          case NOTE -> "note";
          case BAD -> "BAD ";
        };
    output.out().println(Printable.line("%s  %s: %s".formatted(mark, one.what(), one.found())));
    if (one.fix() != null) {
      output.out().println(Printable.line("      fix: " + one.fix()));
    }
  }

  /** Converts a host, with its default port or a given one. */
  static final class PeerConverter implements ITypeConverter<HostPort> {
    @Override
    public HostPort convert(String value) {
      String text = value.strip();
      boolean bare =
          text.indexOf(':') < 0
              || (text.indexOf(':') != text.lastIndexOf(':') && !text.startsWith("["));
      try {
        return bare ? new HostPort(text, PORT) : HostPort.parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    }
  }
}
