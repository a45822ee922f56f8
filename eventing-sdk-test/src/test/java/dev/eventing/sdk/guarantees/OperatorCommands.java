package dev.eventing.sdk.guarantees;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.test.timing.Patience;

import static org.assertj.core.api.Assertions.assertThat;

/** The commands of an operator on the read model of {@link Accounts}, in the jar. */
final class OperatorCommands {

	private final World world;

	OperatorCommands(World world) {
		this.world = world;
	}

	/** Prints the command and what it prints, as the documents show it. */
	String projection(int exit, String command, String... options) throws IOException, InterruptedException {
		List<String> shown = new ArrayList<>(List.of("projection", command));
		if (!command.equals("list")) {
			shown.add(Accounts.PROJECTOR);
		}
		shown.addAll(List.of(options));
		List<String> line = ChildJvm.eventing();
		line.addAll(shown);
		line.addAll(List.of("--url", this.world.jdbcUrl(), "--user", "postgres"));
		if (!List.of("show", "list", "audit").contains(command)) {
			line.addAll(List.of("--actor", "anna"));
		}
		Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor(Patience.PROCESS.toSeconds(), TimeUnit.SECONDS)).isTrue();
		System.out.println("$ eventing " + String.join(" ", shown));
		System.out.print(output);
		assertThat(process.exitValue()).as(output).isEqualTo(exit);
		return output;
	}

}
