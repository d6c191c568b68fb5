package io.cascade.contract;

import io.cascade.api.orchestrator.EstimatePath;
import io.cascade.api.orchestrator.EstimateRequest;
import io.cascade.api.orchestrator.EstimateVariant;
import io.cascade.api.orchestrator.RelayForwarding;
import io.cascade.model.cascade.LossDivision;
import io.cascade.model.cascade.RelayDiscipline;
import io.cascade.model.cascade.SetupMode;
import io.cascade.model.estimate.EstimateRequest.Variant;
import io.cascade.model.estimate.PathInput;
import io.cascade.model.estimate.SenderModel;
import io.cascade.model.estimate.SenderParameters;
import io.cascade.model.tcp.Framing;
import io.cascade.model.uncertainty.Interval;
import io.cascade.model.uncertainty.LossEstimate;
import io.cascade.model.units.Require;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Converts the contract's question for an estimate to the model's request. */
public final class EstimateQuestion {
  private static final double LONGEST_RTT_MILLIS = 3_600_000;
  private static final int ETHERNET_MTU = 1500;

  private EstimateQuestion() {}

  /**
   * The model's request.
   *
   * @throws IllegalArgumentException naming the property that is missing or invalid, and what is
   *     expected
   */
  public static io.cascade.model.estimate.EstimateRequest of(EstimateRequest asked) {
    if (asked.model() == null) {
      throw Require.outside("model", "none", "the direct sender's, such as CUBIC");
    }
    SenderModel model = SenderModel.valueOf(asked.model().name());
    io.cascade.model.estimate.EstimateRequest.Builder request =
        io.cascade.model.estimate.EstimateRequest.of(model)
            .parameters(parameters(asked))
            .framing(framing(asked))
            .hops(hops(asked))
            .variant(
                asked.variant() == EstimateVariant.AS_PUBLISHED
                    ? Variant.AS_PUBLISHED
                    : Variant.CORRECTED);
    EstimatePath path = asked.path();
    if (path != null) {
      request.path(path("path", path));
    }
    cut(asked, request);
    Long bytes = asked.bytes();
    if (bytes != null) {
      request.bytes(bytes);
    }
    Long window = asked.receiveWindowBytes();
    if (window != null) {
      request.receiveWindowBytes(window);
    }
    if (asked.setup() != null) {
      request.setup(SetupMode.valueOf(asked.setup().name()));
    }
    forwarding(asked).ifPresent(request::forwarding);
    Integer connections = asked.parallelConnections();
    if (connections != null) {
      request.parallelConnections(connections);
    }
    return request.build();
  }

  private static void cut(
      EstimateRequest asked, io.cascade.model.estimate.EstimateRequest.Builder request) {
    Integer relays = asked.relays();
    if (relays == null || relays == 0) {
      return;
    }
    if (asked.lossDivision() == null) {
      throw Require.outside(
          "lossDivision", "none", "SHARED or UNCHANGED: how the path's loss is divided among hops");
    }
    request.cut(
        relays,
        switch (asked.lossDivision()) {
          case SHARED -> LossDivision.DIVIDED;
          case UNCHANGED -> LossDivision.UNCHANGED;
        });
  }

  private static SenderParameters parameters(EstimateRequest asked) {
    return new SenderParameters(
        positive("constant", asked.constant()),
        Objects.requireNonNullElse(asked.ackEvery(), 1),
        scaled(positive("rtoMillis", asked.rtoMillis()), 1e-3));
  }

  private static Framing framing(EstimateRequest asked) {
    Framing usual = Framing.ETHERNET_1500;
    return new Framing(
        Objects.requireNonNullElse(asked.mtuBytes(), ETHERNET_MTU),
        Objects.requireNonNullElse(asked.timestamps(), true),
        usual.linkOverheadBytes());
  }

  private static Optional<RelayDiscipline> forwarding(EstimateRequest asked) {
    RelayForwarding kind =
        Objects.requireNonNullElse(asked.forwarding(), RelayForwarding.PIPELINED);
    Double windows = asked.windows();
    Long chunk = asked.chunkBytes();
    if (windows != null && kind != RelayForwarding.PIPELINED) {
      throw Require.outside("windows", windows, "none with forwarding " + kind);
    }
    if (windows != null && !(windows >= 0 && Double.isFinite(windows))) {
      throw Require.outside("windows", windows, ">= 0 and finite");
    }
    if ((chunk != null) != (kind == RelayForwarding.CHUNKED)) {
      throw Require.outside(
          "chunkBytes", chunk == null ? "none" : chunk, "with forwarding CHUNKED, and only there");
    }
    return switch (kind) {
      case PIPELINED ->
          Optional.ofNullable(windows)
              .map(RelayDiscipline.CutThrough::new)
              .map(RelayDiscipline.class::cast);
      case CHUNKED -> Optional.of(new RelayDiscipline.Chunked(Objects.requireNonNull(chunk)));
      case STORE -> Optional.of(new RelayDiscipline.StoreAndForward());
    };
  }

  private static List<PathInput> hops(EstimateRequest asked) {
    List<EstimatePath> hops = Objects.requireNonNullElse(asked.hops(), List.of());
    List<PathInput> inputs = new ArrayList<>();
    for (int i = 0; i < hops.size(); i++) {
      String name = "hops[" + i + "]";
      if (hops.get(i) == null) {
        throw Require.outside(name, "null", "a hop");
      }
      inputs.add(path(name, hops.get(i)));
    }
    return inputs;
  }

  private static PathInput path(String name, EstimatePath path) {
    Double rtt = path.rttMillis();
    if (rtt == null || !(rtt > 0 && rtt <= LONGEST_RTT_MILLIS)) {
      throw Require.outside(name + ".rttMillis", said(rtt), "> 0 and at most 3600000");
    }
    return new PathInput(
        rtt / 1e3,
        loss(name, path),
        positive(name + ".capacityBitsPerSecond", path.capacityBitsPerSecond()),
        Optional.ofNullable(path.model()).map(model -> SenderModel.valueOf(model.name())),
        path.mssBytes() == null ? OptionalInt.empty() : OptionalInt.of(path.mssBytes()));
  }

  private static Interval loss(String name, EstimatePath path) {
    Double rate = path.lossRate();
    Long sent = path.probesSent();
    Long lost = path.probesLost();
    if (rate != null && sent == null && lost == null) {
      if (!(rate >= 0 && rate <= 1)) {
        throw Require.outside(name + ".lossRate", rate, "0..1");
      }
      return Interval.exactly(rate);
    }
    if (rate == null && sent != null && lost != null) {
      if (sent < 1 || lost < 0 || lost > sent) {
        throw Require.outside(
            name + ".probesLost", lost + " of " + sent, "0 or more of at least one, no more lost");
      }
      return new LossEstimate(lost, sent).interval(LossEstimate.CONFIDENCE);
    }
    throw Require.outside(
        name + ".lossRate", said(rate), "either it, or probesSent together with probesLost");
  }

  private static OptionalDouble positive(String name, @Nullable Double value) {
    return value == null
        ? OptionalDouble.empty()
        : OptionalDouble.of(Require.positive(name, value));
  }

  private static OptionalDouble scaled(OptionalDouble value, double factor) {
    return value.isPresent() ? OptionalDouble.of(value.getAsDouble() * factor) : value;
  }

  private static Object said(@Nullable Object value) {
    return value == null ? "none" : value;
  }
}
