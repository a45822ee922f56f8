package dev.eventing.soak;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.test.timing.Stopwatch;
import dev.eventing.soak.judge.NodeStatus;
import dev.eventing.soak.judge.ReadModels;
import dev.eventing.soak.judge.Sample;
import dev.eventing.soak.judge.StallJudge;

import org.springframework.dao.DataAccessException;

/** Looks each second, shows it to the judge, and starts again what ended by itself. */
final class Observer implements AutoCloseable {

	/** A node without a status line for this time is frozen, or starting. */
	private static final long FRESH = TimeUnit.SECONDS.toNanos(3);

	private static final int LOOKS_PER_LINE = 10;

	private final Servers servers;

	private final ReadModels readModels;

	private final Loads loads;

	private final StallJudge judge;

	private final Log log;

	private final Set<String> violations = new LinkedHashSet<>();

	private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

	/** How late the machine is, for the judge. */
	private final Stopwatch watch = Stopwatch.start();

	private int looks;

	private int revived;

	Observer(Servers servers, ReadModels readModels, Loads loads, StallJudge judge, Log log) {
		this.servers = servers;
		this.readModels = readModels;
		this.loads = loads;
		this.judge = judge;
		this.log = log;
		var unused = this.clock.scheduleWithFixedDelay(this::look, 1, 1, TimeUnit.SECONDS);
	}

	/** The violations seen so far: states that must never occur. */
	synchronized Set<String> violations() {
		return Set.copyOf(this.violations);
	}

	/** How often a node had ended by itself. */
	synchronized int revived() {
		return this.revived;
	}

	private synchronized void look() {
		try {
			this.servers.nodes().forEach(this::revive);
			// First, so that no event is expected before it is committed.
			Map<String, Sample.Progress> progress = this.readModels.progress(this.loads.appended(),
					this.loads.published());
			Sample sample = new Sample(System.nanoTime(), this.watch.late().toNanos(), progress, statuses());
			this.judge.look(sample);
			if (++this.looks % LOOKS_PER_LINE == 0) {
				this.violations.addAll(this.readModels.violations());
				this.log.line(words(sample));
			}
		}
		catch (DataAccessException ex) {
			// The database is away, or silent: nothing can be said of this second.
		}
		catch (RuntimeException ex) {
			this.log.line("cannot look: " + ex);
		}
	}

	private void revive(Node node) {
		if (node.revive()) {
			this.revived++;
			this.log.line("node " + node.number() + " had ended by itself, and is started again");
		}
	}

	private List<NodeStatus> statuses() {
		long now = System.nanoTime();
		return this.servers.nodes()
			.stream()
			.map(Node::status)
			.filter(Objects::nonNull)
			.filter((status) -> now - status.at() < FRESH)
			.toList();
	}

	private String words(Sample sample) {
		StringBuilder words = new StringBuilder(
				this.loads.appended() + " appended, " + this.loads.published() + " published;");
		sample.projectors()
			.forEach((name, progress) -> words.append(' ')
				.append(name)
				.append(' ')
				.append(progress.applied())
				.append('+')
				.append(progress.letters()));
		words.append("; health ").append(sample.nodes().stream().map(NodeStatus::health).toList());
		return words.toString();
	}

	@Override
	public void close() {
		this.clock.shutdownNow();
		this.watch.close();
	}

}
