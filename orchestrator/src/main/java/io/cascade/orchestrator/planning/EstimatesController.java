package io.cascade.orchestrator.planning;

import io.cascade.api.orchestrator.Estimate;
import io.cascade.api.orchestrator.EstimateRequest;
import io.cascade.contract.EstimateDocument;
import io.cascade.contract.EstimateQuestion;
import io.cascade.orchestrator.contract.EstimatesApi;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** Answers from the request alone, without relays or links. */
@RestController
class EstimatesController implements EstimatesApi {
  @Override
  public ResponseEntity<Estimate> estimate(EstimateRequest request) {
    io.cascade.model.estimate.EstimateRequest question;
    try {
      question = EstimateQuestion.of(request);
    } catch (IllegalArgumentException e) {
      throw new Refusal(ProblemKind.INVALID_REQUEST, String.valueOf(e.getMessage()));
    }
    return ResponseEntity.ok(EstimateDocument.of(io.cascade.model.estimate.Estimate.of(question)));
  }
}
