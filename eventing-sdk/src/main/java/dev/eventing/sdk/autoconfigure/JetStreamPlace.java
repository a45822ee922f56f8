package dev.eventing.sdk.autoconfigure;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.autoconfigure.EventingProperties.Nats;
import dev.eventing.sdk.nats.NatsOptions;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.MutuallyExclusiveConfigurationPropertiesException;
import org.springframework.util.StringUtils;

/** Applies the properties that choose the JetStream of the streams. */
final class JetStreamPlace {

	private static final String DOMAIN = "eventing.nats.jetstream-domain";

	private static final String PREFIX = "eventing.nats.jetstream-api-prefix";

	private JetStreamPlace() {
	}

	/**
	 * The options with the domain or the prefix of the API.
	 * @throws InvalidConfigurationPropertyValueException if it is not valid
	 */
	static NatsOptions apply(Nats nats, NatsOptions options) {
		String domain = nats.jetstreamDomain();
		String prefix = nats.jetstreamApiPrefix();
		MutuallyExclusiveConfigurationPropertiesException.throwIfMultipleNonNullValuesIn((entries) -> {
			entries.put(DOMAIN, StringUtils.hasLength(domain) ? domain : null);
			entries.put(PREFIX, StringUtils.hasLength(prefix) ? prefix : null);
		});
		try {
			if (StringUtils.hasLength(domain)) {
				return options.withJetStreamDomain(domain);
			}
			return StringUtils.hasLength(prefix) ? options.withJetStreamPrefix(prefix) : options;
		}
		catch (EventingException ex) {
			boolean ofDomain = StringUtils.hasLength(domain);
			throw new InvalidConfigurationPropertyValueException(ofDomain ? DOMAIN : PREFIX, ofDomain ? domain : prefix,
					String.valueOf(ex.getMessage()));
		}
	}

}
