package dev.eventing.sdk.schema;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.stream.Stream;

import dev.eventing.migrations.EventingMigrations;
import org.flywaydb.core.api.ResourceProvider;
import org.flywaydb.core.api.resource.LoadableResource;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.ClassPathResource;

/**
 * Gives the SDK's scripts to Flyway by their names, because a native image has no folder
 * in which Flyway could find them.
 */
final class MigrationScripts implements ResourceProvider {

	@Override
	public @Nullable LoadableResource getResource(String name) {
		return scripts().filter((script) -> script.getFilename().equals(name)).findFirst().orElse(null);
	}

	@Override
	public Collection<LoadableResource> getResources(String prefix, String[] suffixes) {
		return scripts().filter((script) -> script.getFilename().startsWith(prefix))
			.filter((script) -> Stream.of(suffixes).anyMatch(script.getFilename()::endsWith))
			.toList();
	}

	private static Stream<LoadableResource> scripts() {
		return EventingMigrations.scripts().stream().map(Script::new);
	}

	private static final class Script extends LoadableResource {

		private final String name;

		Script(String name) {
			this.name = name;
		}

		@Override
		public Reader read() {
			ClassLoader loader = EventingMigrations.class.getClassLoader();
			try {
				return new StringReader(new ClassPathResource(SchemaHints.FOLDER + this.name, loader)
					.getContentAsString(StandardCharsets.UTF_8));
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		@Override
		public String getAbsolutePath() {
			return SchemaHints.FOLDER + this.name;
		}

		@Override
		public String getAbsolutePathOnDisk() {
			return SchemaHints.FOLDER + this.name;
		}

		@Override
		public String getFilename() {
			return this.name;
		}

		@Override
		public String getRelativePath() {
			return this.name;
		}

	}

}
