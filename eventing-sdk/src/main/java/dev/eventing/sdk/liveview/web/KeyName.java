package dev.eventing.sdk.liveview.web;

import dev.eventing.sdk.event.TenantId;

/** A key of a view of a tenant. */
record KeyName(TenantId tenant, String view, String key) {
}
