package io.cascade.orchestrator.dashboard;

import io.cascade.command.Digests;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.HexFormat;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Serves the page's modules: its own from this module, Preact from its WebJar. Browsers revalidate
 * each file, and its ETag is a digest, since the modification times in a reproducible jar never
 * change.
 */
@Configuration(proxyBeanMethods = false)
class DashboardFiles implements WebMvcConfigurer {
  static final String OWN = "io/cascade/orchestrator/dashboard/";

  private static final String PREACT = "classpath:META-INF/resources/webjars/preact/10.28.0/";

  @Override
  public void addResourceHandlers(ResourceHandlerRegistry files) {
    serve(files, "/ui/lib/preact/*", PREACT + "dist/", PREACT + "hooks/dist/");
    serve(files, "/ui/**", "classpath:" + OWN);
  }

  private static void serve(ResourceHandlerRegistry files, String path, String... folders) {
    files
        .addResourceHandler(path)
        .addResourceLocations(folders)
        .setCacheControl(CacheControl.noCache())
        .setUseLastModified(false)
        .setEtagGenerator(DashboardFiles::tag);
  }

  private static String tag(Resource file) {
    try (InputStream content = file.getInputStream()) {
      return HexFormat.of().formatHex(Digests.sha256().digest(content.readAllBytes()), 0, 8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String base64Sha256(byte[] content) {
    return Base64.getEncoder().encodeToString(Digests.sha256().digest(content));
  }
}
