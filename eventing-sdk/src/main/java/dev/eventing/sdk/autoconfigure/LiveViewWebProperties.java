package dev.eventing.sdk.autoconfigure;

import java.time.Duration;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.liveview.LiveViewWebOptions;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Live views for browsers.
 *
 * @param enabled Whether live views are served, if a LiveViewAccess bean decides to whom.
 * If it is set to true without such a bean, the application does not start.
 * @param path Path of streams, states and the JavaScript module, below the application's
 * context path.
 * @param maxConnections Most streams that a node has open.
 * @param maxConnectionsPerPrincipal Most streams that one user has open on a node.
 * @param maxKeysPerConnection Most keys of one stream.
 * @param maxKeys Most different keys that a node follows.
 * @param ringFrames Frames of a key that are kept for streams that resume or are slow.
 * @param keepAlive How long a stream may be silent before it sends a comment.
 * @param maxAge How long a stream lasts before its client must connect again and is
 * admitted again.
 */
@ConfigurationProperties("eventing.live-views.web")
record LiveViewWebProperties(@DefaultValue("true") boolean enabled, @DefaultValue("/eventing/live") String path,
		@DefaultValue("5000") int maxConnections, @DefaultValue("20") int maxConnectionsPerPrincipal,
		@DefaultValue("64") int maxKeysPerConnection, @DefaultValue("20000") int maxKeys,
		@DefaultValue("64") int ringFrames, @DefaultValue("5s") Duration keepAlive,
		@DefaultValue("15m") Duration maxAge) {

	LiveViewWebOptions options() {
		try {
			return new LiveViewWebOptions(this.path, this.maxConnections, this.maxConnectionsPerPrincipal,
					this.maxKeysPerConnection, this.maxKeys, this.ringFrames, this.keepAlive, this.maxAge);
		}
		catch (EventingException ex) {
			throw new InvalidConfigurationPropertyValueException("eventing.live-views.web", this,
					String.valueOf(ex.getMessage()));
		}
	}

}
