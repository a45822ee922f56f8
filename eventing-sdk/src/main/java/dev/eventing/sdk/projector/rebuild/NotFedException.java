package dev.eventing.sdk.projector.rebuild;

import java.util.Set;
import java.util.stream.Collectors;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.ProjectorId;

/**
 * A generation is not fed by this node: it is live, dropped or failed by now, or the node
 * does not have the version of the code that feeds it, or has that with other states.
 */
public class NotFedException extends EventingException {

	private static final long serialVersionUID = 1L;

	NotFedException(ProjectorId projector, int generation) {
		super("Generation " + generation + " of projector '" + projector
				+ "' is not fed beside the live one any more.");
	}

	private NotFedException(String message) {
		super(message);
	}

	static NotFedException needs(ProjectorId projector, int generation, int version, Set<Integer> own) {
		return new NotFedException("Generation " + generation + " of projector '" + projector
				+ "' is live and fed by version " + version + " of the code. This node has version "
				+ own.stream().map(String::valueOf).collect(Collectors.joining(", ")) + ".");
	}

	/** With the reason that {@link ProjectorDefinition#otherStates} gives. */
	static NotFedException hasOtherStates(String reason) {
		return new NotFedException(reason);
	}

}
