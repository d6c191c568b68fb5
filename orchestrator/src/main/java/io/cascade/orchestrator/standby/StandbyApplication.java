package io.cascade.orchestrator.standby;

import io.cascade.orchestrator.leadership.Leadership;
import io.cascade.orchestrator.store.StateDirectory;
import io.cascade.orchestrator.tls.PinsFilter;
import org.apache.catalina.Globals;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * The same web server as the leader's, with one servlet. Not a component, since the leader's
 * application includes the components of all packages.
 */
@ImportAutoConfiguration(TomcatServletWebServerAutoConfiguration.class)
@Import(PinsFilter.class)
public class StandbyApplication {

  @Bean
  StandbyAnswers standbyAnswers(Leadership leadership) {
    return new StandbyAnswers(leadership);
  }

  /** Gives Tomcat the same folders as the leader's application does. */
  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> folders(StateDirectory state) {
    return factory -> {
      var folder = state.folder("tomcat").toFile();
      factory.setBaseDirectory(folder);
      factory.setDocumentRoot(folder);
      System.setProperty(Globals.CATALINA_HOME_PROP, folder.getAbsolutePath());
    };
  }
}
