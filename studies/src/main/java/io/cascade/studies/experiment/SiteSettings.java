package io.cascade.studies.experiment;

import io.cascade.lab.CongestionControls;
import io.cascade.lab.Site;
import java.nio.file.Files;
import java.nio.file.Path;

/** Settings of the kernel in a site's network. */
public final class SiteSettings {
  private SiteSettings() {}

  /**
   * Sets a value.
   *
   * @param name path below {@code /proc/sys/net}
   */
  public static void set(Site site, String name, String value) throws Exception {
    var _ = site.call(() -> Files.writeString(Path.of("/proc/sys/net", name), value));
  }

  /**
   * Sets the congestion control of a site's new connections; that of the machine stays as it is.
   */
  public static void control(Site site, String name) throws Exception {
    CongestionControls.<Exception>allow(() ->
        site.call(() -> {
          CongestionControls.choose(name);
          return true;
        }));
  }
}
