package dev.eventing.sdk.jdbc;

import java.sql.Connection;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** A native image's hints for reflection on driver and pool. */
final class JdbcHints implements RuntimeHintsRegistrar {

	private static final List<String> ASKED = List.of(PoolSettings.HIKARI, PoolSettings.PROVIDER,
			PoolSettings.CREDENTIALS, StatementBound.DRIVER, DriverConnection.TYPE, AbortedTransactions.DRIVER);

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
		hints.proxies().registerJdkProxy(Connection.class);
		ASKED.forEach(
				(type) -> hints.reflection().registerTypeIfPresent(loader, type, MemberCategory.INVOKE_PUBLIC_METHODS));
	}

}
