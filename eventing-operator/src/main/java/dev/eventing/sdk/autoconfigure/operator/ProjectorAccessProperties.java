package dev.eventing.sdk.autoconfigure.operator;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Permissions for projectors over HTTP.
 *
 * @param writeEnabled Whether projectors may be paused and resumed, and their read models
 * rebuilt and switched, over HTTP.
 */
@ConfigurationProperties("eventing.projector")
record ProjectorAccessProperties(@DefaultValue("false") boolean writeEnabled) {
}
