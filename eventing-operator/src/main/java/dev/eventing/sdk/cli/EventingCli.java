package dev.eventing.sdk.cli;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.TenantId;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/**
 * The program {@code java -jar eventing-cli.jar}. Every command runs on the caller's
 * thread, and opens one connection to the database and closes it, or runs the application
 * for that; {@code --help} lists exit codes.
 */
@Command(name = "eventing", description = "Manages the database of an Eventing SDK application.",
		mixinStandardHelpOptions = true, versionProvider = EventingCli.Version.class,
		synopsisSubcommandLabel = "COMMAND")
public final class EventingCli {

	private EventingCli() {
	}

	/** Ends the JVM with the command's exit code. */
	public static void main(String... args) {
		// No log line here is meant for the operator.
		System.setProperty("slf4j.internal.verbosity", "ERROR");
		System.setProperty("org.apache.commons.logging.Log", "org.apache.commons.logging.impl.NoOpLog");
		Terminal terminal = Terminal.system();
		String lost = LostCharacters.describe(args.length);
		if (lost != null) {
			terminal.note(terminal.red("eventing: ") + lost);
			System.exit(ExitCode.USAGE);
		}
		int exitCode = commandLine(terminal).execute(args);
		System.exit(exitCode);
	}

	static CommandLine commandLine(Terminal terminal) {
		CommandLine eventing = new CommandLine(new EventingCli()).addSubcommand(letters(terminal))
			.addSubcommand(projectors(terminal))
			.addSubcommand(projections(terminal))
			.addSubcommand(new EraseCommand(terminal))
			.addSubcommand(new CommandLine(new EventsCommand()).addSubcommand(new EventsVerifyCommand(terminal)))
			.addSubcommand(
					new CommandLine(new SnapshotsCommand()).addSubcommand(new SnapshotsRebuildCommand(terminal)));
		eventing.setOut(terminal.out());
		eventing.setErr(terminal.err());
		eventing.setColorScheme(CommandLine.Help
			.defaultColorScheme(terminal.isColoured() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF));
		eventing.setCaseInsensitiveEnumValuesAllowed(true);
		readValuesAsTheyAre(eventing);
		eventing.registerConverter(UUID.class, LetterIds::one);
		eventing.registerConverter(TenantId.class, EventingCli::tenant);
		eventing.registerConverter(Duration.class, Times::duration);
		eventing.registerConverter(Instant.class, (text) -> Times.instant(text, Instant.now()));
		eventing.setExecutionExceptionHandler(
				(ex, command, parsed) -> new ErrorLine(terminal).print(ex, command.getCommand()));
		return eventing;
	}

	/**
	 * Ids are what others have chosen: one may begin like an option, such as
	 * {@code --stream=-vQ3x}, or with the sign of an argument file.
	 */
	private static void readValuesAsTheyAre(CommandLine eventing) {
		eventing.setExpandAtFiles(false);
		eventing.setAllowOptionsAsOptionParameters(true);
		eventing.setExecutionStrategy((parsed) -> {
			parsed.asCommandLineList().forEach((command) -> refuseForgottenValues(command, parsed.originalArgs()));
			return new CommandLine.RunLast().execute(parsed);
		});
	}

	/**
	 * An option whose value is forgotten does not take the next option for it: that may
	 * be {@code --dry-run}.
	 */
	private static void refuseForgottenValues(CommandLine command, List<String> arguments) {
		for (OptionSpec option : command.getParseResult().matchedOptions()) {
			for (String value : option.originalStringValues()) {
				boolean isOption = command.getCommandSpec().optionsMap().containsKey(value.split("=", 2)[0]);
				if (isOption && Stream.of(option.names()).noneMatch((name) -> arguments.contains(name + "=" + value))) {
					throw new ParameterException(command, "Expected parameter for option '" + option.longestName()
							+ "' but found '" + value + "'. Consider " + option.longestName() + "=" + value + ".");
				}
			}
		}
	}

	private static CommandLine letters(Terminal terminal) {
		return new CommandLine(new DlqCommand()).addSubcommand(new ListCommand(terminal))
			.addSubcommand(new ShowCommand(terminal))
			.addSubcommand(new StatsCommand(terminal))
			.addSubcommand(new RedriveCommand(terminal))
			.addSubcommand(new DiscardCommand(terminal))
			.addSubcommand(new EditCommand(terminal))
			.addSubcommand(new ExportCommand(terminal));
	}

	private static CommandLine projectors(Terminal terminal) {
		return new CommandLine(new ProjectorsCommand()).addSubcommand(new ProjectorListCommand(terminal))
			.addSubcommand(new ProjectorLagCommand(terminal))
			.addSubcommand(new PauseCommand(terminal))
			.addSubcommand(new ResumeCommand(terminal))
			.addSubcommand(new DemoteCommand(terminal))
			.addSubcommand(new PromoteCommand(terminal));
	}

	private static CommandLine projections(Terminal terminal) {
		return new CommandLine(new ProjectionsCommand()).addSubcommand(new ProjectionListCommand(terminal))
			.addSubcommand(new ProjectionShowCommand(terminal))
			.addSubcommand(new ProjectionCheckCommand(terminal))
			.addSubcommand(new ReconcileCommand(terminal))
			.addSubcommand(new ProjectionDiffCommand(terminal))
			.addSubcommand(new RebuildCommand(terminal))
			.addSubcommand(new BackfillCommand(terminal))
			.addSubcommand(new SwitchCommand(terminal))
			.addSubcommand(new RollbackCommand(terminal))
			.addSubcommand(new RetireCommand(terminal))
			.addSubcommand(new AdoptCommand(terminal))
			.addSubcommand(new ProjectionDdlCommand(terminal))
			.addSubcommand(new ProjectionCancelCommand(terminal))
			.addSubcommand(new ProjectionAuditCommand(terminal));
	}

	private static TenantId tenant(String text) {
		try {
			return TenantId.of(text);
		}
		catch (EventingException ex) {
			throw new TypeConversionException(String.valueOf(ex.getMessage()));
		}
	}

	/** The commands on letters. Its subcommands do the work. */
	@Command(name = "dlq", description = "Shows, redrives, edits and discards dead letters.",
			mixinStandardHelpOptions = true, synopsisSubcommandLabel = "COMMAND")
	private static final class DlqCommand {

	}

	/** The commands on projectors. Its subcommands do the work. */
	@Command(name = "projector", description = "Shows, pauses and demotes projectors.", mixinStandardHelpOptions = true,
			synopsisSubcommandLabel = "COMMAND")
	private static final class ProjectorsCommand {

	}

	/** The commands on read models. Its subcommands do the work. */
	@Command(name = "projection", description = "Shows and rebuilds the read models of projectors.",
			mixinStandardHelpOptions = true, synopsisSubcommandLabel = "COMMAND")
	private static final class ProjectionsCommand {

	}

	/** The commands on stored events. Its subcommands do the work. */
	@Command(name = "events", description = "Verifies stored events with the code of an application.",
			mixinStandardHelpOptions = true, synopsisSubcommandLabel = "COMMAND")
	private static final class EventsCommand {

	}

	/** The commands on snapshots. Its subcommands do the work. */
	@Command(name = "snapshots", description = "Rebuilds the snapshots of streams with the code of an application.",
			mixinStandardHelpOptions = true, synopsisSubcommandLabel = "COMMAND")
	private static final class SnapshotsCommand {

	}

	/** The version in the jar's manifest. */
	static final class Version implements IVersionProvider {

		@Override
		public String[] getVersion() {
			@Nullable String version = EventingCli.class.getPackage().getImplementationVersion();
			return new String[] { "eventing " + ((version != null) ? version : "(not packaged)") };
		}

	}

}
