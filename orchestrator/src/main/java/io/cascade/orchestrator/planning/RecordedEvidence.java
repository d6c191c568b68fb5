package io.cascade.orchestrator.planning;

import io.cascade.api.HostPort;
import io.cascade.model.planning.LearnedCorrection;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.orchestrator.corrections.CorrectionBook;
import io.cascade.orchestrator.links.DestinationTransfers;
import io.cascade.orchestrator.links.LinkTable;
import io.cascade.orchestrator.links.MeasuredLink;
import io.cascade.orchestrator.links.Transfers;
import io.cascade.orchestrator.time.Timekeeper;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/** The evidence in the orchestrator's own tables. */
@Component
class RecordedEvidence implements NetworkEvidence {
  private final LinkTable links;
  private final DestinationTransfers transfers;
  private final ClientTransfers clients;
  private final CorrectionBook corrections;
  private final Supplier<PromisedCapacity> promised;
  private final Timekeeper time;

  RecordedEvidence(
      LinkTable links,
      DestinationTransfers transfers,
      ClientTransfers clients,
      CorrectionBook corrections,
      Supplier<PromisedCapacity> promised,
      Timekeeper time) {
    this.links = links;
    this.transfers = transfers;
    this.clients = clients;
    this.corrections = corrections;
    this.promised = promised;
    this.time = time;
  }

  @Override
  public List<MeasuredLink> links() {
    return links.all();
  }

  @Override
  public Transfers transfers(String relay, HostPort destination) {
    return transfers.of(relay, destination);
  }

  @Override
  public Transfers fromClient(String client, String to) {
    return clients.of(client, to);
  }

  @Override
  public LearnedCorrection learned(MeasuredLink link, CongestionControl control) {
    CorrectionBook.Known known =
        corrections.of(
            new CorrectionBook.Link(
                link.from(), link.to(), control.name().toLowerCase(Locale.ROOT)));
    return new LearnedCorrection(
        known.factor(),
        known.correction().outcomes(),
        known.correction().evidenceAt(time.steady()));
  }

  @Override
  public PromisedCapacity promised() {
    return promised.get();
  }
}
