package dev.eventing.sdk.guides.library;

import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.EventJsonMapper;
import tools.jackson.databind.PropertyNamingStrategies;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The JSON of events has names such as "book_title". */
@Configuration(proxyBeanMethods = false)
class LibraryEvents {

	@Bean
	EventJsonMapper eventJsonMapper() {
		return new EventJsonMapper(
				EventJson.mapper().rebuild().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build());
	}

}
