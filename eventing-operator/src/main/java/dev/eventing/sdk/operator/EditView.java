package dev.eventing.sdk.operator;

import java.util.UUID;

/**
 * The result of an edit.
 *
 * @param letterId the letter whose redrives use another payload now
 */
public record EditView(UUID letterId) {
}
