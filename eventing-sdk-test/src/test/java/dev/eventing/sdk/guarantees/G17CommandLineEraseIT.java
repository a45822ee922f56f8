package dev.eventing.sdk.guarantees;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** An operator erases a person, while the application runs. */
class G17CommandLineEraseIT extends ErasureSetup {

	@Test
	void erasesAStreamOfARunningApplication() throws Exception {
		try (AnnotationConfigApplicationContext application = startWithRelay(new Stored())) {
			append(World.ACME, "ann", this.secret, this.secret + "2");
			append(World.ACME, "bob", "bob");
			awaitNames(World.ACME, "ann", this.secret + " " + this.secret + "2");
			awaitNames(World.ACME, "bob", "bob");
			awaitDeclared();
			awaitRelayed(3);
			assertThat(erase(0, "--dry-run")).contains(
					"2      events", "rows of table \"person\" of projector \"people\"", "nats stream purge "
							+ this.world.stream() + " --subject '" + this.world.root() + ".acme.deposited'",
					"Nothing was changed.");
			assertThat(found(this.secret)).isNotEmpty();
			assertThat(erase(6)).contains("Erase this of stream '", "Consider --yes.");
			assertThat(found(this.secret)).isNotEmpty();
			assertThat(erase(0, "--yes")).contains("Erased: ");
			assertThatNothingIsFound();
			assertThat(erase(0, "--yes")).contains("Erased: 0 in all.");
			assertThat(erase(0, "--yes", "--json")).contains("\"known\":true", "\"events\":0", "\"pending\":[]");
			assertThat(names("public", World.ACME, "bob")).isEqualTo("bob");
		}
	}

	@Test
	void refusesARoleThatMayNotAndAStreamThatIsNot() throws Exception {
		append(World.ACME, "ann", this.secret);
		assertThat(eventing(3, "erase", "--tenant", "acme", "--stream", "nobody", "--reason", "x", "--yes"))
			.contains("Tenant 'acme' has no stream 'nobody'.");
		assertThat(
				eventing(3, "erase", "--tenant", "acme", "--stream", "nobody", "--reason", "x", "--dry-run", "--json"))
			.contains("{\"tenant\":\"acme\",\"stream\":\"nobody\",\"known\":false,\"dryRun\":true,\"erased\":{");
		String role = "eraser_" + this.world.root();
		this.world.jdbc().execute("create role " + role + " login");
		try {
			this.world.jdbc().execute("grant usage on schema eventing to " + role);
			this.world.jdbc().execute("grant select, insert on all tables in schema eventing to " + role);
			assertThat(run(1, role, "erase", "--tenant", "acme", "--stream", stream("ann"), "--reason", "x", "--yes"))
				.contains("Role " + role + " may not erase: it lacks ", "update on eventing.events",
						"Consider another role");
			assertThat(found(this.secret)).isNotEmpty();
		}
		finally {
			this.world.jdbc().execute("drop owned by " + role);
			this.world.jdbc().execute("drop role " + role);
		}
	}

	private String erase(int exit, String... options) throws IOException, InterruptedException {
		List<String> arguments = new ArrayList<>(
				List.of("erase", "--tenant", "acme", "--stream", stream("ann"), "--reason", "request 4711"));
		arguments.addAll(List.of(options));
		return eventing(exit, arguments.toArray(String[]::new));
	}

	private String eventing(int exit, String... arguments) throws IOException, InterruptedException {
		return run(exit, "postgres", arguments);
	}

	private String run(int exit, String user, String... arguments) throws IOException, InterruptedException {
		List<String> command = ChildJvm.eventing();
		command.addAll(List.of(arguments));
		command.addAll(List.of("--url", this.world.jdbcUrl().replace("user=postgres", "user=" + user), "--user", user,
				"--actor", "anna"));
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		process.getOutputStream().close();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor(Patience.PROCESS.toSeconds(), TimeUnit.SECONDS)).isTrue();
		System.out.println("$ eventing " + String.join(" ", arguments));
		System.out.print(output);
		assertThat(process.exitValue()).as(output).isEqualTo(exit);
		return output;
	}

}
