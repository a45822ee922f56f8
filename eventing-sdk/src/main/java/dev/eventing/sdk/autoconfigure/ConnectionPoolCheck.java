package dev.eventing.sdk.autoconfigure;

import java.util.List;
import java.util.function.IntSupplier;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.jdbc.metadata.CompositeDataSourcePoolMetadataProvider;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadata;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Warns of a connection pool that is too small for all lanes to work side by side. No
 * error: lanes then wait for each other, as do leases, and the rest of the application.
 */
final class ConnectionPoolCheck implements ApplicationListener<ContextRefreshedEvent> {

	private static final Logger logger = LoggerFactory.getLogger(ConnectionPoolCheck.class);

	/** For the leases, and for whoever reads positions, letters or the event store. */
	private static final int BESIDE_LANES = 2;

	private final IntSupplier lanes;

	private final DataSource dataSource;

	private final List<DataSourcePoolMetadataProvider> pools;

	ConnectionPoolCheck(IntSupplier lanes, DataSource dataSource, List<DataSourcePoolMetadataProvider> pools) {
		this.lanes = lanes;
		this.dataSource = dataSource;
		this.pools = pools;
	}

	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		Integer size = poolSize();
		int lanes = this.lanes.getAsInt();
		if (size != null && size > 0 && size < lanes + BESIDE_LANES) {
			logger.warn(
					"The lanes of all projectors are {}, and the connection pool has {} connections, of which each"
							+ " lane needs one while it applies a batch. Consider a pool of at least {}, such as"
							+ " spring.datasource.hikari.maximum-pool-size = {}, or less concurrency.",
					lanes, size, lanes + BESIDE_LANES, lanes + BESIDE_LANES);
		}
	}

	private @Nullable Integer poolSize() {
		DataSourcePoolMetadata pool = new CompositeDataSourcePoolMetadataProvider(this.pools)
			.getDataSourcePoolMetadata(this.dataSource);
		return (pool != null) ? pool.getMax() : null;
	}

}
