package io.cascade.model.estimate;

import io.cascade.model.cascade.LossDivision;
import io.cascade.model.cascade.RelayDiscipline;
import io.cascade.model.cascade.SetupMode;
import io.cascade.model.tcp.Framing;
import io.cascade.model.units.Require;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A path, a division of it by relays, and the data to be moved over it.
 *
 * @param variant which equations to use
 * @param model of the direct connection's sender and of every hop that names none
 * @param parameters of the formulas
 * @param path the direct path; empty if it consists of {@code hops}
 * @param hops of the cascade; empty for none, or for {@code cut}
 * @param cut the cascade made by dividing the path into equal hops; empty for none, or for {@code
 *     hops}
 * @param bytes length of the transfer; empty for an unlimited stream
 * @param framing packets on every link that names no size
 * @param receiveWindowBytes the most that any receiver grants; empty if it never limits
 * @param setup how the cascade is opened; warm by default
 * @param forwarding when relays pass on data; at once by default, in the published variant after W
 *     = 16 windows
 * @param parallelConnections number of connections of the parallel direct rival
 * @param relayControls models of which relays use the fastest on each hop that begins at one of
 *     them and names no model; empty for {@code model} there, too
 */
public record EstimateRequest(
    Variant variant,
    SenderModel model,
    SenderParameters parameters,
    Optional<PathInput> path,
    List<PathInput> hops,
    Optional<Cut> cut,
    OptionalLong bytes,
    Framing framing,
    OptionalLong receiveWindowBytes,
    Optional<SetupMode> setup,
    Optional<RelayDiscipline> forwarding,
    int parallelConnections,
    List<SenderModel> relayControls) {

  /** The most hops that a cascade may have. */
  public static final int MOST_HOPS = 16;

  /** The longest transfer, in bytes: 10¹⁸. */
  public static final long MOST_BYTES = 1_000_000_000_000_000_000L;

  /** The most parallel connections. */
  public static final int MOST_CONNECTIONS = 1_000;

  /** Variant of the equations. */
  public enum Variant {
    /** The project's own: ways compared with the same parts included, and every cap applied. */
    CORRECTED,
    /** Equations 1–9 of "Cascaded TCP" as they were printed. */
    AS_PUBLISHED
  }

  /**
   * A path with equally spaced relays on it.
   *
   * @param relays at least 1
   * @param loss how the path's loss is divided, which cannot be computed
   */
  public record Cut(int relays, LossDivision loss) {
    /** Checks the number. */
    public Cut {
      if (relays < 1 || relays > MOST_HOPS - 1) {
        throw Require.outside("relays", relays, "1.." + (MOST_HOPS - 1));
      }
    }
  }

  /** Checks that the parts agree. */
  public EstimateRequest {
    hops = List.copyOf(hops);
    relayControls = List.copyOf(relayControls);
    if (hops.size() > MOST_HOPS) {
      throw Require.outside("hops", hops.size(), "at most " + MOST_HOPS);
    }
    if (path.isEmpty() && hops.isEmpty()) {
      throw Require.outside("path", "none", "a path, or hops that make one");
    }
    if (cut.isPresent() && (path.isEmpty() || !hops.isEmpty())) {
      throw Require.outside(
          "relays", cut.get().relays(), "on a path without hops of its own, which is then cut");
    }
    bytes.ifPresent(value -> {
      if (value < 1 || value > MOST_BYTES) {
        throw Require.outside("bytes", value, "1.." + MOST_BYTES);
      }
    });
    receiveWindowBytes.ifPresent(value -> Require.atLeast("receiveWindowBytes", value, 1));
    if (parallelConnections < 1 || parallelConnections > MOST_CONNECTIONS) {
      throw Require.outside("parallelConnections", parallelConnections, "1.." + MOST_CONNECTIONS);
    }
    if (!relayControls.isEmpty() && hops.isEmpty() && cut.isEmpty()) {
      throw Require.outside("relayControls", relayControls, "with relays, or hops between them");
    }
    if (variant == Variant.AS_PUBLISHED) {
      if (!relayControls.isEmpty()) {
        throw Require.outside("relayControls", relayControls, "none: not in the published model");
      }
      checkPublished(model, hops, receiveWindowBytes, setup, forwarding);
    }
  }

  /** Refuses parameters that the published equations do not have, instead of ignoring them. */
  private static void checkPublished(
      SenderModel model,
      List<PathInput> hops,
      OptionalLong receiveWindowBytes,
      Optional<SetupMode> setup,
      Optional<RelayDiscipline> forwarding) {
    boolean another =
        model != SenderModel.MATHIS
            || hops.stream().anyMatch(hop -> hop.model().orElse(model) != SenderModel.MATHIS);
    if (another) {
      throw Require.outside("variant", "as-published", "with model mathis everywhere");
    }
    if (receiveWindowBytes.isPresent()) {
      throw Require.outside(
          "receiveWindowBytes", receiveWindowBytes.getAsLong(), "none: not in the published model");
    }
    if (setup.isPresent() && setup.get() != SetupMode.PARALLEL) {
      throw Require.outside("setup", setup.get(), "parallel: the published 1.5 RTT");
    }
    if (forwarding.isPresent() && !(forwarding.get() instanceof RelayDiscipline.CutThrough)) {
      throw Require.outside(
          "forwarding",
          forwarding.get().getClass().getSimpleName(),
          "pipelined: the published equation 6");
    }
  }

  /** A request for an unlimited stream over one path, to be changed as needed. */
  public static Builder over(SenderModel model, PathInput path) {
    return new Builder(model).path(path);
  }

  /** A request for an unlimited stream through these hops, to be changed as needed. */
  public static Builder through(SenderModel model, List<PathInput> hops) {
    return new Builder(model).hops(hops);
  }

  /** A request with nothing but a sender, to be completed. */
  public static Builder of(SenderModel model) {
    return new Builder(model);
  }

  /** The hops of the cascade; empty for none. */
  Optional<List<PathInput>> cascadeHops() {
    if (!hops.isEmpty()) {
      return Optional.of(hops);
    }
    return cut.map(how ->
        Collections.nCopies(how.relays() + 1, directPath().cut(how.relays() + 1, how.loss())));
  }

  /** The path of the direct connection. */
  PathInput directPath() {
    return path.orElseGet(() -> PathInput.composed(hops));
  }

  /** Whether direct path and hops were measured independently. */
  boolean independent() {
    return path.isPresent() && !hops.isEmpty();
  }

  /** Collects the parts of a request. */
  public static final class Builder {
    private final SenderModel model;
    private Variant variant = Variant.CORRECTED;
    private SenderParameters parameters = SenderParameters.DEFAULTS;
    private Optional<PathInput> path = Optional.empty();
    private List<PathInput> hops = List.of();
    private Optional<Cut> cut = Optional.empty();
    private OptionalLong bytes = OptionalLong.empty();
    private Framing framing = Framing.ETHERNET_1500;
    private OptionalLong receiveWindowBytes = OptionalLong.empty();
    private Optional<SetupMode> setup = Optional.empty();
    private Optional<RelayDiscipline> forwarding = Optional.empty();
    private int parallelConnections = 4;
    private List<SenderModel> relayControls = List.of();

    private Builder(SenderModel model) {
      this.model = model;
    }

    /** Whose equations. */
    public Builder variant(Variant value) {
      variant = value;
      return this;
    }

    /** Parameters of the formulas. */
    public Builder parameters(SenderParameters value) {
      parameters = value;
      return this;
    }

    /** The direct path. */
    public Builder path(PathInput value) {
      path = Optional.of(value);
      return this;
    }

    /** The cascade's hops. */
    public Builder hops(List<PathInput> value) {
      hops = value;
      return this;
    }

    /** The cascade made by this many equally spaced relays on the path. */
    public Builder cut(int relayCount, LossDivision loss) {
      cut = Optional.of(new Cut(relayCount, loss));
      return this;
    }

    /** A transfer of this length instead of an unlimited stream. */
    public Builder bytes(long value) {
      bytes = OptionalLong.of(value);
      return this;
    }

    /** Packets on every link. */
    public Builder framing(Framing value) {
      framing = value;
      return this;
    }

    /** The most that any receiver grants. */
    public Builder receiveWindowBytes(long value) {
      receiveWindowBytes = OptionalLong.of(value);
      return this;
    }

    /** Sets how the cascade is opened. */
    public Builder setup(SetupMode value) {
      setup = Optional.of(value);
      return this;
    }

    /** Sets when relays pass on received data. */
    public Builder forwarding(RelayDiscipline value) {
      forwarding = Optional.of(value);
      return this;
    }

    /** Sets the number of connections of the parallel direct rival. */
    public Builder parallelConnections(int value) {
      parallelConnections = value;
      return this;
    }

    /** Models of which relays use the fastest on each hop that names none. */
    public Builder relayControls(List<SenderModel> value) {
      relayControls = value;
      return this;
    }

    /** The request. */
    public EstimateRequest build() {
      return new EstimateRequest(
          variant,
          model,
          parameters,
          path,
          hops,
          cut,
          bytes,
          framing,
          receiveWindowBytes,
          setup,
          forwarding,
          parallelConnections,
          relayControls);
    }
  }
}
