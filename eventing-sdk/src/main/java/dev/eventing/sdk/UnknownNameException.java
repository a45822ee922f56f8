package dev.eventing.sdk;

import java.util.Collection;

/**
 * A call names a projector, relay, check or live view that does not exist. Nothing was
 * done. The message has the names that are known.
 */
public class UnknownNameException extends EventingException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param problem what does not exist, as a sentence
	 * @param known the names that exist
	 * @param otherwise what to consider instead of one of them, behind a comma, or empty
	 */
	public UnknownNameException(String problem, Collection<String> known, String otherwise) {
		super(problem + " Known are " + known + ". Consider one of these" + otherwise + ".");
	}

	/** No node has ever run a projector of that name on this database. */
	public static UnknownNameException ofProjector(String name, Collection<String> known) {
		return new UnknownNameException("No node has ever run a projector '" + name + "' on this database.", known,
				", or starting the application first");
	}

}
