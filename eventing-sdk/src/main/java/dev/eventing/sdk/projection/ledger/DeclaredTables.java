package dev.eventing.sdk.projection.ledger;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import org.springframework.jdbc.core.simple.JdbcClient;

/** The tables that projectors declare, as the rows of their generations have them. */
final class DeclaredTables {

	private final JdbcClient client;

	private final String projections;

	DeclaredTables(JdbcClient client, String projections) {
		this.client = client;
		this.projections = projections;
	}

	/** As {@link GenerationLedger#overlaps}. */
	List<String> overlaps(String projector, Collection<String> tables) {
		Map<String, String> others = new TreeMap<>();
		this.client
			.sql("select projection_name, unnest(tables) from %s where projection_name <> ? and status <> 'RETIRED'"
				.formatted(this.projections))
			.param(projector)
			.query((row) -> {
				others.put(folded(row.getString(2)), row.getString(1));
			});
		return tables.stream()
			.filter((table) -> others.containsKey(folded(table)))
			.sorted()
			.map((table) -> "Table '" + table + "' is declared by projector '" + others.get(folded(table))
					+ "', too. A generation is for tables that one projector alone writes to. If no application has"
					+ " that projector any more, delete its rows in table 'projections'.")
			.toList();
	}

	private static String folded(String name) {
		boolean quoted = name.length() > 1 && name.startsWith("\"") && name.endsWith("\"");
		return quoted ? name.substring(1, name.length() - 1).replace("\"\"", "\"") : name.toLowerCase(Locale.ROOT);
	}

}
