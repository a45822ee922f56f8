package dev.eventing.sdk.projection;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.eventing.sdk.UnknownNameException;

/**
 * The operations on the read models of projectors. Each call runs in one separate
 * transaction on the caller's thread, and needs only the database: the same from an
 * application and the command line. The node that owns the projector does what is
 * requested, within seconds. Thread-safe.
 */
public interface Projections {

	/** How long a request waits for a node, if nothing else is said. */
	Duration PATIENCE = Duration.ofMinutes(10);

	/** The longest that a request may wait for a node. */
	Duration LONGEST_PATIENCE = Duration.ofDays(30);

	/**
	 * Requests that a projector's read model is emptied and filled again from all events
	 * of its source: the event store, or a stream that has all events. The owner of the
	 * projector first settles the events that it holds. Then one transaction empties the
	 * tables that the projector declares, or calls its {@code @ProjectionReset} methods,
	 * and begins a new generation. Until that is filled, readers see less than they saw,
	 * and the projector is {@code REBUILDING}. After a crash the next owner goes on.
	 *
	 * <p>
	 * Open dead letters are closed, because their events are applied again in order. One
	 * that fails again opens its letter again. Discarded events stay discarded, and
	 * edited payloads replace the original ones.
	 * @param name the projector's name
	 * @param actor the user who requests it, for the audit; not blank
	 * @param reason the reason, for the audit; not blank
	 * @param patience how long the request may wait, from one second to 30 days; after
	 * that no node takes it
	 * @throws UnknownNameException if no projector of that name ever ran
	 * @throws RequestRefusedException if another request waits, the read model is being
	 * filled, or a generation stands beside the live one
	 * @throws IllegalArgumentException if actor, reason or patience is not allowed
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	ProjectionRequest rebuildInPlace(String name, String actor, String reason, Duration patience);

	/**
	 * Requests that a part of a projector's live read model is rebuilt in place: the rows
	 * of streams, of the keys of letters, of a tenant, or of a window of time. The owner
	 * of the projector first settles the events that it holds. Then one transaction, or
	 * one for each stream, deletes the rows of the part and applies its events again, in
	 * the order of positions, up to where the projector is. Readers see the rows before
	 * or after it, and nothing in between. All other rows stay as they are. A crash
	 * leaves a part as it was, and the next owner does it again.
	 *
	 * <p>
	 * Open dead letters of streams and tenants end resolved. Dead letters of a window
	 * stay, and their events stay out. Discarded events stay out, and edited payloads
	 * replace the original ones. If an event fails, a handler changes other rows, the
	 * projector reads JetStream, or it does not declare what the part needs, the request
	 * is {@code FAILED}, and its detail says why.
	 * @param name the projector's name
	 * @param part the part, and the most events of a transaction
	 * @param by who requests it and why, for the audit; not blank
	 * @param patience how long the request may wait, from one second to 30 days; after
	 * that no node begins it
	 * @throws UnknownNameException if no projector of that name ever ran
	 * @throws RequestRefusedException if another request waits, the read model is being
	 * filled, or a letter is not one of the projector
	 * @throws IllegalArgumentException if actor, reason or patience is not allowed
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	ProjectionRequest rebuildScope(String name, ScopedRebuild part, ProjectionRequest.By by, Duration patience);

	/**
	 * Requests that a new generation of a projector's read model is filled beside the
	 * live one, from all events of the projector's source. Readers and the live
	 * generation notice nothing of it but load. Its tables are empty copies of those that
	 * the projector declares, in a separate schema, where the same handlers meet them by
	 * the search path. It is {@code BUILDING} until it has met the end of the source,
	 * then {@code READY}, and follows the source until it is {@link #retire retired}. A
	 * crash loses nothing: the next owner continues.
	 *
	 * <p>
	 * A transaction that writes to any other table rolls back, and the generation is
	 * {@code FAILED}. Events that become dead letters in it are neither forwarded nor
	 * listed with the letters of the live generation. Events that operators discarded or
	 * edited are treated as they decided.
	 * @param name the projector's name
	 * @param actor the user who requests it, for the audit; not blank
	 * @param reason the reason, for the audit; not blank
	 * @param patience how long the request may wait, from one second to 30 days; after
	 * that no node takes it
	 * @throws UnknownNameException if no projector of that name ever ran
	 * @throws RequestRefusedException if another request waits, the read model is being
	 * filled, or a generation stands beside the live one
	 * @throws IllegalArgumentException if the actor or the reason is blank, or the
	 * patience is another
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	ProjectionRequest rebuildBeside(String name, String actor, String reason, Duration patience);

	/**
	 * As {@link #rebuildBeside(String, String, String, Duration)}, within limits. Without
	 * a rate the build slows down by itself, once a second, while the live generation of
	 * the projector or a replica of the database lags. If its tables take more space than
	 * they may, the generation is {@code FAILED}.
	 *
	 * <p>
	 * With an {@link BuildOptions#until() until} it is filled with the events up to there
	 * alone, of a projector that reads the event store, and is {@code PAST} then: it
	 * shows the read model as it was, no node feeds it, and a switch to it is refused.
	 * Which position a time is, the node looks that begins the generation, once.
	 * @param name the projector's name
	 * @param options the limits
	 * @param actor the user who requests it, for the audit; not blank
	 * @param reason the reason, for the audit; not blank
	 * @param patience how long the request may wait, from one second to 30 days; after
	 * that no node takes it
	 * @throws UnknownNameException if no projector of that name ever ran
	 * @throws RequestRefusedException if another request waits, the read model is being
	 * filled, a generation stands beside the live one, or there is nothing at the
	 * position or the time until which it is to be filled
	 * @throws IllegalArgumentException if the actor or the reason is blank, or the
	 * patience is another
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	ProjectionRequest rebuildBeside(String name, BuildOptions options, String actor, String reason, Duration patience);

	/**
	 * Requests that a generation beside the live one becomes live: one that is
	 * {@code READY}, or the {@code STANDBY} that was live before, which rolls a switch
	 * back. The live generation is held for at most ten seconds. Both settle the same
	 * events, and one short transaction exchanges their tables: readers wait for it, and
	 * then see at least what they saw before. If that is not done in ten seconds, the
	 * request is {@code FAILED}, its detail says why, and everything stays as before.
	 *
	 * <p>
	 * The checks that the application declares for the projector first run against a
	 * generation that is {@code READY}. If one finds differences, or has no answer, the
	 * request is {@code FAILED}. A roll back is not checked.
	 *
	 * <p>
	 * The former generation is {@code STANDBY}: it is fed in a separate schema until it
	 * is retired, or its time is over ({@code eventing.projections.standby-limit}). Then
	 * it is {@code STALE}: it can no longer become live, and it can only be retired. Open
	 * dead letters belong to the generation in which their events failed. While no node
	 * has the version of the former generation, a roll back is refused, and one that
	 * waits is {@code FAILED}. The note of the generation has the reason beforehand.
	 * @param name the projector's name
	 * @param generation the number of the generation that becomes live
	 * @param actor the user who requests it, for the audit; not blank
	 * @param reason the reason, for the audit; not blank
	 * @param patience how long the request may wait, from one second to 30 days; after
	 * that no node takes it
	 * @throws UnknownNameException if no projector of that name ever ran
	 * @throws RequestRefusedException if another request waits, no such generation stands
	 * beside the live one, or no node can roll back to it
	 * @throws IllegalArgumentException if the actor or the reason is blank, or the
	 * patience is another
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	default ProjectionRequest switchTo(String name, int generation, String actor, String reason, Duration patience) {
		return switchTo(name, generation, SwitchOptions.STRICT, new ProjectionRequest.By(actor, reason), patience);
	}

	/**
	 * As the other method, with options.
	 *
	 * <p>
	 * A switch, and a roll back, is refused where the tables of the generation lack
	 * columns of the live ones, or have them with another type, unless that is
	 * {@linkplain SwitchOptions#acceptingLostColumns accepted}. Columns that the live
	 * ones do not have are no obstacle. It is refused, too, where they differ otherwise
	 * from the live ones: owner, rights, policies, keys, indexes, defaults, settings.
	 * @param name the projector's name
	 * @param generation the number of the generation that becomes live
	 * @param options what the switch does not look at
	 * @param by who requests it and why, for the audit; not blank
	 * @param patience how long the request may wait, from one second to 30 days; after
	 * that no node takes it
	 * @throws UnknownNameException if no projector of that name ever ran
	 * @throws RequestRefusedException if another request waits, no such generation stands
	 * beside the live one, or no node can roll back to it
	 * @throws IllegalArgumentException if the actor or the reason is blank, or the
	 * patience is another
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	ProjectionRequest switchTo(String name, int generation, SwitchOptions options, ProjectionRequest.By by,
			Duration patience);

	/**
	 * As {@link #switchTo}, whatever the checks of the projector would find. They do not
	 * run.
	 * @param name the projector's name
	 * @param generation the number of the generation that becomes live
	 * @param actor the user who requests it, for the audit; not blank
	 * @param reason the reason, for the audit; not blank
	 * @param patience how long the request may wait, from one second to 30 days; after
	 * that no node takes it
	 * @throws UnknownNameException if no projector of that name ever ran
	 * @throws RequestRefusedException if another request waits, or no such generation
	 * stands beside the live one
	 * @throws IllegalArgumentException if the actor or the reason is blank, or the
	 * patience is another
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	default ProjectionRequest switchUnchecked(String name, int generation, String actor, String reason,
			Duration patience) {
		return switchTo(name, generation, SwitchOptions.STRICT.unchecked(), new ProjectionRequest.By(actor, reason),
				patience);
	}

	/**
	 * Returns the columns that readers would lose by a switch to a generation, or find
	 * with another type: one sentence each, without its end. Empty if they lose none, or
	 * if it is not known where the tables lie.
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	List<String> lostColumns(String name, int generation);

	/**
	 * Requests that the live tables of a projector's read model are moved to a schema of
	 * their own, where later switches lock no table. The schema is created if it does not
	 * exist; otherwise it must be empty. It must be in the {@code search_path} of the
	 * application's connections, before any other schema with tables of these names. The
	 * owner of the projector holds it meanwhile, and moves all tables in one short
	 * transaction. The detail of the request names the roles that may not find them.
	 * @param name the projector's name
	 * @param schema the name of the schema, as the catalog has it
	 * @param actor the user who requests it, for the audit; not blank
	 * @param reason the reason, for the audit; not blank
	 * @param patience how long the request may wait, from one second to 30 days; after
	 * that no node takes it
	 * @throws UnknownNameException if no projector of that name ever ran
	 * @throws RequestRefusedException if another request waits, or the read model is
	 * being filled
	 * @throws IllegalArgumentException if the actor or the reason is blank, the schema is
	 * no separate one, or the patience is another
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	ProjectionRequest adopt(String name, String schema, String actor, String reason, Duration patience);

	/**
	 * Requests that a generation beside the live one is dropped, with its tables, their
	 * schema and everything that the SDK stored for it. Nothing else is dropped with
	 * them.
	 * @param name the projector's name
	 * @param generation the number of the generation
	 * @param actor the user who requests it, for the audit; not blank
	 * @param reason the reason, for the audit; not blank
	 * @param patience how long the request may wait, from one second to 30 days; after
	 * that no node takes it
	 * @throws UnknownNameException if no projector of that name ever ran
	 * @throws RequestRefusedException if another request waits, or no such generation
	 * stands beside the live one
	 * @throws IllegalArgumentException if the actor or the reason is blank, or the
	 * patience is another
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	ProjectionRequest retire(String name, int generation, String actor, String reason, Duration patience);

	/**
	 * Requests that earlier events are applied to the live read model of a projector that
	 * reads the event store, without another generation: for a new column, or a new type
	 * of events. The owner of the projector first settles the events that it holds. Where
	 * it stands then, or at {@link BackfillOptions#to() to}, the backfill ends. Events of
	 * the types are applied in their order, by the handlers that the code has now: those
	 * that the projector has not applied, or, with a {@link BackfillOptions#handler()
	 * handler}, all of them once more, each once per backfill. The live generation goes
	 * on meanwhile, up to the first later event of the types: it takes that one when the
	 * backfill has ended, so that none is overtaken.
	 *
	 * <p>
	 * The position of the backfill is its own, and an event settles with the commit of
	 * its handler. A crash loses nothing: the next owner continues. The request is
	 * {@code RUNNING} until all events are applied, and no other request is taken
	 * meanwhile. An event that fails becomes a dead letter, as in the live feed. What a
	 * backfill has applied stays if it is {@link #cancel cancelled}.
	 * @param name the projector's name
	 * @param options which events are applied
	 * @param actor the user who requests it, for the audit; not blank
	 * @param reason the reason, for the audit; not blank
	 * @param patience how long the request may wait for a node to begin, from one second
	 * to 30 days; after that no node takes it
	 * @throws UnknownNameException if no projector of that name ever ran
	 * @throws RequestRefusedException if another request waits, the read model is being
	 * filled, a generation stands beside the live one, the projector reads a stream or is
	 * inline, or there is nothing at the last position
	 * @throws IllegalArgumentException if the actor or the reason is blank, or the
	 * patience is another
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	ProjectionRequest backfill(String name, BackfillOptions options, String actor, String reason, Duration patience);

	/**
	 * Looks what would come of a request, and requests nothing. Tables are those that the
	 * owner of the projector has found; where that is not recorded, they are found by the
	 * {@code search_path} of this connection. Rights are its role's. Rows that only the
	 * application's code can tell are not known here.
	 * @param name the projector's name
	 * @param what what would be requested
	 * @throws UnknownNameException if no projector of that name ever ran
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	RequestPlan plan(String name, ProjectionRequest.What what);

	/**
	 * Cancels the request that waits. A request that has begun is not cancelled, except a
	 * backfill: it ends within seconds, and what it has applied stays.
	 * @param actor the user who cancels it, for the audit; not blank
	 * @param reason the reason, for the audit; not blank
	 * @return whether a request waited
	 * @throws IllegalArgumentException if the actor or the reason is blank
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	boolean cancel(String name, String actor, String reason);

	/**
	 * Returns the last request for a projector; empty if there was none.
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	Optional<ProjectionRequest> lastRequest(String name);

	/**
	 * Returns the statements that give the application's role the rights that the request
	 * which waits {@linkplain ProjectionRequest.Status#NEEDS_DDL needs}, in their order.
	 * The node continues by itself after a role with the rights has run them. Empty if no
	 * request needs any.
	 * @throws RequestRefusedException if the rights would be those to other tables than a
	 * read model's
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	List<String> ddl(String name);

	/**
	 * Returns a request by its {@link ProjectionRequest#id number}; empty if there is
	 * none.
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	Optional<ProjectionRequest> request(long id);

	/**
	 * Returns the generations of a projector's read model, the newest first.
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	List<ProjectionGeneration> generations(String name);

}
