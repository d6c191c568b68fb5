package io.cascade;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.relay.RelaySettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

@NullUnmarked
class ComposeFileTest {
  @Test
  void relaysAreGivenTheTimeThatTheirStreamsHaveToEnd() throws IOException {
    Map<String, Map<String, Object>> services = services();
    assertThat(services).containsKeys("frankfurt", "tokyo", "relay");

    services.forEach((name, service) -> {
      if (String.valueOf(service.get("image")).contains("/relay:")) {
        assertThat(seconds(service.get("stop_grace_period")))
            .as(name)
            .isGreaterThan(RelaySettings.DEFAULT_DRAIN.toSeconds());
      }
    });
  }

  private static long seconds(Object duration) {
    assertThat(duration).asString().matches("\\d+s");
    return Long.parseLong(duration.toString().replace("s", ""));
  }

  private static Map<String, Map<String, Object>> services() throws IOException {
    Map<String, Map<String, Map<String, Object>>> file =
        new Yaml().load(Files.readString(Path.of("..", "docker", "compose.yaml")));
    return file.get("services");
  }
}
