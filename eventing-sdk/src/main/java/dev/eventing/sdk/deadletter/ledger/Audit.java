package dev.eventing.sdk.deadletter.ledger;

import java.util.Collection;
import java.util.UUID;

import dev.eventing.sdk.deadletter.DeadLetterAction;
import dev.eventing.sdk.event.ProjectorId;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Writes the audit of the changes that projectors make to their letters. Runs in the
 * caller's transaction.
 */
final class Audit {

	private final JdbcClient jdbc;

	private final String table;

	Audit(JdbcClient jdbc, String table) {
		this.jdbc = jdbc;
		this.table = table;
	}

	void add(Collection<UUID> letterIds, ProjectorId projector, DeadLetterAction action, @Nullable String detail) {
		if (letterIds.isEmpty()) {
			return;
		}
		this.jdbc.sql("""
				insert into %s (letter_id, actor, action, detail)
				select unnest(:letterIds), :actor, :action, cast(:detail as text)
				""".formatted(this.table))
			.param("letterIds", UuidArray.of(letterIds))
			.param("actor", projector.actor())
			.param("action", action.name())
			.param("detail", detail)
			.update();
	}

}
