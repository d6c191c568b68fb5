package io.cascade.orchestrator.tls;

import io.cascade.api.identity.KeyPins;
import io.cascade.orchestrator.contract.CertificateApi;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
class CertificateController implements CertificateApi {
  private final Optional<ServerCertificate> certificate;
  private final ServerUrls urls;
  private final HttpServletRequest request;

  /**
   * @param request the one that is being answered
   */
  CertificateController(
      Optional<ServerCertificate> certificate, ServerUrls urls, HttpServletRequest request) {
    this.certificate = certificate;
    this.urls = urls;
    this.request = request;
  }

  @Override
  public ResponseEntity<io.cascade.api.orchestrator.ServerCertificate> showCertificate() {
    return ResponseEntity.ok(document(shown()));
  }

  @Override
  public ResponseEntity<io.cascade.api.orchestrator.ServerCertificate> rotateCertificate() {
    ServerCertificate shown = shown();
    shown.rotate();
    return ResponseEntity.ok(document(shown));
  }

  private ServerCertificate shown() {
    return certificate.orElseThrow(
        () -> new Refusal(ProblemKind.NO_CERTIFICATE, "this orchestrator serves plain HTTP"));
  }

  private io.cascade.api.orchestrator.ServerCertificate document(ServerCertificate shown) {
    KeyPins pins = shown.pins();
    return new io.cascade.api.orchestrator.ServerCertificate(
        shown.pem(),
        shown.isSelfMade(),
        pins == null ? null : pins.toString(),
        urls.urls(request.getLocalPort()));
  }
}
