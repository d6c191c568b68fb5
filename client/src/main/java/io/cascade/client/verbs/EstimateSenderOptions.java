package io.cascade.client.verbs;

import io.cascade.command.OptionSection;
import io.cascade.command.TimeSpan;
import io.cascade.kernel.settings.KernelSettings;
import io.cascade.model.estimate.EstimateRequest.Variant;
import io.cascade.model.estimate.SenderModel;
import io.cascade.model.estimate.SenderParameters;
import java.util.Locale;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Options that choose the model of an estimate's sender. */
@OptionSection("The sender's model")
final class EstimateSenderOptions {
  @Option(
      names = "--model",
      paramLabel = "NAME",
      converter = EstimateConverters.Sender.class,
      description =
          "Model the sender as reno, cubic, bbr or bbr3, as in plans, or as mathis or pftk, as"
              + " published (default: as this machine's own connections).")
  private @Nullable SenderModel model;

  @Option(
      names = "--variant",
      paramLabel = "NAME",
      converter = VariantConverter.class,
      defaultValue = "corrected",
      description = "Use the corrected or the as-published equations (default: ${DEFAULT-VALUE}).")
  private Variant variant = Variant.CORRECTED;

  @Option(
      names = "--constant",
      paramLabel = "C",
      description = "Set the constant of Mathis' formula (default: 1.31; as published: 1.2247).")
  private @Nullable Double constant;

  @Option(
      names = "--ack-every",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Acknowledge after this many packets, 1 or 2 (default: ${DEFAULT-VALUE}, as Linux"
              + " behaves).")
  private int ackEvery = 1;

  @Option(
      names = "--rto",
      paramLabel = "TIME",
      converter = TimeSpan.Converter.class,
      description =
          "Set the first retransmission timeout, for pftk (default: the round-trip time plus"
              + " 200ms).")
  private @Nullable TimeSpan rto;

  /**
   * The sender's model.
   *
   * @param origin why it was chosen, in words
   */
  record Sender(SenderModel model, String origin) {}

  static final class VariantConverter implements ITypeConverter<Variant> {
    @Override
    public Variant convert(String value) {
      return switch (value.toLowerCase(Locale.ROOT)) {
        case "corrected" -> Variant.CORRECTED;
        case "as-published" -> Variant.AS_PUBLISHED;
        default ->
            throw new TypeConversionException(
                "'" + value + "' (expected: corrected or as-published)");
      };
    }
  }

  Variant variant() {
    return variant;
  }

  Sender sender() {
    if (model != null) {
      return new Sender(model, "as asked");
    }
    if (variant == Variant.AS_PUBLISHED) {
      return new Sender(SenderModel.MATHIS, "as published");
    }
    return ofThisHost(KernelSettings.congestionControl());
  }

  /**
   * @param control the kernel's name for this host's default; null where that is unknown
   */
  static Sender ofThisHost(@Nullable String control) {
    if (control == null) {
      return new Sender(SenderModel.CUBIC, "since this machine does not say what it uses");
    }
    return SenderModel.ofCongestionControl(control)
        .map(known -> new Sender(known, "this machine's default"))
        .orElseGet(() ->
            new Sender(
                SenderModel.CUBIC,
                "in the place of " + control + ", this machine's default, which has no model"));
  }

  /**
   * @throws IllegalArgumentException where a parameter is out of range
   */
  SenderParameters parameters() {
    return new SenderParameters(
        constant == null ? OptionalDouble.empty() : OptionalDouble.of(constant),
        ackEvery,
        rto == null ? OptionalDouble.empty() : OptionalDouble.of(rto.seconds()));
  }
}
