package dev.eventing.sdk.config;

import java.util.Arrays;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import dev.eventing.sdk.event.EventSubjects;
import dev.eventing.sdk.event.SubjectTemplate;
import dev.eventing.sdk.nats.SubjectFilters;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.relay.RelayOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Warns of projectors that read the event store with a subject that no stored event has:
 * mostly it is that of a relay.
 */
final class StoredSubjectsCheck implements ApplicationListener<ContextRefreshedEvent> {

	private static final Logger logger = LoggerFactory.getLogger(StoredSubjectsCheck.class);

	private final EventSubjects stored;

	private final Supplier<? extends Collection<ProjectorEndpoint>> projectors;

	private final Supplier<? extends Collection<RelayOptions>> relays;

	/** The events of contexts below arrive here, too. */
	private final AtomicBoolean done = new AtomicBoolean();

	StoredSubjectsCheck(EventSubjects stored, Supplier<? extends Collection<ProjectorEndpoint>> projectors,
			Supplier<? extends Collection<RelayOptions>> relays) {
		this.stored = stored;
		this.projectors = projectors;
		this.relays = relays;
	}

	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		if (this.done.compareAndSet(false, true)) {
			this.projectors.get().stream().filter(ProjectorEndpoint::readsEventStore).forEach(this::look);
		}
	}

	private void look(ProjectorEndpoint endpoint) {
		endpoint.handlers().stream().map(HandlerMethod::subject).distinct().forEach((subject) -> {
			String relay = relay(subject);
			if (!relay.isEmpty() || !isStored(subject)) {
				logger.warn(
						"Projector '{}' reads the event store, where subjects are like '{}', so none is like its '{}'{}."
								+ " Consider a subject of that form, or eventing.store.subject.",
						endpoint.name(), this.stored, subject, relay);
			}
		});
	}

	/** Whether a stored event may have such a subject. */
	private boolean isStored(SubjectTemplate subject) {
		int tenant = tenant(subject.toString());
		int stored = tenant(this.stored.toString());
		return SubjectFilters.overlap(this.stored.filter(), subject.filter())
				&& (tenant < 0 || stored < 0 || tenant == stored);
	}

	/**
	 * The relay that has such subjects, if the words of its pattern tell it from what is
	 * stored.
	 */
	private String relay(SubjectTemplate subject) {
		return this.relays.get()
			.stream()
			.filter((relay) -> SubjectFilters.covers(relay.subjects().filter(), subject.filter())
					&& !SubjectFilters.covers(relay.subjects().filter(), this.stored.filter()))
			.map((relay) -> ", which is for relay '" + relay.name() + "' with '" + relay.subjects() + "'")
			.findFirst()
			.orElse("");
	}

	/** The place of the tenant; -1 if there is none, or types of any length precede. */
	private static int tenant(String pattern) {
		int type = pattern.indexOf("{type}");
		int tenant = Arrays.asList(pattern.split("\\.")).indexOf(SubjectTemplate.TENANT);
		return (type >= 0 && type < pattern.indexOf(SubjectTemplate.TENANT)) ? -1 : tenant;
	}

}
