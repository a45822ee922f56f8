package dev.eventing.sdk.annotation;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

import dev.eventing.sdk.projector.ReadModel.StreamRows;
import dev.eventing.sdk.projector.TableScript;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.core.io.Resource;

/**
 * The projector of a class or a handler.
 *
 * @param name the projector's name, empty if the class sets none
 * @param named whether an annotation sets the name
 * @param durableName the durable name that {@link Projector} sets, or empty
 * @param version the version that {@link Projector} sets
 * @param tables the tables that {@link Projector} declares
 * @param script the script that {@link Projector} declares, or null
 * @param rows the rows of streams that {@link Projector} declares
 * @param targetClass the user's class
 */
record ProjectorGroup(String name, boolean named, String durableName, int version, Set<String> tables,
		@Nullable TableScript script, Set<StreamRows> rows, Class<?> targetClass) {

	/** A name that needs no quotes, with or without a schema. */
	private static final Pattern TABLE = Pattern.compile("([A-Za-z_][A-Za-z0-9_$]*\\.)?[A-Za-z_][A-Za-z0-9_$]*");

	private static final String NAME_REMEDY = "a name such as \"order-summary\"";

	/** Reads the annotation of the class. */
	static ProjectorGroup of(HandlerBean bean, AttributeResolver resolver) {
		Class<?> targetClass = bean.targetClass();
		Projector projector = AnnotatedElementUtils.findMergedAnnotation(targetClass, Projector.class);
		if (projector == null) {
			return new ProjectorGroup("", false, "", 1, Set.of(), null, Set.of(), targetClass);
		}
		String name = resolver.resolve("@Projector value", projector.value());
		if (name.isEmpty()) {
			throw new InvalidHandlerException("@Projector(\"" + projector.value() + "\") resolves to an empty name",
					NAME_REMEDY);
		}
		return new ProjectorGroup(name, true, resolver.resolve("@Projector durableName", projector.durableName()),
				version(projector), tables(projector, resolver), script(projector, resolver), rows(projector, resolver),
				targetClass);
	}

	private static int version(Projector projector) {
		if (projector.version() < 1) {
			throw new InvalidHandlerException("@Projector version = " + projector.version() + " is less than 1",
					"version = 1");
		}
		return projector.version();
	}

	private static Set<String> tables(Projector projector, AttributeResolver resolver) {
		Set<String> tables = new LinkedHashSet<>();
		for (String said : projector.tables()) {
			String table = resolver.resolve("@Projector tables", said);
			if (!TABLE.matcher(table).matches()) {
				throw new InvalidHandlerException(
						"@Projector tables has \"" + table + "\", which is no name of a table",
						"a name such as \"order_summary\" or \"reporting.order_summary\"");
			}
			tables.add(table);
		}
		return tables;
	}

	private static Set<StreamRows> rows(Projector projector, AttributeResolver resolver) {
		Set<String> tables = tables(projector, resolver);
		Set<StreamRows> rows = new LinkedHashSet<>();
		Set<String> seen = new LinkedHashSet<>();
		for (RowsOfStream said : projector.rows()) {
			StreamRows own = new StreamRows(resolver.resolve("@RowsOfStream table", said.table()),
					resolver.resolve("@RowsOfStream tenantColumn", said.tenantColumn()),
					resolver.resolve("@RowsOfStream streamColumn", said.streamColumn()),
					resolver.resolve("@RowsOfStream streamPrefix", said.streamPrefix()));
			if (!tables.contains(own.table()) || !seen.add(own.table())) {
				throw new InvalidHandlerException(
						"@RowsOfStream table = \"" + own.table() + "\" is not one of the tables " + tables
								+ " of its @Projector, or stands there twice",
						"one @RowsOfStream for each table, with the name that tables has");
			}
			if (own.tenantColumn().isBlank() || own.streamColumn().isBlank()) {
				throw new InvalidHandlerException("@RowsOfStream of table \"" + own.table() + "\" names no column",
						"the columns with the tenant and the stream id");
			}
			rows.add(own);
		}
		return rows;
	}

	private static @Nullable TableScript script(Projector projector, AttributeResolver resolver) {
		String location = resolver.resolve("@Projector script", projector.script());
		if (location.isEmpty()) {
			return null;
		}
		Resource resource = new DefaultResourceLoader(resolver.classLoader()).getResource(location);
		try {
			return new TableScript(location, resource.getContentAsString(StandardCharsets.UTF_8));
		}
		catch (IOException ex) {
			throw new InvalidHandlerException("@Projector script = \"" + location + "\" cannot be read: " + ex,
					"a location such as \"classpath:order-summary-2.sql\"");
		}
	}

	/** Returns the group of one handler of the class. */
	ProjectorGroup of(Method method, ProjectorEventHandler annotation, AttributeResolver resolver) {
		String said = resolver.resolve("projectorName", annotation.projectorName());
		if (this.named) {
			if (!said.isEmpty() && !said.equals(this.name)) {
				throw new InvalidHandlerException(
						"projectorName = \"" + said + "\" but its class has @Projector(\"" + this.name + "\")",
						"removing projectorName, or moving the method to another class");
			}
			return this;
		}
		if (!said.isEmpty()) {
			return new ProjectorGroup(said, true, "", 1, Set.of(), null, Set.of(), this.targetClass);
		}
		if (this.targetClass.getSimpleName().isEmpty()) {
			throw new InvalidHandlerException("its class " + this.targetClass.getName()
					+ " is anonymous, so no projector name can be derived from it", "setting projectorName");
		}
		return new ProjectorGroup(this.targetClass.getSimpleName() + "-" + method.getName(), false, "", 1, Set.of(),
				null, Set.of(), this.targetClass);
	}

	/**
	 * Adds the class's durable name to the attributes that a handler sets.
	 * @throws InvalidHandlerException if the handler sets another durable name
	 */
	Map<String, Object> withDurable(Map<String, Object> said) {
		Map<String, Object> all = new TreeMap<>(said);
		if (!this.durableName.isEmpty()) {
			Object own = all.put("durableName", this.durableName);
			if (own != null && !own.equals(this.durableName)) {
				throw new InvalidHandlerException(
						"durableName = \"" + own + "\" but its class sets durableName = \"" + this.durableName + "\"",
						"removing one of them");
			}
		}
		return all;
	}

}
