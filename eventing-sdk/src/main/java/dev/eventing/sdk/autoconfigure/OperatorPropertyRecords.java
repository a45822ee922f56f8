package dev.eventing.sdk.autoconfigure;

import java.util.List;

/** The properties of the surfaces for operators. */
final class OperatorPropertyRecords implements PropertyRecords {

	@Override
	public List<Class<? extends Record>> records() {
		return List.of(ConsoleProperties.class, DeadLetterAccessProperties.class, ProjectorAccessProperties.class,
				ErasureAccessProperties.class);
	}

}
