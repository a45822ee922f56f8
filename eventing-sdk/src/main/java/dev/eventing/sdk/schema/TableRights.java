package dev.eventing.sdk.schema;

import java.util.Set;

/**
 * What a role must be allowed to do with a table of the SDK.
 *
 * @param table the name of the table, without its schema
 * @param rights such as {@code select}
 */
public record TableRights(String table, Set<String> rights) {

	/** Copies the rights. */
	public TableRights {
		rights = Set.copyOf(rights);
	}

	/** The rights to a table. */
	public static TableRights of(String table, String... rights) {
		return new TableRights(table, Set.of(rights));
	}

}
