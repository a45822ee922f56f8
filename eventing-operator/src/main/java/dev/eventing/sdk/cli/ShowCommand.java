package dev.eventing.sdk.cli;

import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

import dev.eventing.sdk.deadletter.AuditEntry;
import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterSummary;
import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.deadletter.Failure;
import dev.eventing.sdk.event.EventHeaders;
import dev.eventing.sdk.event.RawEvent;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;

/** Shows all data of one letter. */
@Command(name = "show", description = "Shows a letter: headers, payload, error and audit.")
final class ShowCommand extends LetterCommand {

	@Parameters(paramLabel = "LETTER", description = "The letter's id.")
	private UUID letterId = new UUID(0, 0);

	ShowCommand(Terminal terminal) {
		super(terminal);
	}

	@Override
	int run(DeadLetters letters) {
		Optional<DeadLetter> letter = letters.get(this.letterId);
		if (letter.isEmpty()) {
			return nothingFound();
		}
		List<AuditEntry> audit = letters.audit(this.letterId);
		UUID behind = behind(letters);
		if (output().isJson()) {
			Map<String, @Nullable Object> json = LetterJson.letter(letter.get());
			json.put("behind", behind);
			json.put("audit", LetterJson.audit(audit));
			json(json);
		}
		else {
			print(letter.get(), behind);
			print(audit);
		}
		return ExitCode.OK;
	}

	private @Nullable UUID behind(DeadLetters letters) {
		return letters.find(DeadLetterFilter.of(this.letterId), null, 1)
			.letters()
			.stream()
			.map(DeadLetterSummary::behind)
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	private void print(DeadLetter letter, @Nullable UUID behind) {
		field("Letter", letter.letterId() + " (number " + letter.number() + ")");
		field("Status", letter.status());
		field("Projector", letter.projector());
		field("Tenant", letter.tenantId());
		field("Event", letter.eventId());
		field("Type", letter.eventType());
		field("Key", letter.orderingKey());
		field("From", letter.place().stream() + " #" + letter.place().sequence() + ", published "
				+ Times.readable(letter.place().storedAt()));
		field("Dead",
				Times.readable(letter.deadAt()) + ", first failed " + Times.readable(letter.cause().firstFailedAt()));
		field("Reason", letter.reason());
		field("Behind", behind);
		field("Attempts", letter.attempts() + ", and " + letter.handling().redrives() + " in redrives");
		field("Redrive", letter.handling().redriven().redriveId());
		field("Subject", letter.event().subject());
		print(letter.event().headers());
		payload("Payload", letter.event());
		RawEvent edited = letter.handling().edited();
		if (edited != null) {
			payload("Payload for redrives", edited);
		}
		Failure failure = letter.failure();
		if (failure != null) {
			print(failure);
		}
	}

	private void print(EventHeaders headers) {
		heading("Headers");
		headers.toMap()
			.forEach((name, values) -> values.forEach(
					(value) -> terminal().line("  " + Terminal.printable(name) + ": " + Terminal.printable(value))));
	}

	private void print(Failure failure) {
		heading("Error");
		String trace = failure.stackTrace();
		indented((trace != null) ? trace : failure.errorClass() + ": " + failure.message());
	}

	private void print(List<AuditEntry> audit) {
		if (!audit.isEmpty()) {
			heading("Audit");
		}
		audit.forEach((entry) -> terminal().line("  " + Times.readable(entry.at()) + "  " + entry.action() + "  "
				+ Terminal.printable(entry.actor()) + "  " + Terminal.printable(entry.detail())));
	}

	private void payload(String heading, RawEvent event) {
		byte[] payload = event.payload();
		String text = LetterJson.utf8(payload);
		if (text == null || text.indexOf('\0') >= 0) {
			heading(heading + " (" + payload.length + " bytes, binary, in base64)");
			indented(Base64.getMimeEncoder().encodeToString(payload));
			return;
		}
		heading(heading + " (" + payload.length + " bytes)");
		indented(pretty(text));
	}

	private static String pretty(String text) {
		try {
			return LetterJson.MAPPER.writerWithDefaultPrettyPrinter()
				.writeValueAsString(LetterJson.MAPPER.readTree(text));
		}
		catch (JacksonException | ArithmeticException | NumberFormatException ex) {
			// No JSON, or a number that BigDecimal cannot hold.
			return text;
		}
	}

	private void field(String name, @Nullable Object value) {
		String text = (value != null) ? Terminal.printable(value.toString()) : "-";
		terminal().line(terminal().bold("%-10s".formatted(name)) + " " + text);
	}

	private void heading(String text) {
		terminal().line("");
		terminal().line(terminal().bold(text));
	}

	private void indented(String text) {
		Terminal.printableLines(text).lines().forEach((line) -> terminal().line("  " + line));
	}

}
