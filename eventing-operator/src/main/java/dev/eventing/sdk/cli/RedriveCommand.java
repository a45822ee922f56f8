package dev.eventing.sdk.cli;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.deadletter.Redrive;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.operator.ProgressView;
import dev.eventing.sdk.operator.RedriveResult;
import dev.eventing.sdk.operator.RedriveView;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Requests a redrive by the application, and follows its progress. */
@Command(name = "redrive", description = { "Redrives parked letters in the application that has their handler.",
		"Includes all parked letters of their keys, in order. By default, waits for the end." })
final class RedriveCommand extends LetterCommand {

	@Parameters(paramLabel = "LETTER", arity = "0..*", description = "Ids of letters.")
	private List<String> letterIds = List.of();

	@Mixin
	private final FilterOptions filter = new FilterOptions();

	@Mixin
	private final ConfirmOptions confirm = new ConfirmOptions();

	@Option(names = "--rate", paramLabel = "N", order = 20, description = "Maximum number of letters per second.")
	private @Nullable Integer rate;

	@Option(names = "--no-wait", order = 21, description = "Only requests the redrive; does not wait for its end.")
	private boolean noWait;

	@Option(names = "--alive-within", paramLabel = "DURATION", order = 22, defaultValue = "10s",
			description = "How long to wait for a running application (${DEFAULT-VALUE}).")
	private Duration aliveWithin = Duration.ofSeconds(10);

	RedriveCommand(Terminal terminal) {
		super(terminal);
	}

	@Override
	int run(DeadLetters letters) {
		DeadLetterFilter chosen = this.filter.chosen(LetterIds.all(this.letterIds), this.confirm.isAll());
		Redrive plan = letters.plan(chosen);
		if (plan.letters() == 0) {
			return nothing(plan);
		}
		if (this.confirm.isDryRun()) {
			return dryRun(RedriveView.of(plan, letters), plan);
		}
		if (!this.confirm.isConfirmed("Redrive " + words(plan) + "?", terminal())) {
			return ExitCode.NOT_CONFIRMED;
		}
		Redrive redrive = letters.redrive(new RedriveRequest(chosen, this.confirm.actor(), this.rate));
		UUID redriveId = redrive.redriveId();
		return (redriveId != null) ? follow(letters, redrive, redriveId) : nothing(redrive);
	}

	private int dryRun(RedriveView view, Redrive plan) {
		if (output().isJson()) {
			json(new RedriveResult(view, null));
		}
		else {
			terminal().line("Would redrive " + words(plan) + ".");
		}
		if (view.unattended().isEmpty()) {
			return ExitCode.OK;
		}
		terminal().note(terminal()
			.yellow(RedriveWatch.unattended(view.unattended()) + " The letters would be redriven once one starts."));
		return ExitCode.NO_APPLICATION;
	}

	private int nothing(Redrive redrive) {
		if (output().isJson()) {
			json(new RedriveResult(RedriveView.of(redrive, List.of()), null));
		}
		return nothingFound();
	}

	private int follow(DeadLetters letters, Redrive redrive, UUID redriveId) {
		if (!output().isJson()) {
			terminal().line("Redrive " + redriveId + " of " + words(redrive) + " is requested.");
		}
		RedriveWatch watch = new RedriveWatch(letters, terminal(), this.aliveWithin);
		RedriveWatch.End end = this.noWait ? watch.look(redriveId) : watch.await(redriveId);
		if (output().isJson()) {
			json(new RedriveResult(RedriveView.of(redrive, end.unattended()), ProgressView.of(end.progress())));
		}
		else {
			terminal().line(RedriveWatch.words(end.progress()) + ".");
		}
		if (end.exitCode() == ExitCode.STAYS_PARKED) {
			terminal().note("Letters that failed again, and later ones of their keys, stay parked. Consider "
					+ "'eventing dlq list --status PARKED'.");
		}
		return end.exitCode();
	}

	private static String words(Redrive redrive) {
		String followers = (redrive.followers() > 0)
				? " (" + redrive.selected() + " selected, " + redrive.followers() + " more of their keys)" : "";
		String projectors = String.join(", ",
				redrive.byProjector().keySet().stream().map(Terminal::printable).sorted().toList());
		return ((redrive.letters() == 1) ? "1 letter" : redrive.letters() + " letters") + followers + " of "
				+ projectors;
	}

}
