package io.cascade;

import io.cascade.client.verbs.AdviseVerb;
import io.cascade.client.verbs.AuditVerb;
import io.cascade.client.verbs.CertificateVerb;
import io.cascade.client.verbs.ChainVerb;
import io.cascade.client.verbs.ChainsVerb;
import io.cascade.client.verbs.CloseVerb;
import io.cascade.client.verbs.CompletionVerb;
import io.cascade.client.verbs.CorrectionsVerb;
import io.cascade.client.verbs.DoctorVerb;
import io.cascade.client.verbs.DrainVerb;
import io.cascade.client.verbs.EstimateVerb;
import io.cascade.client.verbs.EventsVerb;
import io.cascade.client.verbs.ForwardVerb;
import io.cascade.client.verbs.InviteVerb;
import io.cascade.client.verbs.JoinVerb;
import io.cascade.client.verbs.KeyVerb;
import io.cascade.client.verbs.LinksVerb;
import io.cascade.client.verbs.OpenVerb;
import io.cascade.client.verbs.PlanVerb;
import io.cascade.client.verbs.ReceiveVerb;
import io.cascade.client.verbs.RelaysVerb;
import io.cascade.client.verbs.RevokeVerb;
import io.cascade.client.verbs.SendVerb;
import io.cascade.client.verbs.ServeVerb;
import io.cascade.client.verbs.SiteVerb;
import io.cascade.client.verbs.StatsVerb;
import io.cascade.client.verbs.StreamsVerb;
import io.cascade.client.verbs.TuneVerb;
import io.cascade.client.verbs.TunnelVerb;
import io.cascade.client.verbs.VersionVerb;
import io.cascade.gateway.scap.ScapVerb;
import io.cascade.gateway.tunnel.GatewayVerb;
import io.cascade.lab.LabVerb;
import io.cascade.lab.demo.DemoVerb;
import io.cascade.lab.soak.SoakVerb;
import io.cascade.orchestrator.OrchestratorCommand;
import io.cascade.relay.RelayCommand;
import io.cascade.studies.reproduce.ReproduceVerb;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/** Verbs of {@code cascade}, in the order in which its help lists it. */
enum Verb {
  DEMO(Use.TRY, () -> new DemoVerb()),
  ORCHESTRATOR(Use.RUN, () -> new OrchestratorCommand()),
  RELAY(Use.RUN, () -> new RelayCommand()),
  TUNE(Use.RUN, () -> new TuneVerb()),
  DRAIN(Use.RUN, () -> new DrainVerb()),
  INVITE(Use.RUN, () -> new InviteVerb()),
  JOIN(Use.RUN, () -> new JoinVerb()),
  REVOKE(Use.RUN, () -> new RevokeVerb()),
  CERTIFICATE(Use.RUN, () -> new CertificateVerb()),
  KEY(Use.RUN, () -> new KeyVerb()),
  ADVISE(Use.MOVE, () -> new AdviseVerb()),
  PLAN(Use.MOVE, () -> new PlanVerb()),
  SITE(Use.MOVE, () -> new SiteVerb()),
  ESTIMATE(Use.MOVE, () -> new EstimateVerb()),
  OPEN(Use.MOVE, () -> new OpenVerb()),
  CLOSE(Use.MOVE, () -> new CloseVerb()),
  SEND(Use.MOVE, () -> new SendVerb()),
  RECEIVE(Use.MOVE, () -> new ReceiveVerb()),
  SERVE(Use.MOVE, () -> new ServeVerb()),
  FORWARD(Use.MOVE, () -> new ForwardVerb()),
  SCAP(Use.MOVE, () -> new ScapVerb()),
  GATEWAY(Use.MOVE, () -> new GatewayVerb()),
  TUNNEL(Use.MOVE, () -> new TunnelVerb()),
  RELAYS(Use.LOOK, () -> new RelaysVerb()),
  LINKS(Use.LOOK, () -> new LinksVerb()),
  CORRECTIONS(Use.LOOK, () -> new CorrectionsVerb()),
  CHAINS(Use.LOOK, () -> new ChainsVerb()),
  CHAIN(Use.LOOK, () -> new ChainVerb()),
  STREAMS(Use.LOOK, () -> new StreamsVerb()),
  EVENTS(Use.LOOK, () -> new EventsVerb()),
  STATS(Use.LOOK, () -> new StatsVerb()),
  DOCTOR(Use.LOOK, () -> new DoctorVerb()),
  AUDIT(Use.LOOK, () -> new AuditVerb()),
  LAB(Use.MEASURE, () -> new LabVerb()),
  REPRODUCE(Use.MEASURE, () -> new ReproduceVerb()),
  SOAK(Use.MEASURE, () -> new SoakVerb()),
  VERSION(Use.SHELL, () -> new VersionVerb()),
  COMPLETION(Use.SHELL, () -> new CompletionVerb());

  private final Use use;

  /**
   * A lambda instead of a constructor reference, which would load the command's class with this
   * one.
   */
  @SuppressWarnings("ImmutableEnumChecker") // Every lambda above is immutable.
  private final Supplier<Object> command;

  Verb(Use use, Supplier<Object> command) {
    this.use = use;
    this.command = command;
  }

  static Optional<Verb> named(String title) {
    return Arrays.stream(values()).filter(verb -> verb.title().equals(title)).findFirst();
  }

  String title() {
    return name().toLowerCase(Locale.ROOT);
  }

  Use use() {
    return use;
  }

  Object command() {
    return command.get();
  }

  /** Whether it works without the other verbs; completion needs all of them. */
  boolean alone() {
    return this != COMPLETION;
  }

  /** Purposes by which help groups the verbs. */
  enum Use {
    TRY("Try it"),
    RUN("Run the components"),
    MOVE("Move data"),
    LOOK("Inspect"),
    MEASURE("Measure"),
    SHELL("Command line");

    private final String heading;

    Use(String heading) {
      this.heading = heading;
    }

    String heading() {
      return heading;
    }
  }
}
