package dev.eventing.sdk.schema;

import java.util.List;
import java.util.Set;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What an erasure does to the tables of one owner. A package that gets a table which may
 * hold contents of events gets a step, too. Every method runs in the transaction of the
 * caller. Thread-safe.
 */
public interface ErasureStep {

	/** The SDK's tables that it erases from. */
	Set<String> tables();

	/**
	 * The rights to the SDK's tables that its statements need, also to those that it only
	 * reads.
	 */
	List<TableRights> rights();

	/** The statements that erase, in their order. */
	default List<ErasureStatement> statements(ErasedStream stream) {
		return List.of();
	}

	/** The contents it would erase now. Changes nothing. */
	default List<ErasedCount> plan(ErasedStream stream, JdbcClient jdbc) {
		return statements(stream).stream().map((each) -> each.plan(stream, jdbc)).toList();
	}

	/** Erases. Does nothing where nothing is left. */
	default List<ErasedCount> erase(ErasedStream stream, JdbcClient jdbc) {
		return statements(stream).stream().map((each) -> each.erase(stream, jdbc)).toList();
	}

	/** Places that may hold contents and cannot be erased, each with the reason. */
	default List<String> notErased(ErasedStream stream, JdbcClient jdbc) {
		return List.of();
	}

	/** Statements for operators, for what lies outside of the database. */
	default List<String> outside(ErasedStream stream, JdbcClient jdbc) {
		return List.of();
	}

	/**
	 * Readers that may still store contents they read before. Asked after the commit,
	 * until there are none.
	 */
	default List<String> pending(ErasedStream stream, JdbcClient jdbc) {
		return List.of();
	}

	/**
	 * The rights to other tables than the SDK's that the role of the connection lacks.
	 * @param looks whether it only looks what would go
	 */
	default List<String> missingRights(ErasedStream stream, JdbcClient jdbc, boolean looks) {
		return List.of();
	}

}
