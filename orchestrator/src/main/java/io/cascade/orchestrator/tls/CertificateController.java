package io.cascade.orchestrator.tls;

import io.cascade.api.identity.KeyPins;
import io.cascade.orchestrator.audit.AuditTrail;
import io.cascade.orchestrator.contract.CertificateApi;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.RestController;

@RestController
class CertificateController implements CertificateApi {
  private final Optional<ServerCertificate> certificate;
  private final Optional<ClusterPins> cluster;
  private final AuditTrail trail;
  private final JdbcClient db;
  private final ServerUrls urls;
  private final HttpServletRequest request;

  /**
   * @param cluster empty unless other orchestrators share the database
   * @param request proxy for the request that is being answered
   */
  CertificateController(
      Optional<ServerCertificate> certificate,
      Optional<ClusterPins> cluster,
      AuditTrail trail,
      JdbcClient db,
      ServerUrls urls,
      HttpServletRequest request) {
    this.certificate = certificate;
    this.cluster = cluster;
    this.trail = trail;
    this.db = db;
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
    if (cluster.isPresent() && shown.isSelfMade()) {
      cluster
          .get()
          .rotate(() ->
              trail.change(() -> db.sql("update leadership set rotation = rotation + 1").update()));
    } else {
      shown.rotate();
    }
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
