package dev.eventing.sdk.autoconfigure;

import dev.eventing.sdk.nats.StreamSpec;
import dev.eventing.sdk.relay.RelayOptions;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Refuses relays, or streams to declare, whose names differ in their spelling only: one
 * is a bean of the application, and a property that is meant for it declares another.
 */
final class SpelledBeans implements SmartInitializingSingleton {

	private final ObjectProvider<RelayOptions> relays;

	private final ObjectProvider<StreamSpec> streams;

	SpelledBeans(ObjectProvider<RelayOptions> relays, ObjectProvider<StreamSpec> streams) {
		this.relays = relays;
		this.streams = streams;
	}

	@Override
	public void afterSingletonsInstantiated() {
		NameSpellings.check(DeclaredRelays.PREFIX, this.relays.orderedStream().map(RelayOptions::name).toList());
		NameSpellings.check(DeclaredStreams.PREFIX, this.streams.orderedStream().map(StreamSpec::name).toList());
	}

}
