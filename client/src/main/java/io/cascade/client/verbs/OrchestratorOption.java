package io.cascade.client.verbs;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.command.OptionSection;
import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Orchestrator that a verb calls. */
@OptionSection("Orchestrator and output")
final class OrchestratorOption {
  @Option(
      names = "--orchestrator",
      paramLabel = "URL",
      defaultValue = "http://127.0.0.1:7400",
      converter = HttpAddress.class,
      description = "The orchestrator to call (${DEFAULT-VALUE}).")
  private URI orchestrator = URI.create("http://127.0.0.1:7400");

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      description =
          "The orchestrator's token, or an API key. Others can read command lines: CASCADE_TOKEN is"
              + " safer.")
  private @Nullable String token;

  OrchestratorClient client() {
    return new OrchestratorClient(orchestrator, token);
  }

  URI address() {
    return orchestrator;
  }

  static final class HttpAddress implements ITypeConverter<URI> {
    @Override
    public URI convert(String value) {
      try {
        URI uri = URI.create(value.strip());
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        if (uri.getHost() != null && (scheme.equals("http") || scheme.equals("https"))) {
          return uri;
        }
      } catch (IllegalArgumentException e) {
        // Said below.
      }
      throw new TypeConversionException("'" + value + "' (expected: http://HOST:PORT)");
    }
  }
}
