package io.cascade.client.verbs;

import io.cascade.api.AddressBlock;
import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.command.ParsedOption;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Sources of the streams that a chain accepts. */
final class SourceOption {
  @Option(
      names = "--allow-source",
      paramLabel = "CIDR",
      split = ",",
      converter = Converter.class,
      description =
          "Accept streams only from these addresses at the first relay, such as 10.0.0.0/8 or"
              + " 2001:db8::7, at most 64; others are reset at once (default: from all addresses).")
  private List<AddressBlock> sources = List.of();

  /** Options with the sources; null where both are absent. */
  @Nullable ChainOptions with(@Nullable ChainOptions options) {
    if (sources.isEmpty()) {
      return options;
    }
    ChainOptions.Builder all = options == null ? ChainOptions.builder() : options.toBuilder();
    return all.allowSources(sources.stream().map(AddressBlock::toString).toList()).build();
  }

  /** Converts addresses in CIDR notation. */
  static final class Converter extends ParsedOption<AddressBlock> {
    Converter() {
      super(AddressBlock::parse);
    }
  }
}
