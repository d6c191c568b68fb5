package io.cascade.command;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The source of an option that was not given as a flag: {@code CASCADE_<OPTION>} in the environment
 * ({@code --orchestrator} is {@code CASCADE_ORCHESTRATOR}), then a line {@code option=value} of the
 * configuration file, then its default.
 *
 * <p>The file is the one that {@code CASCADE_CONFIG} names, otherwise {@code
 * $XDG_CONFIG_HOME/cascade/cascade.properties} if that exists.
 */
public final class ConfigurationOrder implements IDefaultValueProvider {
  private final Map<String, String> environment;
  private @Nullable Properties file;

  public ConfigurationOrder(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public @Nullable String defaultValue(ArgSpec argument) {
    if (!(argument instanceof OptionSpec option) || option.usageHelp() || option.versionHelp()) {
      return null;
    }
    String name = option.longestName().replaceFirst("^-+", "");
    String variable = "CASCADE_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
    String value = environment.get(variable);
    return value != null ? value : properties().getProperty(name);
  }

  private Properties properties() {
    Properties loaded = file;
    if (loaded == null) {
      loaded = load();
      file = loaded;
    }
    return loaded;
  }

  private Properties load() {
    Properties properties = new Properties();
    String named = environment.get("CASCADE_CONFIG");
    Path path = named != null ? Path.of(named) : usual();
    if (Files.isReadable(path)) {
      try (Reader reader = Files.newBufferedReader(path)) {
        properties.load(reader);
      } catch (IOException | IllegalArgumentException e) {
        throw new CommandException(path + ": not a properties file (" + e.getMessage() + ")");
      }
    } else if (named != null) {
      throw new CommandException("CASCADE_CONFIG=" + named + ": no such file, or not readable");
    }
    return properties;
  }

  private Path usual() {
    String base = environment.get("XDG_CONFIG_HOME");
    String home = environment.getOrDefault("HOME", ".");
    Path folder = base != null && !base.isBlank() ? Path.of(base) : Path.of(home, ".config");
    return folder.resolve("cascade").resolve("cascade.properties");
  }
}
