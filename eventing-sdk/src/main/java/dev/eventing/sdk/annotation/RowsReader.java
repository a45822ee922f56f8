package dev.eventing.sdk.annotation;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import dev.eventing.sdk.projector.RowColumns;
import org.jspecify.annotations.Nullable;

/** Reads which columns of its tables a projector declares. */
final class RowsReader {

	/** A name that needs no quotes. */
	private static final Pattern COLUMN = Pattern.compile("[A-Za-z_][A-Za-z0-9_$]*");

	private final AttributeResolver resolver;

	RowsReader(AttributeResolver resolver) {
		this.resolver = resolver;
	}

	/**
	 * Returns the columns by table.
	 * @param tables the tables that the projector declares
	 * @throws InvalidHandlerException if a declaration is not valid
	 */
	Map<String, RowColumns> read(ReadModelRows[] declared, Set<String> tables) {
		Map<String, RowColumns> columns = new LinkedHashMap<>();
		for (ReadModelRows each : declared) {
			String table = this.resolver.resolve("@ReadModelRows table", each.table());
			RowColumns found = columns(each);
			if (!table.isEmpty() && !tables.contains(table)) {
				throw new InvalidHandlerException(
						"@ReadModelRows names table \"" + table + "\", and @Projector declares the tables " + tables,
						"one of the declared tables");
			}
			if (columns.put(table, found) != null) {
				throw new InvalidHandlerException("two @ReadModelRows are of the same tables",
						"one for each table, and one without a table for the others");
			}
		}
		RowColumns others = columns.remove("");
		if (others != null) {
			tables.forEach((table) -> columns.putIfAbsent(table, others));
		}
		return columns;
	}

	private RowColumns columns(ReadModelRows declared) {
		String bucket = column("bucketColumn", declared.bucketColumn());
		Duration length = length(declared);
		if ((bucket == null) != (length == null)) {
			throw new InvalidHandlerException("@ReadModelRows has only one of bucketColumn and bucketLength",
					"both, such as bucketColumn = \"hour\", bucketLength = \"PT1H\"");
		}
		return new RowColumns(column("tenantColumn", declared.tenantColumn()),
				column("streamColumn", declared.streamColumn()),
				this.resolver.resolve("@ReadModelRows streamPrefix", declared.streamPrefix()), bucket, length);
	}

	private @Nullable String column(String attribute, String said) {
		String column = this.resolver.resolve("@ReadModelRows " + attribute, said);
		if (!column.isEmpty() && !COLUMN.matcher(column).matches()) {
			throw new InvalidHandlerException(
					"@ReadModelRows " + attribute + " = \"" + column + "\" is no name of a column",
					"a name such as \"tenant_id\"");
		}
		return column.isEmpty() ? null : column;
	}

	private @Nullable Duration length(ReadModelRows declared) {
		String text = this.resolver.resolve("@ReadModelRows bucketLength", declared.bucketLength());
		if (text.isEmpty()) {
			return null;
		}
		try {
			Duration length = Duration.parse(text);
			if (length.toMillis() > 0) {
				return length;
			}
		}
		catch (DateTimeParseException | ArithmeticException ex) {
			// said below
		}
		throw new InvalidHandlerException("@ReadModelRows bucketLength = \"" + text + "\" is no duration",
				"a duration such as \"PT1H\", or \"P1D\"");
	}

}
