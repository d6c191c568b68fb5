package io.cascade.orchestrator.corrections;

import io.cascade.api.orchestrator.CorrectionList;
import io.cascade.api.orchestrator.LinkCorrection;
import io.cascade.orchestrator.contract.CorrectionsApi;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
class CorrectionsController implements CorrectionsApi {
  private final CorrectionBook book;

  CorrectionsController(CorrectionBook book) {
    this.book = book;
  }

  @Override
  public ResponseEntity<CorrectionList> listCorrections() {
    return ResponseEntity.ok(
        new CorrectionList(book.all().stream().map(CorrectionsController::document).toList()));
  }

  @Override
  public ResponseEntity<Void> resetCorrections() {
    book.reset();
    return ResponseEntity.noContent().build();
  }

  @Override
  public ResponseEntity<Void> resetCorrection(String from, String to) {
    book.reset(from, to);
    return ResponseEntity.noContent().build();
  }

  private static LinkCorrection document(CorrectionBook.Known known) {
    return LinkCorrection.builder()
        .from(known.link().from())
        .to(known.link().to())
        .congestionControl(known.link().control())
        .factor(known.factor())
        .ratio(Math.exp(known.correction().logRatio()))
        .streams(known.correction().outcomes())
        .updatedAt(known.correction().updatedAt())
        .build();
  }
}
