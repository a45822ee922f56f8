package dev.eventing.sdk.operator;

import java.util.List;

/**
 * The results of the checks of a read model.
 *
 * @param checks the last result of each check, by name
 */
public record CheckList(List<CheckView> checks) {
}
