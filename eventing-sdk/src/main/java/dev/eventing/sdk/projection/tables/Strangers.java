package dev.eventing.sdk.projection.tables;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The tables outside of a schema that a transaction has used so far. Names are written
 * with their schema, quoted where a statement must quote them.
 *
 * @param written those that it has written to, by name
 * @param read those that it has only read, by name
 */
public record Strangers(List<String> written, List<String> read) {

	public Strangers {
		written = List.copyOf(written);
		read = List.copyOf(read);
	}

	/** The first table that was written to although it is not allowed. */
	public Optional<String> writtenBut(Set<String> allowed) {
		return this.written.stream().filter((table) -> !allowed.contains(table)).findFirst();
	}

	/** The tables that were only read, except the tables of a schema. */
	public List<String> readBeside(String schema) {
		return this.read.stream()
			.filter((table) -> !table.startsWith(schema + '.') && !table.startsWith('"' + schema + "\"."))
			.toList();
	}

}
