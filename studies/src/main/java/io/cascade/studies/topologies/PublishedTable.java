package io.cascade.studies.topologies;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The published measurements; the README beside the files has their sources. */
public enum PublishedTable {
  /** Least round trip between 69 regions of three providers, ms. */
  CLOUD_ROUND_TRIPS("cloud-round-trip-ms"),
  /** Rates of 64 CUBIC connections over 5 s between 63 regions, Mbit/s. */
  CLOUD_THROUGHPUT("cloud-throughput-mbps-2022-01-29"),
  /** The same rates twelve days earlier between 30 regions, Azure's from an older kind of host. */
  CLOUD_THROUGHPUT_EARLIER("cloud-throughput-mbps-2022-01-17"),
  /** The same rates twelve weeks later between Google's 27 regions. */
  CLOUD_THROUGHPUT_LATER("cloud-throughput-mbps-2022-04-20"),
  /** Prices of providers for traffic from one of the 63 regions to another, US dollars a GB. */
  CLOUD_EGRESS_PRICES("cloud-egress-usd-per-gb"),
  /** Median round trip between 51 Azure regions as of 2026, ms. */
  AZURE_ROUND_TRIPS("azure-round-trip-ms");

  private final String file;

  PublishedTable(String file) {
    this.file = file;
  }

  /** The table. */
  public PairTable read() {
    return PairTable.parse(text(file + ".csv"));
  }

  /** The text of a file beside the tables. */
  static String text(String name) {
    try (InputStream in = PublishedTable.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + ": not among the resources");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
