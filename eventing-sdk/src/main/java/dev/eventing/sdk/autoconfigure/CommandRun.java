package dev.eventing.sdk.autoconfigure;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Supplier;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.store.EventVerification;
import dev.eventing.sdk.store.EventVerificationOptions;
import dev.eventing.sdk.store.EventVerifier;
import dev.eventing.sdk.store.Fold;
import dev.eventing.sdk.store.SnapshotRebuild;
import dev.eventing.sdk.store.SnapshotRebuildOptions;
import dev.eventing.sdk.store.SnapshotRebuilder;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.ObjectProvider;

/**
 * One run of a command. Writes what it found as one line of JSON, which begins with
 * {@link #COMMAND}, and its progress as text. Its exit codes are in {@link CommandExit}.
 */
final class CommandRun {

	/** The first property of the result. */
	private static final String COMMAND = "eventingCommand";

	private static final Duration LINES = Duration.ofSeconds(5);

	private final CommandProperties properties;

	private final ObjectProvider<EventVerifier> verifier;

	private final ObjectProvider<SnapshotRebuilder> rebuilder;

	private final ObjectProvider<Fold<?>> folds;

	private final PrintStream out;

	private final PrintStream err;

	private long saidAt = System.nanoTime();

	CommandRun(CommandProperties properties, ObjectProvider<EventVerifier> verifier,
			ObjectProvider<SnapshotRebuilder> rebuilder, ObjectProvider<Fold<?>> folds, PrintStream out,
			PrintStream err) {
		this.properties = properties;
		this.verifier = verifier;
		this.rebuilder = rebuilder;
		this.folds = folds;
		this.out = out;
		this.err = err;
	}

	/** Returns the exit code. */
	int run() {
		try {
			return (this.properties.run() == CommandName.REBUILD_SNAPSHOTS) ? rebuildSnapshots() : verifyEvents();
		}
		catch (EventingException | IllegalArgumentException ex) {
			this.err.println("eventing: " + ex.getMessage());
			return CommandExit.ERROR;
		}
	}

	private int verifyEvents() {
		EventVerification found = this.verifier.getObject()
			.verify(EventVerificationOptions.all()
				.from(this.properties.from())
				.ofTenant(tenant())
				.listing(this.properties.positions())
				.telling((progress) -> tell(() -> String.format(Locale.ROOT, "position %,d of %,d, %,d events",
						progress.position(), progress.upTo(), progress.events()))));
		Map<String, @Nullable Object> json = result("verify-events");
		json.put("events", found.events());
		json.put("upTo", found.upTo());
		json.put("unbound", found.unbound().stream().map(CommandRun::json).toList());
		json.put("unknownTypes", new TreeSet<>(found.unknownTypes()));
		print(json);
		return found.isClean() ? CommandExit.OK : CommandExit.DIFFERENCES;
	}

	private static Map<String, @Nullable Object> json(EventVerification.Unbound unbound) {
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("type", unbound.type());
		json.put("version", unbound.version());
		json.put("problem", unbound.problem());
		json.put("events", unbound.events());
		json.put("positions", unbound.positions());
		return json;
	}

	private int rebuildSnapshots() {
		List<Fold<?>> chosen = this.folds.stream()
			.filter((fold) -> fold.snapshotEvery() > 0)
			.filter((fold) -> this.properties.fold() == null || fold.name().equals(this.properties.fold()))
			.toList();
		if (this.properties.streams() != null && chosen.size() > 1) {
			throw new IllegalArgumentException(
					"Streams begin alike for one fold only. Consider naming the fold of these streams.");
		}
		List<Map<String, @Nullable Object>> done = new ArrayList<>();
		boolean complete = true;
		for (Fold<?> fold : chosen) {
			SnapshotRebuild rebuild = this.rebuilder.getObject().rebuild(fold, options(fold));
			complete &= rebuild.isComplete();
			done.add(json(fold, rebuild));
		}
		Map<String, @Nullable Object> json = result("rebuild-snapshots");
		json.put("dryRun", this.properties.dryRun());
		json.put("folds", done);
		print(json);
		return chosen.isEmpty() ? CommandExit.NOTHING_FOUND : complete ? CommandExit.OK : CommandExit.NOT_DONE;
	}

	private SnapshotRebuildOptions options(Fold<?> fold) {
		return SnapshotRebuildOptions.all()
			.ofTenant(tenant())
			.withStreams(this.properties.streams())
			.atRate(this.properties.rate())
			.dryRun(this.properties.dryRun())
			.telling((progress) -> tell(() -> String.format(Locale.ROOT, "fold %s: %,d of %,d streams, %,d events",
					fold.name(), progress.written() + progress.spared() + progress.failed(), progress.due(),
					progress.events())));
	}

	private static Map<String, @Nullable Object> json(Fold<?> fold, SnapshotRebuild rebuild) {
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("fold", fold.name());
		json.put("version", fold.version());
		json.put("due", rebuild.due());
		json.put("written", rebuild.written());
		json.put("spared", rebuild.spared());
		json.put("failed", rebuild.failed());
		json.put("events", rebuild.events());
		json.put("failures",
				rebuild.failures()
					.stream()
					.map((each) -> Map.of("tenant", each.tenantId().value(), "stream", each.streamId(), "problem",
							each.problem()))
					.toList());
		return json;
	}

	private @Nullable TenantId tenant() {
		return (this.properties.tenant() != null) ? TenantId.of(this.properties.tenant()) : null;
	}

	/** Says how far it is, every few seconds. */
	private void tell(Supplier<String> progress) {
		if (System.nanoTime() - this.saidAt >= LINES.toNanos()) {
			this.err.println(progress.get());
			this.saidAt = System.nanoTime();
		}
	}

	private static Map<String, @Nullable Object> result(String command) {
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put(COMMAND, command);
		return json;
	}

	private void print(Map<String, @Nullable Object> json) {
		this.out.println(JsonMapper.shared().writeValueAsString(json));
	}

}
