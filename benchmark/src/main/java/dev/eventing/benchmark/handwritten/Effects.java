package dev.eventing.benchmark.handwritten;

import java.sql.SQLException;
import java.util.List;

/** Writes what a batch of fresh events does to the read model; of one connection. */
interface Effects extends AutoCloseable {

	void apply(List<Incoming> fresh) throws SQLException;

	@Override
	void close() throws SQLException;

}
