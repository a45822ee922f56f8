package dev.eventing.sdk.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Requests to an application, and the output of its answer. */
@DisabledOnOs(OS.WINDOWS)
class ApplicationCommandTests {

	private final StringWriter out = new StringWriter();

	private final StringWriter err = new StringWriter();

	@TempDir
	Path directory;

	private Path jar = Path.of("");

	@BeforeEach
	void createJar() throws IOException {
		this.jar = Files.createFile(this.directory.resolve("orders.jar"));
	}

	@Test
	void passesOnWhatIsAskedOfIt() throws IOException {
		answer(0, "{\"eventingCommand\":\"verify-events\",\"events\":5,\"upTo\":9,\"unbound\":[],\"unknownTypes\":[]}");
		assertThat(
				execute("events", "verify", "--from=4", "--tenant=acme", "--", "--spring.profiles.active=production"))
			.isEqualTo(ExitCode.OK);
		assertThat(this.directory.resolve("arguments"))
			.hasContent("-jar %s --eventing.command.run=verify-events --eventing.command.tenant=acme"
				.formatted(this.jar)
					+ " --eventing.command.from=4 --eventing.command.positions=20 --spring.profiles.active=production");
		assertThat(this.out).hasToString("5 events read up to position 9. Each of a known type binds.\n");
	}

	@Test
	void showsTypesThatDoNotBind() throws IOException {
		answer(9, """
				{"eventingCommand":"verify-events","events":5,"upTo":9,"unbound":[{"type":"order.placed","version":1,\
				"problem":"No upcaster.","events":2,"positions":[3,7]}],"unknownTypes":["lost"]}""");
		assertThat(execute("events", "verify")).isEqualTo(ExitCode.DIFFERENCES);
		assertThat(this.out.toString()).contains("order.placed  1        2       3, 7", "order.placed: No upcaster.",
				"No class for, so not verified: lost", "Some do not bind.");
		assertThat(this.err.toString()).as("the log").isEmpty();
	}

	@Test
	void showsWhichSnapshotsWereRebuilt() throws IOException {
		answer(8, """
				{"eventingCommand":"rebuild-snapshots","dryRun":false,"folds":[{"fold":"order","version":2,"due":3,\
				"written":2,"spared":0,"failed":1,"events":40,"failures":[{"tenant":"acme","stream":"order-7",\
				"problem":"The fold threw."}]}]}""");
		assertThat(execute("snapshots", "rebuild", "--rate=100", "--fold=order")).isEqualTo(ExitCode.NOT_DONE);
		assertThat(this.out.toString()).contains("order  2        3    2        0       1       40",
				"Stream 'order-7' of tenant 'acme': The fold threw.");
	}

	@Test
	void showsTheLogOfAnApplicationThatGivesNoResult() throws IOException {
		answer(0, "no such thing");
		assertThat(execute("events", "verify")).isEqualTo(ExitCode.ERROR);
		assertThat(this.err.toString()).contains("a line of the log", "no such thing", "gave no result");
	}

	@Test
	void refusesWhatCannotBeRun() {
		assertThat(execute("events", "verify", "--positions=0")).isEqualTo(ExitCode.USAGE);
		assertThat(execute("snapshots", "rebuild", "--rate=-1")).isEqualTo(ExitCode.USAGE);
		this.jar = this.directory.resolve("absent.jar");
		assertThat(execute("events", "verify")).isEqualTo(ExitCode.USAGE);
		assertThat(this.err.toString()).contains("There is no file");
	}

	/** In place of java. */
	private void answer(int exitCode, String result) throws IOException {
		Path java = this.directory.resolve("java");
		Files.writeString(java, """
				#!/bin/sh
				echo "$*" > "%s/arguments"
				echo "a line of the log"
				cat <<'END'
				%s
				END
				exit %d
				""".formatted(this.directory, result, exitCode));
		Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
	}

	private int execute(String... words) {
		List<String> line = new ArrayList<>(List.of(words));
		line.addAll(2, List.of("--application=" + this.jar, "--java=" + this.directory.resolve("java")));
		return EventingCli
			.commandLine(new Terminal(new PrintWriter(this.out, true), new PrintWriter(this.err, true), false, false))
			.execute(line.toArray(String[]::new));
	}

}
