/** Serves states and their changes to browsers, on Spring MVC. */
@NullMarked
package dev.eventing.sdk.liveview.web;

import org.jspecify.annotations.NullMarked;
