package dev.eventing.sdk.annotation;

import dev.eventing.sdk.projector.ReadModel;
import java.util.Map;

import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.ProjectorSettings;

/**
 * One handler as its annotations declare it, with all attributes resolved.
 *
 * @param where the handler and its bean, for error messages
 * @param projector the name of its projector
 * @param projectorNamed true if an annotation sets that name, false if it is derived from
 * the method
 * @param said the attributes of the projector that the annotations set, by name
 * @param settings the same attributes, as settings
 * @param method the handler itself
 * @param readModel what its class declares of the read model
 */
record HandlerDeclaration(String where, String projector, boolean projectorNamed, Map<String, Object> said,
		ProjectorSettings settings, HandlerMethod method, ReadModel readModel) {
}
