package io.cascade.orchestrator.web;

import io.cascade.api.Json;
import io.cascade.api.orchestrator.EnrolmentRequest;
import io.cascade.api.orchestrator.GatewayReport;
import io.cascade.api.orchestrator.Heartbeat;
import io.cascade.api.orchestrator.RelayRegistration;
import io.cascade.api.orchestrator.RouteQuestion;
import io.cascade.api.orchestrator.SplitterReport;
import io.cascade.orchestrator.security.Strangers;
import io.cascade.orchestrator.store.StateDirectory;
import java.io.File;
import java.util.List;
import org.apache.catalina.Globals;
import org.apache.catalina.core.StandardHost;
import org.apache.tomcat.websocket.server.WsSci;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverters;
import org.springframework.http.converter.json.JacksonJsonHttpMessageConverter;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.method.HandlerTypePredicate;
import org.springframework.web.servlet.config.annotation.PathMatchConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import tools.jackson.databind.json.JsonMapper;

/**
 * Configures the contract's path, the parsing of JSON, and the answers that Tomcat itself gives.
 */
@Configuration(proxyBeanMethods = false)
class WebConfiguration implements WebMvcConfigurer {
  private static final List<Class<?>> OF_MACHINES =
      List.of(
          RelayRegistration.class,
          Heartbeat.class,
          RouteQuestion.class,
          GatewayReport.class,
          SplitterReport.class,
          EnrolmentRequest.class);

  @Override
  public void configurePathMatch(PathMatchConfigurer paths) {
    paths.addPathPrefix(
        "/api/v1",
        HandlerTypePredicate.forAnnotation(RestController.class)
            .and(type -> type != ContractDocument.class));
  }

  /** Ignores unknown properties, since a newer relay, gateway or splitter may send some. */
  @Override
  public void configureMessageConverters(HttpMessageConverters.ServerBuilder converters) {
    converters.configureMessageConverters(converter -> {
      if (converter instanceof JacksonJsonHttpMessageConverter json) {
        OF_MACHINES.forEach(type ->
            json.registerMappersForType(
                type, mappers -> mappers.put(MediaType.APPLICATION_JSON, Json.extensible())));
      }
    });
  }

  @Bean
  JsonMapper jsonMapper() {
    return Json.strict();
  }

  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> tomcat(Strangers strangers) {
    return factory -> {
      factory.setProtocol(WholeRequests.class.getName());
      factory.addConnectorCustomizers(
          connector -> ((WholeRequests) connector.getProtocolHandler()).admitBy(strangers));
      // For the control connections of relays.
      factory.addContextCustomizers(
          context -> context.addServletContainerInitializer(new WsSci(), null));
      factory.addContextCustomizers(context ->
          ((StandardHost) context.getParent())
              .setErrorReportValveClass(ProblemReport.class.getName()));
    };
  }

  /**
   * Gives Tomcat a folder in the state directory. Otherwise it creates two temporary ones at every
   * start, which remain if the process is killed.
   */
  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> folders(StateDirectory state) {
    return factory -> {
      File folder = state.folder("tomcat").toFile();
      factory.setBaseDirectory(folder);
      factory.setDocumentRoot(folder);
      // Tomcat stores the process's first folder in this property, and every later start creates
      // that one again, even after its deletion.
      System.setProperty(Globals.CATALINA_HOME_PROP, folder.getAbsolutePath());
    };
  }
}
