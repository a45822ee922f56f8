/**
 * Values: the event, its headers, its tenant, and their wire forms. Depends on nothing
 * else of the SDK.
 */
@NullMarked
package dev.eventing.sdk.event;

import org.jspecify.annotations.NullMarked;
