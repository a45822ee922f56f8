package dev.eventing.sdk.annotation;

import java.util.Map;

import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.ProjectorSettings;

/**
 * One handler as its annotations declare it, everything resolved.
 *
 * @param where the handler and its bean, as problems name them
 * @param projector the name of its projector
 * @param projectorNamed whether somebody gave that name, or it was made from the method
 * @param said the attributes that concern the whole projector and say something, by name
 * @param settings the same, as settings
 * @param method the handler itself
 */
record HandlerDeclaration(String where, String projector, boolean projectorNamed, Map<String, Object> said,
		ProjectorSettings settings, HandlerMethod method) {
}
