package dev.eventing.sdk.erasure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.eventing.sdk.schema.EventingSchema;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each table of the SDK has a step that erases from it, or a reason why there is none.
 */
class ErasureStepsTests {

	private static final Path SCRIPT = Path
		.of("../migrations/src/main/resources/dev/eventing/migrations/postgresql/V1__create_tables.sql");

	private static final Pattern TABLE = Pattern.compile("(?m)^create table (\\w+)");

	/** Tables without contents of events. A new table with some needs a step instead. */
	private static final Map<String, Set<String>> KEPT = Map.of("names and numbers of this database",
			Set.of("schema_identity", "leases", "lease_epochs"), "ids and versions of streams",
			Set.of("streams", "relay_late_events"), "who erased what", Set.of("erasures"), "positions, by name",
			Set.of("relays", "relay_positions", "relay_streams", "projector_positions", "projector_coverage",
					"projector_checkpoints", "projector_handouts", "projector_prunings", "projector_beginnings",
					"projection_lanes", "projection_skips", "projection_inline", "projection_backfills"),
			"states of live views, of whose keys only code knows whether they are streams: the report names the views",
			Set.of("projection_snapshots"),
			"what nodes report and operators decide, with texts that the SDK or operators have written",
			Set.of("projector_nodes", "projector_controls", "projections", "projection_ownership",
					"projection_check_requests", "dead_letter_redrives"));

	@Test
	void eachTableHasAStepOrAReason() throws IOException {
		Set<String> decided = new TreeSet<>(ErasureSteps.of(EventingSchema.defaults()).tables());
		KEPT.values().forEach((tables) -> {
			assertThat(decided).doesNotContainAnyElementsOf(tables);
			decided.addAll(tables);
		});
		assertThat(decided).isEqualTo(created());
	}

	private static Set<String> created() throws IOException {
		Set<String> created = new TreeSet<>();
		Matcher table = TABLE.matcher(Files.readString(SCRIPT));
		while (table.find()) {
			created.add(table.group(1));
		}
		return created;
	}

}
