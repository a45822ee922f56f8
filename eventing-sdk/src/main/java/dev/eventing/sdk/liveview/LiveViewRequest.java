package dev.eventing.sdk.liveview;

import java.security.Principal;

import org.jspecify.annotations.Nullable;

/**
 * One key that an HTTP request asks for.
 *
 * @param principal the user of the request, or null if no user is logged in
 * @param tenant the tenant that the client has named in its query, or null. A client may
 * name any: do not trust it. A client that has named one is refused the states of another
 * @param view the name of the view, which may not exist
 * @param key the key, which may have no state
 */
public record LiveViewRequest(@Nullable Principal principal, @Nullable String tenant, String view, String key) {
}
