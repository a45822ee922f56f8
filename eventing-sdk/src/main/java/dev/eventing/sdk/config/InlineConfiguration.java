package dev.eventing.sdk.config;

import dev.eventing.sdk.event.EventReader;
import dev.eventing.sdk.projection.InlineProjections;
import dev.eventing.sdk.projection.ledger.JdbcInlineProjections;
import dev.eventing.sdk.projector.EventStoreAccess;
import dev.eventing.sdk.projector.inline.InlineAppends;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.jdbc.core.JdbcTemplate;

/** The beans of inline projectors. */
@Configuration(proxyBeanMethods = false)
class InlineConfiguration {

	/**
	 * A listener of the event store, which gets to know projectors when they are
	 * registered.
	 */
	@Bean
	@Fallback
	InlineAppends eventingInlineAppends(EventingDatabase database, EventReader reader, EventStoreAccess store) {
		return new InlineAppends(new JdbcTemplate(database.dataSource()), database.schema(), reader, store);
	}

	@Bean
	@Fallback
	InlineProjections eventingInlineProjections(EventingDatabase database) {
		return new JdbcInlineProjections(database.dataSource(), database.schema());
	}

}
