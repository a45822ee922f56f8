package dev.eventing.sdk.guarantees;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A DataSource that tells a test which statements run: each text, with the first text
 * that was set as a parameter, before and after it has run.
 */
public final class RecordedStatements extends DelegatingDataSource {

	private final BiConsumer<String, String> before;

	private final BiConsumer<String, String> after;

	/** Both get the statement and its first parameter; an empty text if there is none. */
	public RecordedStatements(DataSource target, BiConsumer<String, String> before, BiConsumer<String, String> after) {
		super(target);
		this.before = before;
		this.after = after;
	}

	@Override
	public Connection getConnection() throws SQLException {
		Connection connection = super.getConnection();
		return proxy(Connection.class, (method, arguments) -> {
			Object made = invoke(connection, method, arguments);
			if (made instanceof PreparedStatement prepared && arguments != null) {
				return recorded(PreparedStatement.class, prepared, String.valueOf(arguments[0]));
			}
			return (made instanceof Statement statement) ? recorded(Statement.class, statement, "") : made;
		});
	}

	/** Unwraps only through itself. */
	@Override
	public boolean isWrapperFor(Class<?> type) {
		return false;
	}

	private <S extends Statement> S recorded(Class<S> type, S statement, String prepared) {
		List<String> parameters = new ArrayList<>();
		return proxy(type, (method, arguments) -> {
			if (method.getName().equals("setString") && arguments != null) {
				parameters.add(String.valueOf(arguments[1]));
			}
			if (!method.getName().startsWith("execute")) {
				return invoke(statement, method, arguments);
			}
			String sql = (arguments != null) ? String.valueOf(arguments[0]) : prepared;
			String parameter = parameters.isEmpty() ? "" : parameters.get(0);
			this.before.accept(sql, parameter);
			Object result = invoke(statement, method, arguments);
			this.after.accept(sql, parameter);
			return result;
		});
	}

	private static <T> T proxy(Class<T> type, Call call) {
		return type.cast(Proxy.newProxyInstance(RecordedStatements.class.getClassLoader(), new Class<?>[] { type },
				(proxy, method, arguments) -> call.answer(method, arguments)));
	}

	private static @Nullable Object invoke(Object target, Method method, Object @Nullable [] arguments)
			throws Throwable {
		try {
			return method.invoke(target, arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getCause();
		}
	}

	private interface Call {

		@Nullable Object answer(Method method, Object @Nullable [] arguments) throws Throwable;

	}

}
