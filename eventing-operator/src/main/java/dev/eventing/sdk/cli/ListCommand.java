package dev.eventing.sdk.cli;

import dev.eventing.sdk.deadletter.DeadLetterPage;
import dev.eventing.sdk.deadletter.DeadLetterSummary;
import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.operator.LetterList;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists letters, newest first. */
@Command(name = "list", description = "Lists letters, newest first.")
final class ListCommand extends LetterCommand {

	@Mixin
	private final FilterOptions filter = new FilterOptions();

	@Option(names = "--limit", paramLabel = "N", order = 20, defaultValue = "20",
			description = "Number of letters, at most " + DeadLetters.MAX_PAGE + " (${DEFAULT-VALUE}).")
	private int limit;

	@Option(names = "--after", paramLabel = "NUMBER", order = 21,
			description = "Continues after this number, which the previous page shows.")
	private @Nullable Long after;

	ListCommand(Terminal terminal) {
		super(terminal);
	}

	@Override
	int run(DeadLetters letters) {
		DeadLetterPage page = letters.find(this.filter.filter(), this.after, this.limit);
		if (output().isJson()) {
			json(LetterList.of(page));
		}
		else if (!page.letters().isEmpty()) {
			print(page);
		}
		return page.letters().isEmpty() ? nothingFound() : ExitCode.OK;
	}

	private void print(DeadLetterPage page) {
		Table table = Table.endingInTexts("LETTER", "DEAD AT", "STATUS", "PROJECTOR", "TENANT", "TYPE", "KEY", "ERROR");
		for (DeadLetterSummary letter : page.letters()) {
			table.row(letter.letterId(), Times.readable(letter.deadAt()), letter.status(), letter.projector(),
					letter.tenantId(), letter.eventType(), letter.orderingKey(), error(letter));
		}
		table.print(terminal());
		if (page.next() != null) {
			terminal().note("More with --after " + page.next());
		}
	}

	/**
	 * The class without its package, and the message; else the reason, and which letter
	 * it waits for.
	 */
	private static String error(DeadLetterSummary letter) {
		String errorClass = letter.errorClass();
		if (errorClass == null) {
			return (letter.behind() != null) ? letter.reason() + " " + letter.behind() : letter.reason();
		}
		String name = errorClass.substring(errorClass.lastIndexOf('.') + 1);
		String message = letter.errorMessage();
		return (message != null) ? name + ": " + message.replaceAll("\\s+", " ") : name;
	}

}
