package dev.eventing.sdk.annotation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

import dev.eventing.sdk.InvalidDeclarationException;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.projector.Effects;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.HandlerMode;
import dev.eventing.sdk.projector.HandlerResources;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorEndpoints;
import dev.eventing.sdk.projector.ReadModelWriter;
import org.jspecify.annotations.Nullable;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * A plain Spring context with the post-processor and a sink that keeps what it is given.
 */
final class TestContext implements AutoCloseable {

	/** Takes nothing: handlers get to see it, that is all. */
	static final ReadModelWriter WRITER = new ReadModelWriter() {

		@Override
		public void update(String sql, @Nullable Object... args) {
			throw new UnsupportedOperationException(sql);
		}

		@Override
		public void add(String table, Map<String, ?> key, Map<String, ? extends Number> deltas) {
			throw new UnsupportedOperationException(table);
		}

		@Override
		public void flush() {
			throw new UnsupportedOperationException("flush");
		}
	};

	/** Takes nothing, too. */
	static final Effects EFFECTS = (streamId, events) -> {
		throw new UnsupportedOperationException(streamId);
	};

	/** Values for a handler's further parameters. */
	static final HandlerResources RESOURCES = new HandlerResources(WRITER, EFFECTS, HandlerMode.REDRIVE);

	private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

	private final List<ProjectorEndpoint> endpoints = new ArrayList<>();

	TestContext(Class<?>... components) {
		ProjectorEndpoints sink = this.endpoints::add;
		this.context.registerBean(ProjectorAnnotationBeanPostProcessor.class);
		this.context.registerBean(ProjectorEndpoints.class, () -> sink);
		if (components.length > 0) {
			this.context.register(components);
		}
	}

	TestContext with(Consumer<AnnotationConfigApplicationContext> customizer) {
		customizer.accept(this.context);
		return this;
	}

	TestContext property(String name, Object value) {
		this.context.getEnvironment().getPropertySources().addFirst(new MapPropertySource(name, Map.of(name, value)));
		return this;
	}

	TestContext start() {
		this.context.refresh();
		return this;
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	List<ProjectorEndpoint> endpoints() {
		return this.endpoints;
	}

	ProjectorEndpoint endpoint() {
		assertThat(this.endpoints).hasSize(1);
		return this.endpoints.get(0);
	}

	HandlerMethod handler() {
		assertThat(endpoint().handlers()).hasSize(1);
		return endpoint().handlers().get(0);
	}

	/** Calls the one handler, with what it throws as it is. */
	void deliver(Event<?>... events) throws Exception {
		handler().invocation().invoke(List.of(events), RESOURCES);
	}

	/** Starts the context, which must fail, and tells what was wrong. */
	List<String> problems() {
		InvalidDeclarationException failure = catchThrowableOfType(InvalidDeclarationException.class,
				this.context::refresh);
		assertThat(failure).as("the start-up error").isNotNull();
		assertThat(this.endpoints).as("endpoints registered in spite of the error").isEmpty();
		return failure.problems();
	}

	static List<String> problemsOf(Class<?>... components) {
		try (TestContext context = new TestContext(components)) {
			return context.problems();
		}
	}

	static <E> Event<E> event(E payload) {
		return Event.builder(TenantId.of("acme"), payload)
			.id(UUID.fromString("0190b2a4-7b6e-7c31-9d51-0c7a5a3f1b11"))
			.type("Placed")
			.source("shop")
			.time(Instant.EPOCH)
			.streamId("order-1")
			.streamVersion(1L)
			.build();
	}

	@Override
	public void close() {
		this.context.close();
	}

}
