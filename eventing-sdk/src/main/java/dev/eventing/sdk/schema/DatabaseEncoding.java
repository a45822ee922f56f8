package dev.eventing.sdk.schema;

import java.util.List;

import javax.sql.DataSource;

import org.springframework.jdbc.core.JdbcTemplate;

/** Whether the database can store any text. */
final class DatabaseEncoding {

	private static final String NEEDED = "UTF8";

	private DatabaseEncoding() {
	}

	/**
	 * Events and error messages have characters that other encodings do not know. They
	 * could be neither applied nor recorded.
	 * @throws SchemaNotReadyException if the encoding is another one
	 */
	static void require(DataSource dataSource) {
		String encoding = new JdbcTemplate(dataSource).queryForObject("show server_encoding", String.class);
		if (!NEEDED.equals(encoding)) {
			String problem = "the database has the encoding " + encoding + ", which cannot store every event and every"
					+ " error message";
			throw new SchemaNotReadyException(
					"The SDK's tables cannot be used: " + problem
							+ ". Consider a database that was created with \"encoding 'UTF8' template template0\".",
					List.of(problem));
		}
	}

}
