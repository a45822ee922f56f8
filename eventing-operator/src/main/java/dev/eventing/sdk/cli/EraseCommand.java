package dev.eventing.sdk.cli;

import java.util.List;
import java.util.Objects;

import dev.eventing.sdk.erasure.Erasure;
import dev.eventing.sdk.erasure.ErasureReport;
import dev.eventing.sdk.erasure.ErasureReport.Erased;
import dev.eventing.sdk.erasure.ErasureRequest;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.operator.ErasureView;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** Erases the contents of a stream. */
@Command(name = "erase", mixinStandardHelpOptions = true, sortOptions = true, usageHelpAutoWidth = true,
		description = { "Erases the contents of a stream: of events, snapshots, dead letters and read models.",
				"Names what it cannot erase, and how to purge JetStream. This cannot be undone." },
		exitCodeListHeading = "%nExit codes:%n",
		exitCodeList = { "0:erased, or nothing was left", "1:an error, described in one line; nothing is erased",
				"2:usage error", "3:no such stream", "6:not confirmed",
				"8:erased, but a relay that runs may still publish what it had read before" })
final class EraseCommand extends DatabaseCommand {

	@Option(names = "--tenant", paramLabel = "TENANT", required = true, order = 1,
			description = "The tenant of the stream.")
	private @Nullable TenantId tenant;

	@Option(names = "--stream", paramLabel = "STREAM", required = true, order = 2,
			description = "The id of the stream in the event store.")
	private String stream = "";

	@Option(names = "--reason", paramLabel = "TEXT", required = true, order = 3,
			description = "The reason, for the audit. Not what has to be erased some day.")
	private String reason = "";

	@Mixin
	private final ChangeOptions change = new ChangeOptions();

	@Option(names = { "-y", "--yes" }, order = 12, description = "Does not ask. Required without a terminal.")
	private boolean yes;

	EraseCommand(Terminal terminal) {
		super(terminal);
	}

	@Override
	int run(SingleConnectionDataSource dataSource) {
		Erasure erasure = new Erasure(dataSource, database().schema());
		ErasureRequest request = new ErasureRequest(Objects.requireNonNull(this.tenant), this.stream,
				this.change.actor(), this.reason);
		if (this.change.isDryRun()) {
			return print(request, true, erasure.plan(request));
		}
		if (!this.yes) {
			ErasureReport planned = erasure.plan(request);
			if (!output().isJson()) {
				table(planned);
			}
			if (!isConfirmed()) {
				return ExitCode.NOT_CONFIRMED;
			}
		}
		return print(request, false, erasure.erase(request));
	}

	private boolean isConfirmed() {
		String question = "Erase this of stream '" + Terminal.printable(this.stream) + "' of tenant '" + this.tenant
				+ "'?";
		if (!terminal().isInteractive()) {
			terminal().note(question + " There is no terminal for the answer, so nothing is done. Consider --yes.");
			return false;
		}
		if (!terminal().confirms(question)) {
			terminal().note("Nothing is done.");
			return false;
		}
		return true;
	}

	private int print(ErasureRequest request, boolean dryRun, ErasureReport report) {
		if (output().isJson()) {
			json(ErasureView.of(request, dryRun, report));
		}
		else {
			table(report);
			lines("Not erased:", report.notErased());
			lines("JetStream keeps what was published. To purge it:", report.outside());
			lines("Not confirmed yet:", report.pending());
			terminal().line(dryRun ? "Nothing was changed." : "Erased: " + report.total() + " in all.");
		}
		if (!report.known()) {
			terminal().note("Tenant '" + this.tenant + "' has no stream '" + Terminal.printable(this.stream) + "'.");
			return ExitCode.NOTHING_FOUND;
		}
		return report.pending().isEmpty() ? ExitCode.OK : ExitCode.NOT_DONE;
	}

	private void table(ErasureReport report) {
		List<Erased> some = report.erased().stream().filter((each) -> each.count() > 0).toList();
		if (!some.isEmpty()) {
			Table table = new Table("COUNT", "WHAT");
			some.forEach((each) -> table.row(each.count(), each.what()));
			table.print(terminal());
		}
	}

	private void lines(String heading, List<String> lines) {
		if (!lines.isEmpty()) {
			terminal().line(heading);
			lines.forEach((line) -> terminal().line("  " + Terminal.printable(line)));
		}
	}

}
