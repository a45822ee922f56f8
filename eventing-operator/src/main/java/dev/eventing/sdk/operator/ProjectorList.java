package dev.eventing.sdk.operator;

import java.util.List;

/** All projectors of a database, by name. */
public record ProjectorList(List<ProjectorView> projectors) {
}
