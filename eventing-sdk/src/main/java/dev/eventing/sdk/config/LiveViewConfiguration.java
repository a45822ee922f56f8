package dev.eventing.sdk.config;

import java.time.Duration;

import dev.eventing.sdk.event.EventJsonMapper;
import dev.eventing.sdk.event.EventVersions;
import dev.eventing.sdk.jdbc.BoundedDataSource;
import dev.eventing.sdk.lease.Leases;
import dev.eventing.sdk.liveview.LiveViewOptions;
import dev.eventing.sdk.liveview.LiveViews;
import dev.eventing.sdk.liveview.client.Following;
import dev.eventing.sdk.liveview.client.StateReader;
import dev.eventing.sdk.liveview.frame.FramePublisher;
import dev.eventing.sdk.liveview.ledger.LiveOwners;
import dev.eventing.sdk.liveview.ledger.LiveStates;
import dev.eventing.sdk.liveview.run.DeclaredViews;
import dev.eventing.sdk.liveview.run.LiveViewRegistry;
import dev.eventing.sdk.liveview.run.OwnerBeats;
import dev.eventing.sdk.liveview.run.ViewTables;
import dev.eventing.sdk.nats.Broadcasts;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorSettingsSource;
import dev.eventing.sdk.projector.ProjectorEndpoints;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** The beans of live views. */
@Configuration(proxyBeanMethods = false)
class LiveViewConfiguration {

	/** Subscribers show that their state may be old if a read takes longer. */
	private static final Duration LONGEST_READ = Duration.ofSeconds(3);

	@Bean
	@Fallback
	FramePublisher eventingFramePublisher(NatsClient client, DeclaredOptions options) {
		return new FramePublisher(new Broadcasts(client), options.liveViews().frames());
	}

	@Bean
	@Fallback
	LiveViewRegistry eventingLiveViews(ProjectorEndpoints projectors, ProjectorRegistry registry,
			ObjectProvider<ProjectorSettingsSource> settings, EventJsonMapper json, EventVersions versions,
			LiveViewParts parts, FramePublisher publisher) {
		return new LiveViewRegistry(
				new LiveViewRegistry.Projectors(registry, projectors,
						settings.getIfAvailable(ProjectorSettingsSource::none), json, versions),
				parts.tables(), publisher, parts.options(), parts.following());
	}

	@Bean
	LiveViewParts eventingLiveViewParts(EventingDatabase database, PlatformTransactionManager manager,
			DeclaredOptions options, NatsClient client, EventJsonMapper json) {
		EventingSchema tables = database.schema();
		TransactionTemplate transactions = new TransactionTemplate(manager);
		transactions.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		LiveStates bounded = new LiveStates(reading(database), tables);
		return new LiveViewParts(
				new ViewTables(new LiveStates(new JdbcTemplate(database.dataSource()), tables), transactions,
						(caller, gone) -> LiveStates.sweep(caller, tables, gone)),
				options.liveViews(), new Following(new Broadcasts(client), new StateReader(bounded, json.mapper())));
	}

	@Bean
	DeclaredViews eventingDeclaredViews(ConfigurableListableBeanFactory beans, LiveViews views) {
		return new DeclaredViews(beans, views);
	}

	@Bean
	OwnerBeats eventingOwnerBeats(LiveViews views, NatsClient client, FramePublisher publisher, Leases leases,
			EventingDatabase database) {
		return new OwnerBeats(views::names, new Broadcasts(client), publisher,
				new LiveOwners(reading(database), database.schema()), leases.node());
	}

	private static JdbcTemplate reading(EventingDatabase database) {
		return new JdbcTemplate(BoundedDataSource.of(database.dataSource(), LONGEST_READ));
	}

	/** What the views of a node share. */
	record LiveViewParts(ViewTables tables, LiveViewOptions options, Following following) {
	}

}
