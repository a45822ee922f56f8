package dev.eventing.sdk.projector.inline;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

import dev.eventing.sdk.event.EventSubjects;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.rebuild.ProjectorDefinition;

/**
 * Tells nodes apart that would apply an event differently: by the version of the
 * projector, what its handlers handle, and the subjects that events have.
 */
final class InlineCode {

	private InlineCode() {
	}

	/** A digest without quotes, commas or colons. */
	static String of(ProjectorEndpoint endpoint, EventSubjects subjects) {
		String code = endpoint.id().base() + '\n' + endpoint.readModel().version() + '\n'
				+ ProjectorDefinition.of(endpoint) + '\n' + subjects;
		return UUID.nameUUIDFromBytes(code.getBytes(StandardCharsets.UTF_8)).toString();
	}

}
