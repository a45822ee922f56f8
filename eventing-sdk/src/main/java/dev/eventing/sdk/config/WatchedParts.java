package dev.eventing.sdk.config;

import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

import dev.eventing.sdk.worker.Watched;

import org.springframework.beans.factory.BeanCreationNotAllowedException;
import org.springframework.beans.factory.ObjectProvider;

/** The parts of an application that are watched now. Thread-safe. */
final class WatchedParts implements Supplier<Collection<Watched>> {

	private final ObjectProvider<Watched> provider;

	private volatile List<Watched> found = List.of();

	WatchedParts(ObjectProvider<Watched> provider) {
		this.provider = provider;
	}

	@Override
	public Collection<Watched> get() {
		try {
			this.found = this.provider.stream().toList();
		}
		catch (BeanCreationNotAllowedException ex) {
			// the context closes, and some beans are gone: those that were there stay
		}
		return this.found;
	}

}
