package dev.eventing.soak;

import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.soak.fault.FaultKind;
import dev.eventing.soak.fault.Faults;
import dev.eventing.soak.fault.Plan;
import dev.eventing.soak.judge.NodeStatus;
import dev.eventing.soak.judge.ReadModels;
import dev.eventing.soak.judge.StallJudge;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import org.springframework.dao.DataAccessException;

/**
 * The program: starts servers, nodes and load, lets things go wrong, has all of it come
 * to rest, and says what was wrong. It exits with 0 if nothing was, else with 1.
 */
@Command(name = "soak", mixinStandardHelpOptions = true, sortOptions = false,
		description = "Three nodes under load and random faults.")
public final class Soak implements Callable<Integer> {

	private static final int NODES = 3;

	/** JVMs start slowly side by side on a small machine. */
	private static final Duration START = Duration.ofMinutes(2);

	/** How long health may take to see that all is well again. */
	private static final Duration RECOVERY = Duration.ofSeconds(60);

	@Mixin
	private final SoakOptions options = new SoakOptions();

	private final Log log = new Log(System.out);

	private final CountDownLatch never = new CountDownLatch(1);

	/** Runs it. */
	public static void main(String[] args) {
		// For this program alone: the nodes are applications, each with its own log.
		System.setProperty("logback.configurationFile", "soak-logback.xml");
		System.exit(new CommandLine(new Soak()).setCaseInsensitiveEnumValuesAllowed(true).execute(args));
	}

	@Override
	public Integer call() throws Exception {
		Files.createDirectories(this.options.logs());
		Set<FaultKind> kinds = this.options.kinds();
		try (Equipment equipment = new Equipment(kinds, this.options.hasCluster())) {
			leftOut(equipment).forEach(this.log::line);
			kinds.removeAll(equipment.missing().keySet());
			if (kinds.isEmpty()) {
				this.log.line("Nothing is left to go wrong.");
				return 2;
			}
			return run(equipment, kinds);
		}
	}

	private int run(Equipment equipment, Set<FaultKind> kinds) throws Exception {
		try (Servers servers = new Servers(NODES, equipment, this.options.logs());
				Sender sender = new Sender(servers)) {
			servers.nodes().forEach(Node::start);
			if (!await(START, () -> servers.nodes().stream().allMatch(Soak::isUp))) {
				this.log.line("The nodes do not start; consider their logs in " + this.options.logs() + ".");
				return 1;
			}
			Summary summary = run(servers, sender, kinds);
			summary.print(this.log, this.options.logs());
			return summary.isGood() ? 0 : 1;
		}
	}

	private Summary run(Servers servers, Sender sender, Set<FaultKind> kinds) throws Exception {
		ReadModels readModels = new ReadModels(servers.admin(), Servers.HOSTILE_SUBJECT);
		StallJudge judge = new StallJudge(this.options.patience(), System.nanoTime());
		Plan plan = new Plan(this.options.seed(), kinds, NODES, this.options.patience().plusSeconds(5).toMillis());
		List<String> complaints = new ArrayList<>();
		Loads loads = new Loads(sender, this.options.rate(), this.options.seed());
		RecoveryMeter meter = new RecoveryMeter(servers, loads, judge, this.log);
		Chaos chaos = new Chaos(plan, new Faults(servers), judge, meter, this.log);
		Operator operator = new Operator(servers, judge, this.log, this.options.seed());
		try (meter; Observer observer = new Observer(servers, readModels, loads, judge, this.log)) {
			if (this.options.hasOperator()) {
				operator.start();
			}
			chaos.run(this.options.millis());
			operator.stop();
			loads.stop();
			complaints.addAll(rest(servers, readModels, loads));
			complaints.addAll(beside(operator, readModels, loads));
			this.log.line("the operator: " + operator.done());
			complaints.addAll(observer.violations());
			this.log.line(observer.revived() + " nodes had ended by themselves");
		}
		complaints.addAll(readModels.differences(loads.appendedVersions(), loads.publishedVersions()));
		complaints.addAll(hostile(servers, readModels));
		complaints.addAll(judge.complaints());
		complaints.addAll(servers.complaints());
		List<String> notes = new ArrayList<>(meter.lines());
		notes.addAll(leftOut(servers.equipment()));
		return new Summary(chaos.done(), chaos.undone(), judge.longest(), loads.appended() + loads.published(),
				readModels.letters(), servers.nodes(), notes, complaints.stream().distinct().toList());
	}

	private static List<String> leftOut(Equipment equipment) {
		return equipment.missing()
			.entrySet()
			.stream()
			.sorted(Map.Entry.comparingByKey())
			.map((kind) -> "left out: " + kind.getKey() + ": " + kind.getValue())
			.toList();
	}

	/** Mends what the poisoned events fail with, and redrives until nothing is left. */
	private List<String> rest(Servers servers, ReadModels readModels, Loads loads) throws InterruptedException {
		this.log.line("all faults are over; everything is to come to rest");
		servers.admin().execute("insert into mended default values");
		long begun = System.nanoTime();
		boolean rested = await(this.options.drain(), () -> {
			Faults.redrive(servers);
			return readModels.progress(loads.appended(), loads.published())
				.values()
				.stream()
				.allMatch((progress) -> progress.applied() >= progress.expected() && progress.letters() == 0);
		});
		long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
		this.log.line((rested ? "at rest after " : "not at rest after ") + seconds + " s");
		if (!rested) {
			return List
				.of("not at rest after " + seconds + " s: " + readModels.progress(loads.appended(), loads.published()));
		}
		boolean up = await(RECOVERY, () -> servers.nodes().stream().allMatch(Soak::isUp));
		return up ? List.of() : List.of("health is not UP though everything is at rest: "
				+ servers.nodes().stream().map(Node::status).toList());
	}

	/** A generation beside the live one is to be as exact, once it has met the end. */
	private List<String> beside(Operator operator, ReadModels readModels, Loads loads) throws InterruptedException {
		List<String> found = new ArrayList<>(operator.complaints());
		ProjectionGeneration beside = operator.beside().orElse(null);
		String schema = (beside != null && beside.status().isFed()) ? beside.schema() : null;
		if (beside != null && schema != null) {
			String name = beside.status() + " generation " + beside.generation();
			boolean met = await(this.options.drain(), () -> readModels.applied(schema) >= loads.appended());
			this.log.line(name + (met ? " has" : " has not") + " met the end");
			found.addAll(readModels.differences(name, schema, loads.appendedVersions()));
		}
		return found;
	}

	/** Each costs one letter of the one projector that gets it, and nothing else. */
	private static List<String> hostile(Servers servers, ReadModels readModels) throws Exception {
		Map<String, Long> letters = readModels.hostileLetters();
		long expected = servers.hostileMessages();
		Map<String, Long> right = (expected > 0) ? Map.of("published-plain", expected) : Map.of();
		return letters.equals(right) ? List.of()
				: List.of(expected + " unreadable messages have the letters " + letters);
	}

	private boolean await(Duration patience, BooleanSupplier condition) throws InterruptedException {
		long end = System.nanoTime() + patience.toNanos();
		while (System.nanoTime() < end) {
			if (holds(condition)) {
				return true;
			}
			if (this.never.await(1, TimeUnit.SECONDS)) {
				throw new IllegalStateException("nobody counts down");
			}
		}
		return false;
	}

	private static boolean holds(BooleanSupplier condition) {
		try {
			return condition.getAsBoolean();
		}
		catch (DataAccessException ex) {
			return false;
		}
	}

	private static boolean isUp(Node node) {
		NodeStatus status = node.status();
		return status != null && status.health().equals("UP");
	}

}
