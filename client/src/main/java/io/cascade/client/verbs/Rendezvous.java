package io.cascade.client.verbs;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.client.rendezvous.JoinedConnection;
import io.cascade.client.rendezvous.Meeting;
import io.cascade.client.rendezvous.RendezvousFailed;
import io.cascade.client.rendezvous.WaitingLine;
import io.cascade.client.transfer.Sent;
import io.cascade.client.transfer.receiver.ReceivingPort;
import io.cascade.client.ways.Recipient;
import io.cascade.command.CommandException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Behaviour of {@code send} and {@code receive} if a relay joins them. */
final class Rendezvous {
  private static final String WHY = "it joined both ends, so neither needs an open port";

  private static final String MET = "a receiver that is met at a relay";
  private static final String NO_OTHER_WAY = "no other way leads there";

  /**
   * Connections that wait: while one is joined to a sender, another is ready for the next sender.
   */
  private static final int WAITING = 2;

  private Rendezvous() {}

  /**
   * Receives from senders that meet this receiver at the relay.
   *
   * @throws CommandException where the relay does not let this receiver wait
   */
  static WaitingLine await(Meeting at, ReceivingPort by, Output output) {
    try {
      return at.await(
          WAITING,
          new WaitingLine.Listener() {
            @Override
            public void joined(JoinedConnection connection) {
              by.begin(connection.connection());
            }

            @Override
            public void interrupted(RendezvousFailed why) {
              output.note(why.getMessage() + "; reconnecting until it answers");
            }

            @Override
            public void restored() {
              output.note("this receiver waits at the relay again");
            }
          });
    } catch (RendezvousFailed e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Refuses options that require another way.
   *
   * @param shaped whether an option concerns an orchestrator's relays
   */
  static void refuseOtherWays(CommandSpec verb, boolean shaped) {
    UnusedOptions.refuse(verb, MET, "nothing is planned", UnusedOptions.PLANNING);
    UnusedOptions.refuse(verb, MET, NO_OTHER_WAY, List.of("--direct", "--via", "--cascade"));
    if (shaped) {
      throw new ParameterException(
          verb.commandLine(),
          MET
              + ": leave out options for an orchestrator's relays (--security,"
              + " --congestion-control,"
              + " --parallel and the like)");
    }
  }

  /** The report of a transfer without an orchestrator's relays: direct, or by a rendezvous. */
  static SendReport routed(
      Recipient to, String why, Sent sent, @Nullable Candidate predicted, boolean verified) {
    return SendReport.of(
        to.isMet() ? SendReport.RENDEZVOUS : "DIRECT",
        to.isMet() ? List.of(to.at().toString()) : List.of(),
        to.isMet() ? WHY : why,
        sent,
        null,
        null,
        predicted,
        verified);
  }
}
