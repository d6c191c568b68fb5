package io.cascade.command;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of this build, for {@code --version} and for relays that register. */
public final class Version implements IVersionProvider {
  /** The version, such as {@code 0.1.0}. */
  public static String text() {
    Properties built = new Properties();
    try (InputStream file = Version.class.getResourceAsStream("version.properties")) {
      if (file != null) {
        built.load(file);
      }
    } catch (IOException e) {
      return "unknown";
    }
    return built.getProperty("version", "unknown");
  }

  @Override
  public String[] getVersion() {
    return new String[] {"cascade " + text()};
  }
}
