package io.cascade.orchestrator;

import io.cascade.api.Validation;
import io.cascade.api.client.ServerAddress;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.Role;
import io.cascade.command.CommandException;
import io.cascade.command.StateHome;
import io.cascade.command.TimeSpan;
import io.cascade.command.Version;
import io.cascade.orchestrator.chains.ChainQuota;
import io.cascade.orchestrator.relays.ForgetLost;
import io.cascade.orchestrator.security.OidcIssuer;
import io.cascade.orchestrator.store.PostgresServer;
import io.cascade.orchestrator.tls.TlsSettings;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * {@code cascade orchestrator}: runs the control plane until it is told to stop. Loads Spring only
 * when it runs, since every verb's command line loads this class.
 */
@Command(
    name = "orchestrator",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {"Run an orchestrator until SIGTERM or Ctrl-C. Chains stay open after that.", ""},
    footer = {
      "",
      "Every option can also be set in the environment (--state-dir is CASCADE_STATE_DIR) or in the"
          + " configuration file (state-dir=/var/lib/cascade). Set the token there: every user of"
          + " the machine can read command lines.",
      "",
      "Example: for relays and clients on other machines",
      "  cascade orchestrator --listen 0.0.0.0:7400 --advertise control.example.net",
      "  cascade invite --name fra --site frankfurt      # prints the line that starts that relay"
    })
public final class OrchestratorCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      converter = ListenConverter.class,
      defaultValue = "127.0.0.1:7400",
      description = {
        "Serve the API here (default: ${DEFAULT-VALUE}), with TLS unless it is loopback; port 0"
            + " picks a free port."
      })
  private Listen listen = new Listen("127.0.0.1", Settings.DEFAULT_PORT);

  @Option(
      names = "--advertise",
      paramLabel = "HOST",
      description = {
        "Advertise this host to relays and clients, in invitations and the certificate (default:"
            + " the listen address, or if that is 0.0.0.0 the addresses of this machine)."
      })
  private @Nullable String advertise;

  @Option(
      names = "--certificate",
      paramLabel = "FILE",
      description = {
        "Present the certificate in this PEM file, with its issuers' certificates; it is read again"
            + " when it changes. FILE.next, if it exists, is the certificate to be presented next"
            + " (default: one created at the first start, whose key clients pin)."
      })
  private @Nullable Path certificate;

  @Option(
      names = "--certificate-key",
      paramLabel = "FILE",
      description = "Read the certificate's key from this PEM file.")
  private @Nullable Path certificateKey;

  @Option(
      names = "--tls",
      paramLabel = "MODE",
      defaultValue = "auto",
      description = {
        "auto: use TLS if other machines can reach the API or a certificate is given; on: always;"
            + " off: never, so that beyond loopback an on-path attacker can read and change keys,"
            + " tokens and what relays are told (default: ${DEFAULT-VALUE})."
      })
  private TlsSettings.Mode tls = TlsSettings.Mode.AUTO;

  @Option(
      names = "--state-dir",
      paramLabel = "DIRECTORY",
      description = {
        "Keep the state in this folder, readable by its owner only (default:"
            + " $XDG_STATE_HOME/cascade, or ~/.local/state/cascade)."
      })
  private @Nullable Path stateDirectory;

  @Option(
      names = "--database",
      paramLabel = "URL",
      description = {
        "Keep the state in this database, postgresql://HOST[:PORT]/DATABASE, instead of a file in"
            + " the state directory; beyond this machine with ?sslmode=verify-full, or another mode"
            + " of your choice."
      })
  private @Nullable String database;

  @Option(
      names = "--database-user",
      paramLabel = "NAME",
      description = "Log in to --database as this user.")
  private @Nullable String databaseUser;

  @Option(
      names = "--database-password",
      paramLabel = "PASSWORD",
      description =
          "Log in to --database with this password; better set in the environment or the"
              + " configuration file.")
  private @Nullable String databasePassword;

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      description =
          "Share this secret with relays and callers (default: none; on loopback no caller needs"
              + " one, elsewhere each has its own key, see cascade invite and cascade key).")
  private @Nullable String token;

  @Option(
      names = "--oidc-issuer",
      paramLabel = "URL",
      description = "Accept tokens of this OpenID Connect issuer, too. Needs --oidc-audience.")
  private @Nullable URI oidcIssuer;

  @Option(
      names = "--oidc-audience",
      paramLabel = "NAME",
      description = "Require this audience of such tokens.")
  private @Nullable String oidcAudience;

  @Option(
      names = "--oidc-claim",
      paramLabel = "NAME",
      defaultValue = "roles",
      description = {
        "Read the caller's roles from this claim; dots lead into nested claims, as in"
            + " realm_access.roles (default: ${DEFAULT-VALUE})."
      })
  private String oidcClaim = "roles";

  @Option(
      names = "--oidc-role",
      paramLabel = "VALUE=ROLE",
      split = ",",
      description = {
        "Map a value of that claim to a role: viewer, client, operator or admin. These four words"
            + " need no mapping."
      })
  private Map<String, Role> oidcRoles = Map.of();

  @Option(
      names = "--heartbeat",
      paramLabel = "SECONDS",
      defaultValue = "1",
      description = {
        "Let relays report at this interval (default: ${DEFAULT-VALUE}), and up to five times less"
            + " often while nothing needs their measurements. A relay counts as lost when no other"
            + " relay hears it and it is silent for ten intervals, but at most 10 s and at least"
            + " three missed reports."
      })
  private double heartbeat = 1;

  @Option(
      names = "--explore",
      paramLabel = "SHARE",
      defaultValue = "0%",
      converter = ShareConverter.class,
      description = {
        "Open this share of the chains, such as 5%%, through relays other than the likely best, if"
            + " measurements cannot tell them apart, to learn how good they are (default:"
            + " ${DEFAULT-VALUE})."
      })
  private double explore;

  @Option(
      names = "--chains-per-client",
      paramLabel = "NUMBER",
      defaultValue = "100",
      description = {
        "Allow each client key, and each client authenticated by OpenID Connect, at most this many"
            + " open chains (default: ${DEFAULT-VALUE})."
      })
  private int chainsPerClient = 100;

  @Option(
      names = "--forget-lost-after",
      paramLabel = "TIME",
      defaultValue = "7d",
      converter = TimeSpan.Converter.class,
      description = {
        "Forget a relay, with its name and key, when it has been lost for this long, unless open"
            + " chains use it (default: ${DEFAULT-VALUE})."
      })
  private TimeSpan forgetLostAfter = new TimeSpan(7 * 86_400);

  @Override
  public Integer call() throws InterruptedException {
    try (Orchestrator orchestrator = Orchestrator.start(settings())) {
      PrintWriter out = spec().commandLine().getOut();
      out.println("cascade orchestrator ready at " + orchestrator.address());
      out.println("dashboard at " + ServerAddress.of(orchestrator.address()).base() + "/ui/");
      out.flush();
      orchestrator.awaitClose();
    }
    return 0;
  }

  /** Settings from the options, validated. */
  Settings settings() {
    if (!(heartbeat >= 0.05 && heartbeat <= 300)) {
      throw new ParameterException(
          spec().commandLine(), "--heartbeat " + heartbeat + " (expected: 0.05 to 300 seconds)");
    }
    if (token != null && token.isBlank()) {
      throw new CommandException("--token is empty; fix: leave it out to serve this machine only");
    }
    if (!ForgetLost.allows(forgetLostAfter.seconds())) {
      throw new ParameterException(
          spec().commandLine(),
          "--forget-lost-after " + forgetLostAfter.seconds() + " s (expected: 1min to 3650d)");
    }
    if (!ChainQuota.allows(chainsPerClient)) {
      throw new ParameterException(
          spec().commandLine(),
          "--chains-per-client " + chainsPerClient + " (expected: 1 to " + ChainQuota.MOST + ")");
    }
    return new Settings(
        listen.host(),
        listen.port(),
        stateDirectory == null ? StateHome.cascade() : stateDirectory,
        database == null ? null : new PostgresServer(database, databaseUser, databasePassword),
        token,
        tls(),
        oidc(),
        Duration.ofNanos(Math.round(heartbeat * 1e9)),
        explore,
        chainsPerClient,
        Duration.ofMillis(Math.round(forgetLostAfter.seconds() * 1e3)),
        Clock.systemUTC(),
        System::nanoTime);
  }

  private TlsSettings tls() {
    if ((certificate == null) != (certificateKey == null)) {
      throw new CommandException(
          "--certificate and --certificate-key need each other; fix: give both");
    }
    if (certificate != null && tls == TlsSettings.Mode.OFF) {
      throw new CommandException(
          "--certificate with --tls off: plain HTTP presents no certificate; fix: leave one of them"
              + " out");
    }
    if (advertise != null && !Validation.violations(new Endpoint(advertise, 1)).isEmpty()) {
      throw new CommandException(
          "--advertise " + advertise + " (expected: a host name or an IP address, without a port)");
    }
    return new TlsSettings(tls, certificate, certificateKey, advertise);
  }

  private @Nullable OidcIssuer oidc() {
    if (oidcIssuer == null) {
      return null;
    }
    if (oidcAudience == null || oidcAudience.isBlank()) {
      throw new CommandException(
          "--oidc-issuer "
              + oidcIssuer
              + " without --oidc-audience: tokens for any audience would be accepted; fix: give"
              + " --oidc-audience");
    }
    if (oidcRoles.containsValue(Role.RELAY)) {
      throw new CommandException(
          "--oidc-role: relay (expected: viewer, client, operator or admin; relays have keys)");
    }
    try {
      return new OidcIssuer(oidcIssuer, oidcAudience, oidcClaim, oidcRoles);
    } catch (IllegalArgumentException e) {
      throw new CommandException("--oidc-issuer " + e.getMessage());
    }
  }

  private CommandSpec spec() {
    if (spec == null) {
      throw new IllegalStateException("not made by picocli");
    }
    return spec;
  }

  /** Converter of a share such as {@code 5%} or {@code 0.05}, for picocli. */
  static final class ShareConverter implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      try {
        boolean percent = text.endsWith("%");
        double value = Double.parseDouble(percent ? text.substring(0, text.length() - 1) : text);
        double share = percent ? value / 100 : value;
        if (share >= 0 && share <= 1) {
          return share;
        }
      } catch (NumberFormatException e) {
        // Reported by the exception below.
      }
      throw new TypeConversionException("'" + text + "' (expected: a share such as 5%)");
    }
  }

  /** An address to listen on; port 0 means any free port. */
  record Listen(String host, int port) {}

  /** Converter for picocli. */
  static final class ListenConverter implements ITypeConverter<Listen> {
    private static final Pattern FORM =
        Pattern.compile("(?:\\[([0-9a-fA-F:.%]+)]|([^:\\[\\]]+)):([0-9]{1,5})");

    @Override
    public Listen convert(String text) {
      Matcher form = FORM.matcher(text);
      if (!form.matches() || Integer.parseInt(form.group(3)) > 65_535) {
        throw new TypeConversionException(
            "'" + text + "' (expected: HOST:PORT; an IPv6 address needs brackets)");
      }
      String host = form.group(1) != null ? form.group(1) : form.group(2);
      return new Listen(host, Integer.parseInt(form.group(3)));
    }
  }
}
