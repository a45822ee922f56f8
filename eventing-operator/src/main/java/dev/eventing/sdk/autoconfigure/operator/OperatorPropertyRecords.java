package dev.eventing.sdk.autoconfigure.operator;

import java.util.List;

import dev.eventing.sdk.autoconfigure.PropertyRecords;

/** The properties of the tools of operators. */
final class OperatorPropertyRecords implements PropertyRecords {

	@Override
	public List<Class<? extends Record>> records() {
		return List.of(ConsoleProperties.class, DeadLetterAccessProperties.class, ProjectorAccessProperties.class,
				ErasureAccessProperties.class);
	}

}
