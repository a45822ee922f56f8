package dev.eventing.sdk.projection.ledger;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.projection.RebuildScope;
import dev.eventing.sdk.projection.ScopedRebuild;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.SqlParameterValue;

/** The columns of {@code projection_requests} that hold a part of a read model. */
final class ScopeColumns {

	private static final String STREAMS = "STREAMS";

	private static final String LETTERS = "LETTERS";

	private static final String TENANT = "TENANT";

	private static final String WINDOW = "WINDOW";

	private ScopeColumns() {
	}

	/** The parameters of an insert, by name. */
	static Map<String, Object> of(@Nullable ScopedRebuild part) {
		RebuildScope scope = (part != null) ? part.scope() : null;
		if (scope instanceof RebuildScope.Streams streams) {
			return parameters(part, STREAMS, streams.tenant(), streams.streams(), null);
		}
		if (scope instanceof RebuildScope.KeysOfLetters keys) {
			return parameters(part, LETTERS, null,
					keys.letters().stream().map(UUID::toString).collect(Collectors.toSet()), null);
		}
		if (scope instanceof RebuildScope.OfTenant of) {
			return parameters(part, TENANT, of.tenant(), null, null);
		}
		if (scope instanceof RebuildScope.Window window) {
			return parameters(part, WINDOW, window.tenant(), null, window);
		}
		return parameters(null, null, null, null, null);
	}

	private static Map<String, Object> parameters(@Nullable ScopedRebuild part, @Nullable String kind,
			@Nullable TenantId tenant, @Nullable Set<String> names, RebuildScope.@Nullable Window window) {
		Map<String, Object> parameters = new HashMap<>();
		parameters.put("scopeKind", value(Types.VARCHAR, kind));
		parameters.put("scopeTenant", value(Types.VARCHAR, (tenant != null) ? tenant.value() : null));
		parameters.put("scopeNames",
				value(Types.ARRAY, (names != null) ? names.stream().sorted().toArray(String[]::new) : null));
		parameters.put("scopeFrom",
				value(Types.TIMESTAMP_WITH_TIMEZONE, (window != null) ? time(window.from()) : null));
		parameters.put("scopeTo", value(Types.TIMESTAMP_WITH_TIMEZONE, (window != null) ? time(window.to()) : null));
		parameters.put("mostEvents", value(Types.INTEGER, (part != null) ? (Integer) part.mostEvents() : null));
		return parameters;
	}

	private static OffsetDateTime time(Instant instant) {
		return instant.atOffset(ZoneOffset.UTC);
	}

	private static SqlParameterValue value(int type, @Nullable Object value) {
		return new SqlParameterValue(type, value);
	}

	/**
	 * Reads the part.
	 * @param first the first of the six columns
	 */
	static @Nullable ScopedRebuild read(ResultSet row, int first) throws SQLException {
		String kind = row.getString(first);
		return (kind != null) ? new ScopedRebuild(scope(kind, row, first), row.getInt(first + 5)) : null;
	}

	private static RebuildScope scope(String kind, ResultSet row, int first) throws SQLException {
		String said = row.getString(first + 1);
		TenantId tenant = (said != null) ? TenantId.of(said) : null;
		return switch (kind) {
			case STREAMS -> new RebuildScope.Streams(Objects.requireNonNull(tenant), names(row, first + 2));
			case LETTERS -> new RebuildScope.KeysOfLetters(
					names(row, first + 2).stream().map(UUID::fromString).collect(Collectors.toSet()));
			case TENANT -> new RebuildScope.OfTenant(Objects.requireNonNull(tenant));
			default -> new RebuildScope.Window(row.getObject(first + 3, OffsetDateTime.class).toInstant(),
					row.getObject(first + 4, OffsetDateTime.class).toInstant(), tenant);
		};
	}

	private static Set<String> names(ResultSet row, int column) throws SQLException {
		Array names = row.getArray(column);
		return new LinkedHashSet<>(List.of((String[]) names.getArray()));
	}

}
