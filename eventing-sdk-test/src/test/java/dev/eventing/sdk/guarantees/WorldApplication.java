package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import dev.eventing.sdk.lease.LeaseOptions;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorSettingsSource;
import dev.eventing.sdk.schema.SchemaMode;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What an application of a test is made of. */
final class WorldApplication {

	final Object[] handlers;

	ProjectorSettingsSource settings = ProjectorSettingsSource.none();

	Map<String, String> properties = Map.of();

	String natsUrl = "";

	SchemaMode schema = SchemaMode.MIGRATE;

	Duration lease = LeaseOptions.DEFAULT_DURATION;

	Consumer<AnnotationConfigApplicationContext> customizer = (context) -> {
	};

	private WorldApplication(Object... handlers) {
		this.handlers = handlers;
	}

	static WorldApplication of(Object... handlers) {
		return new WorldApplication(handlers);
	}

	/** Settings of every projector, over those of its annotation. */
	WorldApplication with(ProjectorSettings all) {
		this.settings = new ProjectorSettingsSource() {

			@Override
			public ProjectorSettings defaults() {
				return ProjectorSettings.NONE;
			}

			@Override
			public ProjectorSettings forProjector(String name) {
				return all;
			}
		};
		return this;
	}

	WorldApplication properties(Map<String, String> values) {
		this.properties = values;
		return this;
	}

	/** Reaches NATS there, such as through a proxy. */
	WorldApplication natsAt(String url) {
		this.natsUrl = url;
		return this;
	}

	/** Whoever dies still owns its projectors for so long. */
	WorldApplication lease(Duration duration) {
		this.lease = duration;
		return this;
	}

	WorldApplication schema(SchemaMode mode) {
		this.schema = mode;
		return this;
	}

	/** Changes of several calls are made in their order. */
	WorldApplication customize(Consumer<AnnotationConfigApplicationContext> change) {
		this.customizer = this.customizer.andThen(change);
		return this;
	}

	String natsUrl(String other) {
		return this.natsUrl.isEmpty() ? other : this.natsUrl;
	}

}
