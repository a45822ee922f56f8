package dev.eventing.sdk.autoconfigure;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import org.springframework.boot.jdbc.metadata.CompositeDataSourcePoolMetadataProvider;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadata;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Notes if a connection pool has fewer connections than
 * {@link dev.eventing.sdk.projector.ProjectorRegistry#connections()}: lanes then wait for
 * each other, and the rest of the application waits too. Warns if it has not even two for
 * each projector: then whole projectors wait. Notes if it has fewer than they need with a
 * generation beside a live one.
 */
final class ConnectionPoolCheck implements ApplicationListener<ContextRefreshedEvent> {

	private static final Logger logger = LoggerFactory.getLogger(ConnectionPoolCheck.class);

	/** What the application itself needs, roughly. */
	private static final int OF_THE_APPLICATION = 4;

	private final IntSupplier projectors;

	private final IntSupplier needed;

	private final IntSupplier beside;

	private final DataSource dataSource;

	private final List<DataSourcePoolMetadataProvider> pools;

	/**
	 * The events of contexts below arrive here, too, such as that of a management port.
	 */
	private final AtomicBoolean done = new AtomicBoolean();

	/**
	 * Asks nothing yet.
	 * @param projectors the number of projectors
	 * @param needed how many connections they need
	 * @param beside how many more a generation beside a live one needs
	 */
	ConnectionPoolCheck(IntSupplier projectors, IntSupplier needed, IntSupplier beside, DataSource dataSource,
			List<DataSourcePoolMetadataProvider> pools) {
		this.projectors = projectors;
		this.needed = needed;
		this.beside = beside;
		this.dataSource = dataSource;
		this.pools = pools;
	}

	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		if (this.done.compareAndSet(false, true)) {
			check();
		}
	}

	private void check() {
		Integer size = poolSize();
		int connections = this.needed.getAsInt();
		int more = this.beside.getAsInt();
		if (size == null || size <= 0) {
			return;
		}
		if (size < connections) {
			boolean tight = size < 2 * this.projectors.getAsInt() + 2;
			logger.atLevel(tight ? Level.WARN : Level.INFO)
				.log("The connection pool has {} connections, and the projectors use up to {}: one for each lane and one"
						+ " more for each projector, and two that they share. With fewer, lanes wait for each other."
						+ " Consider spring.datasource.hikari.maximum-pool-size={} ({} of them for the application itself),"
						+ " or less concurrency.", size, connections, connections + OF_THE_APPLICATION,
						OF_THE_APPLICATION);
		}
		if (more > 0 && size < connections + more) {
			logger.info(
					"A generation that is built beside a live one needs up to {} connections more on the node that feeds it,"
							+ " until it is retired: {} with those of the projectors. The connection pool has {}.",
					more, connections + more, size);
		}
	}

	private @Nullable Integer poolSize() {
		DataSourcePoolMetadata pool = new CompositeDataSourcePoolMetadataProvider(this.pools)
			.getDataSourcePoolMetadata(this.dataSource);
		return (pool != null) ? pool.getMax() : null;
	}

}
