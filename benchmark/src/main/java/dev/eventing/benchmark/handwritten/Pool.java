package dev.eventing.benchmark.handwritten;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.benchmark.contender.ProjectorRound;

/** The connection pool of a loop. */
final class Pool {

	private Pool() {
	}

	static HikariDataSource of(ProjectorRound round) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(round.jdbcUrl());
		pool.setMaximumPoolSize(round.poolSize());
		pool.setAutoCommit(false);
		return pool;
	}

}
