package io.cascade.orchestrator.web;

import io.cascade.api.Json;
import io.cascade.orchestrator.store.StateDirectory;
import java.io.File;
import org.apache.catalina.Globals;
import org.apache.catalina.core.StandardHost;
import org.apache.tomcat.websocket.server.WsSci;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.method.HandlerTypePredicate;
import org.springframework.web.servlet.config.annotation.PathMatchConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import tools.jackson.databind.json.JsonMapper;

/** Sets where the contract is mounted, how JSON is read, and what Tomcat says by itself. */
@Configuration(proxyBeanMethods = false)
class WebConfiguration implements WebMvcConfigurer {

  @Override
  public void configurePathMatch(PathMatchConfigurer paths) {
    paths.addPathPrefix(
        "/api/v1",
        HandlerTypePredicate.forAnnotation(RestController.class)
            .and(type -> type != ContractDocument.class));
  }

  @Bean
  JsonMapper jsonMapper() {
    return Json.strict();
  }

  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> tomcat() {
    return factory -> {
      factory.setProtocol(WholeRequests.class.getName());
      // For the control connections of relays.
      factory.addContextCustomizers(
          context -> context.addServletContainerInitializer(new WsSci(), null));
      factory.addContextCustomizers(context ->
          ((StandardHost) context.getParent())
              .setErrorReportValveClass(ProblemReport.class.getName()));
    };
  }

  /**
   * Gives Tomcat a folder of the state directory. Otherwise it makes two temporary ones at every
   * start, which a killed process leaves behind.
   */
  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> folders(StateDirectory state) {
    return factory -> {
      File folder = state.folder("tomcat").toFile();
      factory.setBaseDirectory(folder);
      factory.setDocumentRoot(folder);
      // Tomcat keeps the process's first folder in this property, and every later start makes that
      // one anew, also where it was deleted since.
      System.setProperty(Globals.CATALINA_HOME_PROP, folder.getAbsolutePath());
    };
  }
}
