package dev.eventing.sdk.operator;

import java.util.List;

/**
 * How far projectors lag.
 *
 * @param projectors the lag of each, by name
 */
public record LagList(List<LagView> projectors) {
}
