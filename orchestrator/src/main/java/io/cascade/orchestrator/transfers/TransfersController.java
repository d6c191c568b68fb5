package io.cascade.orchestrator.transfers;

import io.cascade.api.orchestrator.RunningTransferList;
import io.cascade.api.orchestrator.TransferProgress;
import io.cascade.orchestrator.contract.TransfersApi;
import io.cascade.orchestrator.planning.Destinations;
import io.cascade.orchestrator.security.Caller;
import jakarta.servlet.http.HttpServletRequest;
import java.util.UUID;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
class TransfersController implements TransfersApi {
  private final RunningTransfers transfers;
  private final HttpServletRequest current;

  /**
   * @param current proxy for the request that is being answered
   */
  TransfersController(RunningTransfers transfers, HttpServletRequest current) {
    this.transfers = transfers;
    this.current = current;
  }

  @Override
  public ResponseEntity<RunningTransferList> listTransfers() {
    return ResponseEntity.ok(new RunningTransferList(transfers.list(Caller.current()::sees)));
  }

  @Override
  public ResponseEntity<Void> reportProgress(UUID transfer, TransferProgress progress) {
    transfers.report(
        new KnownTransfer.Name(Caller.current().owner(), transfer),
        current.getRemoteAddr(),
        progress.toBuilder()
            .destination(Destinations.parse(progress.destination()).toString())
            .build());
    return ResponseEntity.noContent().build();
  }
}
