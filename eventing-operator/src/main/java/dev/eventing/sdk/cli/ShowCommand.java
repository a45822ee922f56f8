package dev.eventing.sdk.cli;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import dev.eventing.sdk.deadletter.AuditEntry;
import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.operator.DeadLetterOperations;
import dev.eventing.sdk.operator.LetterRow;
import dev.eventing.sdk.operator.LetterView;
import dev.eventing.sdk.operator.LetterView.EventView;
import dev.eventing.sdk.operator.LetterView.Origin;
import dev.eventing.sdk.operator.OperatorRules;
import dev.eventing.sdk.operator.PayloadView;
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
		DeadLetterOperations operations = new DeadLetterOperations(letters, OperatorRules.ALL);
		return operations.letter(null, this.letterId).map(this::show).orElseGet(this::nothingFound);
	}

	private int show(LetterView view) {
		if (output().isJson()) {
			json(view);
		}
		else {
			print(view);
		}
		return ExitCode.OK;
	}

	private void print(LetterView view) {
		fields(view);
		headers(view.event().headers());
		payload("Payload", view.event().payload());
		PayloadView edited = view.event().editedPayload();
		if (edited != null) {
			payload("Payload for redrives", edited);
		}
		error(view);
		audit(view.audit());
	}

	private void fields(LetterView view) {
		LetterRow letter = view.letter();
		Origin origin = view.origin();
		EventView event = view.event();
		field("Letter", letter.letterId() + " (number " + letter.number() + ")");
		field("Status", letter.status());
		field("Projector", letter.projector());
		field("Tenant", letter.tenantId());
		field("Event", letter.eventId());
		field("Type", letter.eventType());
		field("Key", letter.key());
		field("From", origin.stream() + " #" + origin.streamSequence() + ", published "
				+ Times.readable(origin.publishedAt()));
		field("Dead", Times.readable(letter.deadAt()) + ", first failed " + Times.readable(origin.firstFailedAt()));
		field("Reason", letter.reason());
		field("Behind", letter.behind());
		field("Attempts", letter.attempts() + ", and " + letter.redrives() + " in redrives");
		field("Redrive", view.handling().redriveId());
		field("Subject", event.subject());
	}

	private void headers(Map<String, List<String>> headers) {
		heading("Headers");
		headers.forEach((name, values) -> values
			.forEach((value) -> terminal().line("  " + Terminal.printable(name) + ": " + Terminal.printable(value))));
	}

	private void error(LetterView view) {
		LetterRow letter = view.letter();
		if (letter.errorClass() != null) {
			heading("Error");
			String message = letter.errorMessage();
			String error = letter.errorClass() + ((message != null) ? ": " + message : "");
			String trace = Objects.requireNonNullElse(view.stackTrace(), "");
			// the message has the cause, which stands at the end of the trace
			if (!trace.startsWith(error)) {
				indented(error);
			}
			indented(trace);
		}
	}

	private void audit(List<AuditEntry> audit) {
		if (!audit.isEmpty()) {
			heading("Audit");
		}
		audit.forEach((entry) -> terminal().line("  " + Times.readable(entry.at()) + "  " + entry.action() + "  "
				+ Terminal.printable(entry.actor()) + "  " + Terminal.printable(entry.detail())));
	}

	private void payload(String heading, PayloadView payload) {
		String content = Objects.requireNonNullElse(payload.content(), "");
		boolean text = PayloadView.TEXT.equals(payload.encoding());
		if (text && content.indexOf('\0') < 0) {
			heading(heading + " (" + payload.bytes() + " bytes)");
			indented(pretty(content));
			return;
		}
		byte[] bytes = text ? content.getBytes(StandardCharsets.UTF_8) : Base64.getDecoder().decode(content);
		heading(heading + " (" + payload.bytes() + " bytes, binary, in base64)");
		indented(Base64.getMimeEncoder().encodeToString(bytes));
	}

	private static String pretty(String text) {
		try {
			return OutputOptions.JSON.writerWithDefaultPrettyPrinter()
				.writeValueAsString(OutputOptions.JSON.readTree(text));
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
