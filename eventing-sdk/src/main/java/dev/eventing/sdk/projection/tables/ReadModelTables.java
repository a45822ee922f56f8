package dev.eventing.sdk.projection.tables;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Generations of a read model's tables. A new generation is a copy of the live tables
 * without rows, in a separate schema. Later the two change places. Handlers and readers
 * name the tables without a schema and find them by their {@code search_path}.
 * Thread-safe.
 *
 * <p>
 * Every method runs in the caller's transaction, and with the {@code search_path} of its
 * connection. A crash or a rollback leaves everything as it was. Names of tables are
 * written as in a statement: {@code orders}, {@code "Order Summary"}. Names of schemas
 * are written as in the catalog, without quotes.
 *
 * <p>
 * Functions whose body is a string are invisible to PostgreSQL's dependencies: the tables
 * they name are not checked here.
 */
public final class ReadModelTables {

	private final JdbcTemplate jdbc;

	private final SearchPath path;

	private final TableSurvey survey;

	private final TableClone clone;

	private final TableCreation script;

	private final TableRights rights;

	private final TableLocks locks;

	private final TableStructure structure;

	private final SchemaContents contents;

	private final SchemaRename rename;

	private final TableAdoption adoption;

	/** Sends no query yet. */
	public ReadModelTables(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
		this.path = new SearchPath(jdbc);
		this.survey = new TableSurvey(jdbc);
		this.clone = new TableClone(jdbc);
		this.script = new TableCreation(jdbc, this.path);
		this.rights = new TableRights(jdbc);
		this.locks = new TableLocks(jdbc);
		this.structure = new TableStructure(jdbc, this.path);
		this.contents = new SchemaContents(jdbc);
		this.rename = new SchemaRename(jdbc, this.contents);
		this.adoption = new TableAdoption(jdbc, this.path, this.rights, this.locks, this.contents);
	}

	/**
	 * Returns why the tables cannot have generations: one sentence for each obstacle, by
	 * name. Empty if nothing stands in the way.
	 * @param origin how the tables of generations are created: properties that a copy
	 * would lose are no obstacle to a script
	 */
	public List<String> refusals(Collection<String> tables, TableOrigin origin) {
		return this.survey.refusals(tables, origin);
	}

	/**
	 * As {@link #refusals}, without rights that the role of the connection lacks.
	 */
	public List<String> obstacles(Collection<String> tables, TableOrigin origin) {
		return this.survey.obstacles(tables, origin);
	}

	/**
	 * Returns the schema in which the tables are found.
	 * @throws ReadModelTablesException if a table does not exist, or if they lie in
	 * several schemas, or if there are none
	 */
	public String liveSchema(Collection<String> tables) {
		return LiveTable.schemaOf(this.jdbc, tables);
	}

	/**
	 * Creates the schema, unless it is the role's and empty, and in it an empty copy of
	 * each table. Everything of a copy has the name that it has at the live table.
	 * Sequences begin at their start. Rights, comments and settings are copied. Takes
	 * {@code ACCESS SHARE} locks on the live tables. Only for tables without
	 * {@linkplain #refusals refusals}.
	 * @throws ReadModelTablesException if a table does not exist, or if they lie in
	 * several schemas
	 * @throws org.springframework.dao.DataAccessException if the schema exists, or the
	 * role lacks a right
	 */
	public void create(String schema, Collection<String> tables) {
		List<LiveTable> live = LiveTable.all(this.jdbc, tables);
		createSchema(schema, liveSchema(tables));
		for (LiveTable table : live) {
			this.clone.create(table, schema);
			this.rights.copy(table, schema);
		}
	}

	private void createSchema(String schema, String live) {
		if (!this.contents.isPrepared(schema)) {
			this.rights.createSchema(schema, live);
		}
	}

	/**
	 * As the other method, with tables that a script creates. They get the owner and the
	 * rights of the live ones.
	 * @param script statements in the language of the database
	 * @throws ReadModelTablesException if the script fails, creates not all of these
	 * tables or something else, or locks another table; or as the other method
	 * @throws org.springframework.dao.DataAccessException if the schema exists, the role
	 * lacks a right, or the database does not answer
	 */
	public void create(String schema, Collection<String> tables, String script) {
		List<LiveTable> live = LiveTable.all(this.jdbc, tables);
		createSchema(schema, liveSchema(tables));
		Set<String> before = Set.copyOf(strangers(schema).written());
		this.script.run(schema, script);
		this.script.requireAll(schema, names(tables));
		this.contents.requireNothingBut(schema, names(tables));
		List<String> locked = strangers(schema).written().stream().filter((each) -> !before.contains(each)).toList();
		if (!locked.isEmpty()) {
			throw new ReadModelTablesException("The script changes or refers to " + String.join(", ", locked)
					+ ", outside of its schema. Consider tables of the read model alone.");
		}
		live.forEach((table) -> this.rights.copy(table, schema));
	}

	/**
	 * Returns the columns that readers of the live tables would lose with the tables of
	 * another schema, or find with another type. One sentence each, without its end.
	 * @param tables tables that exist in both schemas
	 */
	public List<String> lostColumns(Collection<String> tables, String liveSchema, String other) {
		return this.structure.lostColumns(names(tables), liveSchema, other);
	}

	/**
	 * Returns what else the tables of another schema do not have as the live ones do:
	 * owner, rights, policies, keys, indexes, defaults and settings; and rights and
	 * policies that the live ones do not have. Nothing that needs a lost column.
	 * @param tables tables that exist in both schemas
	 * @param origin how they were created: by a script keys, indexes, defaults and
	 * settings may differ
	 */
	public List<String> differences(Collection<String> tables, String liveSchema, String other, TableOrigin origin) {
		return this.structure.differences(names(tables), liveSchema, other, origin);
	}

	/**
	 * Lets the planner know the tables. Those that something else works on are left out.
	 */
	public void analyze(Collection<String> tables, String schema) {
		for (String name : names(tables)) {
			this.jdbc
				.execute(statement("select format('analyze (skip_locked) %I.%I', ?::text, ?::text)", schema, name));
		}
	}

	/** Returns how the tables can change places: without locks on them, if possible. */
	public ExchangeWay way(Collection<String> tables, String liveSchema, String from, String to) {
		return this.rename.isPossible(names(tables), liveSchema, from, to) ? ExchangeWay.SCHEMAS : ExchangeWay.TABLES;
	}

	/**
	 * Gives the tables of another schema the name of the live one, and the live ones
	 * another. Readers do not wait. They meet the other tables with their next statement
	 * after the commit.
	 * @param liveSchema where the live tables lie, and nothing else
	 * @param from where the next ones lie
	 * @param to the name that the schema of the live ones gets; it must not exist
	 * @throws ReadModelTablesException if something else lies in {@code from}
	 * @throws TablesInUseException if a transaction writes to one of the tables
	 * @throws org.springframework.dao.DataAccessException if the role lacks a right
	 */
	public void exchangeSchemas(Collection<String> tables, String liveSchema, String from, String to) {
		this.rename.exchange(names(tables), liveSchema, from, to);
	}

	/**
	 * Makes sure that nothing was added to the live tables until they were exchanged.
	 * @param former where the former tables lie now
	 * @param live where the new ones lie now
	 * @param acceptsLostColumns whether the new ones may lack columns
	 * @param origin how one of them was created
	 * @throws ReadModelTablesException if the new ones lack something
	 */
	public void requireNothingLost(Collection<String> tables, String former, String live, boolean acceptsLostColumns,
			TableOrigin origin) {
		List<String> lost = new ArrayList<>(acceptsLostColumns ? List.of() : lostColumns(tables, former, live));
		lost.addAll(differences(tables, former, live, origin));
		if (!lost.isEmpty()) {
			throw new ReadModelTablesException("The live tables were changed meanwhile: " + String.join("; ", lost)
					+ ". Retire the generation, and build another.");
		}
	}

	/** Whether something lies in a schema of this name. */
	public boolean isTaken(String schema) {
		return !this.contents.strangers(schema, List.of()).isEmpty();
	}

	/**
	 * Moves the live tables to one schema, and another schema's tables to their place.
	 * Indexes, constraints, sequences and statistics move along. All tables are locked
	 * before, {@code ACCESS EXCLUSIVE} and in the order of their names, the live ones
	 * last: readers wait until the commit and then read the other tables. The caller sets
	 * {@code lock_timeout} for the others, and commits at once.
	 * @param liveSchema where the live tables lie
	 * @param from where the next ones lie; it is dropped afterwards if the role could
	 * create it again, and otherwise stays empty, for a switch back
	 * @param to where the live ones go; it is created if it does not exist
	 * @param patience how long the locks on the live tables may take together; readers
	 * that come meanwhile wait behind them
	 * @throws ReadModelTablesException if something else lies in {@code from}
	 * @throws org.springframework.dao.DataAccessException if a lock is not granted in
	 * time, or a table does not exist
	 */
	public void exchange(Collection<String> tables, String liveSchema, String from, String to, Duration patience) {
		List<String> names = names(tables);
		if (!this.contents.exists(to)) {
			this.rights.createSchema(to, liveSchema);
		}
		this.locks.lock(names, from);
		this.locks.lock(names, liveSchema, patience);
		this.locks.move(names, liveSchema, to);
		this.locks.move(names, from, liveSchema);
		if (this.contents.canBeCreated()) {
			dropSchema(from);
		}
		else {
			this.contents.requireNothingBut(from, List.of());
		}
	}

	/**
	 * Moves the live tables to a separate schema, which is created if it does not exist.
	 * Readers wait until the commit, and then find them only if their search path has the
	 * schema.
	 * @param patience how long the locks on the tables may take together
	 * @throws ReadModelTablesException if the schema is not empty, or the connection
	 * would not find the tables there
	 * @throws org.springframework.dao.DataAccessException if a lock is not granted in
	 * time, or the role lacks a right
	 */
	public void adopt(Collection<String> tables, String schema, Duration patience) {
		liveSchema(tables);
		this.adoption.adopt(tables.stream().sorted().toList(), LiveTable.all(this.jdbc, tables), schema, patience);
	}

	/**
	 * Returns why live tables would not be moved to a schema, as this connection sees it:
	 * they lie there, something else does, or its search path does not have it first.
	 * @param from where they lie
	 */
	public List<String> adoptionRefusals(String from, String schema) {
		return this.adoption.refusals(from, schema);
	}

	/**
	 * Returns the roles, other than the current one, that may read tables of a schema and
	 * have no search path with another one.
	 * @param from where the tables lie
	 */
	public List<String> readersWithout(String from, String schema) {
		return this.adoption.readersWithout(from, schema);
	}

	/**
	 * Drops these tables of the schema, and then the schema. Nothing else is dropped with
	 * them. Tables or a schema that do not exist are no error.
	 * @throws ReadModelTablesException if something else lies in the schema
	 * @throws org.springframework.dao.DataAccessException if something depends on a table
	 */
	public void drop(String schema, Collection<String> tables) {
		if (!this.contents.exists(schema)) {
			return;
		}
		List<String> dropped = names(tables).stream()
			.map((name) -> statement("select format('%I.%I', ?::text, ?::text)", schema, name))
			.toList();
		// Together, since they may refer to each other.
		this.jdbc.execute("drop table if exists " + String.join(", ", dropped));
		dropSchema(schema);
	}

	private void dropSchema(String schema) {
		this.contents.requireNothingBut(schema, List.of());
		this.jdbc.execute(statement("select format('drop schema %I', ?::text)", schema));
	}

	/**
	 * Returns who holds locks on the tables now, except for this connection. One sentence
	 * each, the longest open transaction first, such as
	 * {@code pid 123 'billing' since 2026-11-02 10:15:00+00, idle in transaction}. No
	 * query texts.
	 * @param schemas where to look for tables of these names
	 */
	public List<String> holders(Collection<String> tables, Collection<String> schemas) {
		return this.locks.holders(names(tables), schemas);
	}

	/**
	 * Until the transaction ends, names without a schema mean tables of this schema
	 * first. The rest of the search path is what the pool has chosen.
	 */
	public void lookFirstIn(String schema) {
		this.path.lookFirstIn(schema);
	}

	/**
	 * Returns the tables that this transaction has used and that are not in the schema,
	 * also foreign tables and materialized views. A lock that readers do not take counts
	 * as a write. Temporary tables, sequences and the catalog are not looked at. Meant as
	 * the last statement of a transaction.
	 */
	public Strangers strangers(String schema) {
		return this.locks.strangers(schema);
	}

	/** The names as the catalog has them, each once and in their order. */
	private List<String> names(Collection<String> tables) {
		// PostgreSQL folds names to lower case and cuts them; so does this.
		return tables.stream()
			.map((table) -> statement("select cast((parse_ident(?))[1] as name)", LiveTable.simple(table)))
			.distinct()
			.sorted()
			.toList();
	}

	private String statement(String query, Object... arguments) {
		return Objects.requireNonNull(this.jdbc.queryForObject(query, String.class, arguments));
	}

}
