package io.cascade.lab.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Command that runs this version of Cascade in another process: by the launcher that started this
 * one, and so with the launcher's flags for a verb, or, without one, by the same Java with the same
 * class path.
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
          "-XX:MaxDirectMemorySize=4g"); // That of a relay, for as many streams as benchmarks use.
      command.add("--enable-native-access=ALL-UNNAMED");
      command.add("--sun-misc-unsafe-memory-access=allow");
      command.add("-cp");
      command.add(System.getProperty("java.class.path", "."));
      command.add("io.cascade.Cascade");
    }
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    // The user's own settings must not apply.
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
