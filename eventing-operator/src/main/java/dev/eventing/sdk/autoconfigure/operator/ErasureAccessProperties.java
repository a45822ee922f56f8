package dev.eventing.sdk.autoconfigure.operator;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Permissions for erasures over HTTP.
 *
 * @param writeEnabled Whether the contents of streams may be erased over HTTP.
 */
@ConfigurationProperties("eventing.erasure")
record ErasureAccessProperties(@DefaultValue("false") boolean writeEnabled) {
}
