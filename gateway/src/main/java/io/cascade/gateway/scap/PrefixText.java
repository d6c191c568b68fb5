package io.cascade.gateway.scap;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** An IPv4 prefix as ip takes it: {@code 10.1.0.0/16}, or an address alone. */
final class PrefixText implements ITypeConverter<String> {
  private static final Pattern FORM =
      Pattern.compile(
          "([0-9]{1,3})\\.([0-9]{1,3})\\.([0-9]{1,3})\\.([0-9]{1,3})(?:/([0-9]{1,2}))?");

  @Override
  public String convert(String value) {
    Matcher form = FORM.matcher(value);
    boolean valid = form.matches();
    for (int octet = 1; valid && octet <= 4; octet++) {
      valid = Integer.parseInt(form.group(octet)) <= 255;
    }
    if (!valid || (form.group(5) != null && Integer.parseInt(form.group(5)) > 32)) {
      throw new TypeConversionException("'" + value + "' (expected: a prefix such as 10.1.0.0/16)");
    }
    return value;
  }
}
