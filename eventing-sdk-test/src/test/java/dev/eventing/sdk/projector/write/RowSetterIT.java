package dev.eventing.sdk.projector.write;

import java.math.BigDecimal;
import java.nio.CharBuffer;
import java.sql.Types;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;

import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.test.server.TestServers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.jdbc.core.ArgumentPreparedStatementSetter;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.SqlParameterValue;

import static org.assertj.core.api.Assertions.assertThat;

class RowSetterIT {

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final JdbcTemplate jdbc = new JdbcTemplate(TestServers.postgres().dataSource(this.fixture.emptyDatabase()));

	/** Without times and nulls, whose types the server infers. */
	@Test
	void setsEachValueWithTheTypeThatSpringSets() {
		Object[] values = { "text", "", 1, Integer.MIN_VALUE, 2L, Long.MAX_VALUE, (short) 3, 1.5, 2.5f,
				new BigDecimal("1.20"), true, 'c', CharBuffer.wrap("chars"), UUID.randomUUID(), new byte[] { 1, 2 },
				new SqlParameterValue(Types.NUMERIC, 7L), new SqlParameterValue(Types.VARCHAR, null) };
		for (Object value : values) {
			assertThat(bound(new RowSetter(new Object[] { value, value }))).as("%s", value)
				.isEqualTo(bound(new ArgumentPreparedStatementSetter(new Object[] { value, value })));
		}
	}

	@Test
	void setsNullsOfAnyColumnInAnyRowOfABatch() {
		this.jdbc.execute("create table filled (id integer, amount bigint, name text, at timestamptz)");
		List<@Nullable Object[]> rows = List.of(new @Nullable Object[] { 1, null, "a", null },
				new @Nullable Object[] { 2, 20L, null, OffsetDateTime.parse("2026-01-02T03:04:05Z") },
				new @Nullable Object[] { null, 30L, "c", null });
		this.jdbc.batchUpdate("insert into filled values (?, ?, ?, ?)", rows, rows.size(),
				(statement, row) -> new RowSetter(row).setValues(statement));
		assertThat(this.jdbc.queryForList("select concat_ws(' ', coalesce(id::text, '-'), coalesce(amount::text, '-'),"
				+ " coalesce(name, '-'), (at is null)::text) from filled", String.class))
			.containsExactlyInAnyOrder("1 - a true", "2 20 - false", "- 30 c true");
	}

	private List<@Nullable String> bound(ArgumentPreparedStatementSetter setter) {
		return this.jdbc.query("select pg_typeof(?)::text || ' ' || coalesce(?::text, 'null')", setter,
				(row, number) -> row.getString(1));
	}

}
