package dev.eventing.sdk.annotation;

import java.util.ArrayList;
import java.util.List;

import dev.eventing.sdk.event.EventType;

/** Handlers that the tests of signatures share. */
abstract class SignatureSamples {

	@EventType("order.placed")
	record Placed(String id) {
	}

	record Changed<T>(T value) {
	}

	interface Moved {

	}

	static class Called {

		final List<Object> arguments = new ArrayList<>();

		void with(Object... given) {
			this.arguments.addAll(List.of(given));
		}

	}

	sealed interface End permits Closed, Failure, Ended {

	}

	@EventType("order.closed")
	record Closed(String id) implements End {
	}

	sealed interface Failure extends End permits Lost, Reason {

	}

	record Lost(String id) implements Failure {
	}

	enum Reason implements Failure {

		FIRE {
			@Override
			boolean insured() {
				return true;
			}
		};

		abstract boolean insured();

	}

	static sealed class Ended implements End permits Cancelled {

	}

	static non-sealed class Cancelled extends Ended {

	}

}
