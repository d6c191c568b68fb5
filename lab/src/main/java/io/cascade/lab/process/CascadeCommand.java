package io.cascade.lab.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Command that runs this very Cascade once more as another process: by the launcher that started
 * it, so with the flags that the launcher has for a verb, or, without one, by the same Java with
 * the same class path.
 *
 * @param launcher the script, if one started this process
 */
public record CascadeCommand(@Nullable String launcher, Path settings) {
  public static CascadeCommand ofThisProcess(Path settings) {
    return new CascadeCommand(System.getProperty("cascade.launcher"), settings);
  }

  public ProcessBuilder verb(String... arguments) {
    List<String> command = new ArrayList<>();
    if (launcher != null) {
      command.add(launcher);
    } else {
      command.add(Path.of(System.getProperty("java.home", ""), "bin", "java").toString());
      command.add("-XX:+UseSerialGC");
      command.add("-Xmx256m");
      command.add(
          "-XX:MaxDirectMemorySize=4g"); // a relay's, for as many streams as benchmarks have
      command.add("--enable-native-access=ALL-UNNAMED");
      command.add("--sun-misc-unsafe-memory-access=allow");
      command.add("-cp");
      command.add(System.getProperty("java.class.path", "."));
      command.add("io.cascade.Cascade");
    }
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    // The user's own settings are for the user's own cascade.
    builder
        .environment()
        .keySet()
        .removeIf(name ->
            name.startsWith("CASCADE_")
                && !name.equals("CASCADE_JAVA_OPTS")
                && !name.equals("CASCADE_DEBUG"));
    builder.environment().put("CASCADE_CONFIG", settings.toString());
    builder.environment().put("CASCADE_NO_BUILD", "1");
    builder.redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")));
    return builder;
  }
}
