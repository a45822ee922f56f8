package dev.eventing.sdk.cli;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;

import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.operator.DiscardView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Discards letters, so that they are never applied. */
@Command(name = "discard", description = { "Discards open letters, so that they are never applied.",
		"Events parked because of them are redriven. This cannot be undone." })
final class DiscardCommand extends LetterCommand {

	@Parameters(paramLabel = "LETTER", arity = "0..*", description = "Ids of letters.")
	private List<String> letterIds = List.of();

	@Mixin
	private final FilterOptions filter = new FilterOptions();

	@Mixin
	private final ConfirmOptions confirm = new ConfirmOptions();

	@Option(names = "--reason", paramLabel = "TEXT", required = true, order = 20,
			description = "The reason, for the audit.")
	private String reason = "";

	DiscardCommand(Terminal terminal) {
		super(terminal);
	}

	@Override
	int run(DeadLetters letters) {
		DeadLetterFilter all = this.filter.chosen(LetterIds.all(this.letterIds), this.confirm.isAll());
		DeadLetterFilter chosen = this.confirm.isAsked() ? present(letters, all) : all;
		long planned = letters.planDiscard(chosen);
		if (planned == 0) {
			return report(0, "");
		}
		if (this.confirm.isDryRun()) {
			return report(planned, "Would discard " + words(planned) + ".");
		}
		if (!this.confirm.isConfirmed("Discard " + words(planned) + "?", terminal())) {
			return ExitCode.NOT_CONFIRMED;
		}
		long discarded = letters.discard(chosen, planned, this.confirm.actor(), this.reason);
		return report(discarded, "Discarded " + words(discarded) + ".");
	}

	/** None that comes before the answer: it is not among those that are counted. */
	private static DeadLetterFilter present(DeadLetters letters, DeadLetterFilter chosen) {
		return letters.stats(chosen, Duration.ofHours(1), 1)
			.groups()
			.stream()
			.map((group) -> group.dead().newest())
			.max(Comparator.naturalOrder())
			.map((newest) -> chosen.withDead(chosen.dead().from(), newest.plus(1, ChronoUnit.MICROS)))
			.orElse(chosen);
	}

	private int report(long count, String words) {
		if (output().isJson()) {
			json(new DiscardView(count, this.confirm.isDryRun()));
		}
		else if (count > 0) {
			terminal().line(words);
		}
		return (count > 0) ? ExitCode.OK : nothingFound();
	}

	private static String words(long count) {
		return (count == 1) ? "1 letter" : count + " letters";
	}

}
