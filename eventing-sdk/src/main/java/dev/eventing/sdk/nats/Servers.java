package dev.eventing.sdk.nats;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import io.nats.client.Options;

import org.springframework.util.StringUtils;

/**
 * Removes credentials from server URLs, with or without a scheme, so that the URLs can be
 * shown.
 */
final class Servers {

	private static final String SCHEME_END = "://";

	private Servers() {
	}

	/**
	 * Checks the servers.
	 * @throws JetStreamConfigurationException if one is not a valid URL
	 */
	static void requireValid(List<String> servers) {
		try {
			new Options.Builder().servers(servers.toArray(String[]::new));
		}
		catch (IllegalArgumentException ex) {
			throw new JetStreamConfigurationException("The NATS servers '" + describe(servers)
					+ "' are not valid URLs. Consider one such as 'nats://localhost:4222', with special characters of a"
					+ " password percent-encoded.");
		}
	}

	/** The servers without credentials. */
	static String describe(List<String> servers) {
		return servers.stream()
			.flatMap((entry) -> Arrays.stream(StringUtils.commaDelimitedListToStringArray(entry)))
			.map((server) -> withoutCredentials(server.strip()))
			.collect(Collectors.joining(", "));
	}

	/**
	 * Removes everything between the scheme and the last at sign, because a password may
	 * contain characters that were not encoded.
	 */
	private static String withoutCredentials(String server) {
		int scheme = server.indexOf(SCHEME_END);
		int host = server.lastIndexOf('@') + 1;
		if (host == 0) {
			return server;
		}
		boolean hasScheme = scheme >= 0 && scheme < host;
		return (hasScheme ? server.substring(0, scheme + SCHEME_END.length()) : "") + server.substring(host);
	}

	/** A text of the client without the credentials of these servers. */
	static String redact(String text, List<String> servers) {
		String redacted = text;
		for (String entry : servers) {
			for (String server : StringUtils.commaDelimitedListToStringArray(entry)) {
				int scheme = server.indexOf(SCHEME_END);
				int from = (scheme >= 0) ? scheme + SCHEME_END.length() : 0;
				int host = server.lastIndexOf('@') + 1;
				if (host > from) {
					redacted = redacted.replace(server.substring(from, host).stripLeading(), "");
				}
			}
		}
		return redacted;
	}

}
