package io.cascade.orchestrator.dashboard;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;

/**
 * The dashboard's only page. It contains no data, so it needs no token; its calls of the API do.
 * Its policy allows scripts of this server only, and no page may frame it.
 */
@Controller
class DashboardPage {
  private static final Pattern SCRIPT =
      Pattern.compile("<script type=\"(?:importmap|module)\">(.*?)</script>", Pattern.DOTALL);

  private final byte[] page;
  private final String policy;

  DashboardPage() throws IOException {
    page = new ClassPathResource(DashboardFiles.OWN + "index.html").getContentAsByteArray();
    // Browsers accept import maps only inline, and the script that detects a missing module cannot
    // be a module. The policy allows these inline scripts by their digests.
    String own =
        SCRIPT
            .matcher(new String(page, StandardCharsets.UTF_8))
            .results()
            .map(script -> script.group(1).getBytes(StandardCharsets.UTF_8))
            .map(script -> " 'sha256-" + DashboardFiles.base64Sha256(script) + "'")
            .collect(Collectors.joining());
    if (own.isEmpty()) {
      throw new IllegalStateException("index.html has no script of its own");
    }
    policy =
        "default-src 'none'; script-src 'self'"
            + own
            + "; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none';"
            + " form-action 'none'; frame-ancestors 'none'";
  }

  @GetMapping("/ui/")
  ResponseEntity<byte[]> page() {
    return ResponseEntity.ok()
        .contentType(new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8))
        .cacheControl(CacheControl.noCache())
        .header("Content-Security-Policy", policy)
        .header("X-Content-Type-Options", "nosniff")
        .header("Referrer-Policy", "no-referrer")
        .body(page);
  }

  @GetMapping({"/", "/ui", "/ui/index.html"})
  ResponseEntity<Void> elsewhere() {
    return ResponseEntity.status(HttpStatus.FOUND).location(URI.create("/ui/")).build();
  }
}
