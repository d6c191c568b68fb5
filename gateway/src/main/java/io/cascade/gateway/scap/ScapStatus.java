package io.cascade.gateway.scap;

import io.cascade.api.scap.ScapConnection;
import io.cascade.api.scap.ScapPipe;
import io.cascade.api.scap.ScapPolicy;
import io.cascade.api.scap.ScapSide;
import io.cascade.packets.connections.Connection;
import io.cascade.packets.encapsulation.PipeReport;
import io.cascade.packets.header.IpPrefix;
import io.cascade.packets.pipes.Pipe;
import io.cascade.packets.pipes.PipeProperties;
import io.cascade.packets.scap.Mode;
import io.cascade.packets.scap.ScapSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Answers of a running splitter/combiner about itself. Used on the thread that carries packets. */
final class ScapStatus {
  /** Bound of a listing. */
  private static final int MOST_CONNECTIONS = 1_000;

  private final ScapHost host;

  ScapStatus(ScapHost host) {
    this.host = host;
  }

  /** All pipes, the near side's first. */
  List<ScapPipe> pipes() {
    List<ScapPipe> pipes = new ArrayList<>();
    for (PipeSide side : host.sides()) {
      boolean near = host.sides().size() > 1 && pipes.isEmpty();
      for (int i = 0; i < side.specs().size(); i++) {
        pipes.add(pipe(pipes.size(), near, side, i));
      }
    }
    return pipes;
  }

  private static ScapPipe pipe(int number, boolean near, PipeSide side, int index) {
    PipeSpec spec = side.specs().get(index);
    Pipe pipe = side.pipes().all().get(index);
    PipeProperties properties = pipe.properties();
    PipeReport report = side.ports().get(index).report();
    boolean measured = report != null && report.answers() > 0;
    return ScapPipe.builder()
        .number(number)
        .side(near ? ScapSide.NEAR : ScapSide.FAR)
        .device(spec.device())
        .peer(
            spec.peer() == null
                ? null
                : spec.peer().getAddress().getHostAddress() + ":" + spec.peer().getPort())
        .up(pipe.up())
        .employed(pipe.employed())
        .measured(measured)
        .roundTripMillis(properties.roundTripNanos() / 1e6)
        .smoothedRoundTripMillis(
            report == null || !measured ? null : report.smoothedRoundTripNanos() / 1e6)
        .bitsPerSecond(properties.bitsPerSecond())
        .queueBytes(properties.queueBytes())
        .lossProbability(properties.lossProbability())
        .sentPackets(pipe.sentPackets())
        .sentBytes(pipe.sentBytes())
        .receivedPackets(pipe.receivedPackets())
        .receivedBytes(pipe.receivedBytes())
        .refusedPackets(side.refused(index) + (report == null ? 0 : report.refused()))
        .build();
  }

  /**
   * Enables or disables a pipe.
   *
   * @return the pipe as it is now; null where there is none of that number
   */
  @Nullable ScapPipe employ(int number, boolean employed) {
    int left = number;
    for (PipeSide side : host.sides()) {
      if (left >= 0 && left < side.specs().size()) {
        side.pipes().employ(side.pipes().all().get(left).id(), employed);
        return pipes().get(number);
      }
      left -= side.specs().size();
    }
    return null;
  }

  /** The far side's connections. */
  List<ScapConnection> connections() {
    List<Connection> all = host.far().scap().connections();
    return all.stream().limit(MOST_CONNECTIONS).map(this::connection).toList();
  }

  private ScapConnection connection(Connection connection) {
    return ScapConnection.builder()
        .near(connection.id().near() + ":" + connection.id().nearPort())
        .far(connection.id().far() + ":" + connection.id().farPort())
        .state(connection.state().name().toLowerCase(Locale.ROOT))
        .mode(mode(connection))
        .peer(connection.signals().peer().name().toLowerCase(Locale.ROOT))
        .outboundOctets(connection.outboundOctets())
        .build();
  }

  private @Nullable String mode(Connection connection) {
    Mode mode = connection.processor() == null ? null : host.far().scap().mode(connection);
    return mode == null ? null : ModeName.text(mode);
  }

  ScapPolicy policy() {
    ScapSettings settings = host.settings();
    CaptureRoutes routes = host.routes();
    return ScapPolicy.builder()
        .name(routes.name())
        .mode(ModeName.text(settings.mode()))
        .signalling(settings.signalling().name().toLowerCase(Locale.ROOT).replace('_', '-'))
        .splitAfterBytes(settings.admission().afterOctets())
        .onePipePorts(settings.admission().onePipePorts().stream().sorted().toList())
        .admitted(settings.admission().prefixes().stream().map(IpPrefix::toString).toList())
        .selection(SelectionText.text(settings.selection()))
        .connections(settings.mostConnections())
        .memoryBytes(settings.mostHeldBytes())
        .segmentBytes(settings.mostSegmentBytes())
        .near(routes.near())
        .far(routes.far())
        .build();
  }
}
