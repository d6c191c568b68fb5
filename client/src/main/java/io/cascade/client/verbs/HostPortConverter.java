package io.cascade.client.verbs;

import io.cascade.api.HostPort;
import io.cascade.command.ParsedOption;

final class HostPortConverter extends ParsedOption<HostPort> {
  HostPortConverter() {
    super(HostPort::parse);
  }
}
