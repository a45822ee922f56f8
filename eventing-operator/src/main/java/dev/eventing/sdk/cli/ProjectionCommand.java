package dev.eventing.sdk.cli;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projection.Projectors;
import dev.eventing.sdk.projection.ledger.CheckLedger;
import dev.eventing.sdk.projection.ledger.CheckRequests;
import dev.eventing.sdk.projection.ledger.JdbcProjections;
import dev.eventing.sdk.projection.ledger.JdbcProjectors;
import dev.eventing.sdk.projection.reconcile.GenerationComparison;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** The common part of all commands on the read model of a projector. */
@Command(mixinStandardHelpOptions = true, sortOptions = true, usageHelpAutoWidth = true,
		exitCodeListHeading = "%nExit codes:%n",
		exitCodeList = { "0:done", "1:an error, described in one line", "2:usage error",
				"3:no such projector has ever run on this database, or none of its checks",
				"5:no node runs the projector, or has the check; a request is stored, and waits for one",
				"8:the request was not done, and nothing was changed; no request waits to be cancelled;"
						+ " something stands in the way of a dry run; or a build has failed",
				"9:a check found differences, or has no answer" })
abstract class ProjectionCommand extends DatabaseCommand {

	@Parameters(paramLabel = "PROJECTOR", description = "The projector's name.")
	private String name = "";

	private @Nullable SingleConnectionDataSource dataSource;

	private @Nullable JdbcProjections readModels;

	private @Nullable CheckLedger checks;

	private @Nullable CheckRequests checkRequests;

	ProjectionCommand(Terminal terminal) {
		super(terminal);
	}

	/** The projector's name. */
	String name() {
		return this.name;
	}

	/** The projector's name, for sentences. */
	String quoted() {
		return "'" + Terminal.printable(this.name) + "'";
	}

	/** What reconciliations found. */
	CheckLedger checks() {
		return Objects.requireNonNull(this.checks);
	}

	/** Gives the application's role the rights that these statements give. */
	void runDdl(List<String> statements, String actor) {
		Objects.requireNonNull(this.readModels).runDdl(this.name, statements, actor);
	}

	/** What operators want to be checked. */
	CheckRequests checkRequests() {
		return Objects.requireNonNull(this.checkRequests);
	}

	/** Compares generations. */
	GenerationComparison comparison(Duration timeout) {
		return new GenerationComparison(Objects.requireNonNull(this.dataSource), database().schema(), checks(),
				timeout);
	}

	@Override
	final int run(SingleConnectionDataSource dataSource) {
		this.dataSource = dataSource;
		Projectors projectors = new JdbcProjectors(dataSource, database().schema());
		Optional<ProjectorOverview> found = projectors.find(this.name);
		if (found.isEmpty()) {
			List<String> known = projectors.list().stream().map(ProjectorOverview::name).distinct().toList();
			terminal().note("No node has ever run a projector " + quoted() + " on this database. Known are "
					+ Terminal.printable(String.join(", ", known)) + ".");
			return ExitCode.NOTHING_FOUND;
		}
		this.checks = new CheckLedger(dataSource, database().schema());
		this.checkRequests = new CheckRequests(dataSource, database().schema());
		this.readModels = new JdbcProjections(dataSource, database().schema());
		return run(projectors, this.readModels, found.get());
	}

	/**
	 * Runs the command.
	 * @param before the projector, as it was when the command began
	 * @return the exit code
	 */
	abstract int run(Projectors projectors, Projections projections, ProjectorOverview before);

	/** Says that no node runs the projector. */
	int noNode() {
		terminal().note(terminal().yellow("No node runs projector " + quoted()
				+ " now. The request is stored, and waits for one until it expires."));
		return ExitCode.NO_APPLICATION;
	}

}
