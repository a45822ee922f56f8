package dev.eventing.sdk.projector.write;

import java.sql.PreparedStatement;
import java.sql.SQLException;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.ArgumentPreparedStatementSetter;

/**
 * Sets the parameters of one write. The most frequent types go to the driver directly:
 * Spring and the driver would both choose the same method, but only after they have ruled
 * out other types. Not thread-safe.
 */
final class RowSetter extends ArgumentPreparedStatementSetter {

	RowSetter(@Nullable Object[] row) {
		super(row);
	}

	@Override
	protected void doSetValue(PreparedStatement statement, int position, @Nullable Object value) throws SQLException {
		if (value instanceof String text) {
			statement.setString(position, text);
		}
		else if (value instanceof Long number) {
			statement.setLong(position, number);
		}
		else if (value instanceof Integer number) {
			statement.setInt(position, number);
		}
		else {
			super.doSetValue(statement, position, value);
		}
	}

}
