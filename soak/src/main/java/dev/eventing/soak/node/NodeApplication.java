package dev.eventing.soak.node;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A node. It takes commands on standard input, a line each, and tells its status on
 * standard output twice a second. It ends with its input: so it does not outlive the
 * program that started it.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class NodeApplication {

	/** Ends the node in order. */
	public static final String STOP = "stop";

	/** Followed by a name of {@link Mischief.Kind} and milliseconds. */
	public static final String MISCHIEF = "mischief";

	/** Followed by a number that chooses which threads are interrupted. */
	public static final String INTERRUPT = "interrupt";

	/** Followed by a number that chooses which threads die, and milliseconds. */
	public static final String KILL = "kill";

	/** Followed by milliseconds without a connection. */
	public static final String EXHAUST = "exhaust";

	/**
	 * The tables the handlers write to. The program that starts the nodes creates them.
	 */
	public static final String TABLES = ReadModel.TABLES;

	private static final long STATUS_MILLIS = 500;

	/** Runs it; the arguments are properties. */
	public static void main(String[] args) throws IOException {
		PrintStream out = System.out;
		ConfigurableApplicationContext context = new SpringApplicationBuilder(NodeApplication.class)
			.web(WebApplicationType.NONE)
			.run(args);
		context.getBean(ThreadMischief.class).watchLog();
		ScheduledExecutorService status = Executors.newSingleThreadScheduledExecutor();
		StatusLine line = new StatusLine(context);
		var unused = status.scheduleAtFixedRate(() -> out.println(line.now()), 0, STATUS_MILLIS, TimeUnit.MILLISECONDS);
		BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String command = commands.readLine(); command != null; command = commands.readLine()) {
			String[] words = command.split(" ");
			if (words[0].equals(STOP)) {
				context.close();
				System.exit(0);
			}
			obey(context, words);
		}
		Runtime.getRuntime().halt(2);
	}

	private static void obey(ConfigurableApplicationContext context, String[] words) {
		if (words[0].equals(MISCHIEF)) {
			context.getBean(Mischief.class).arm(Mischief.Kind.valueOf(words[1]), Long.parseLong(words[2]));
		}
		else if (words[0].equals(EXHAUST)) {
			context.getBean(MischievousDataSource.class).exhaust(Long.parseLong(words[1]));
		}
		else if (words[0].equals(INTERRUPT)) {
			context.getBean(ThreadMischief.class).interrupt(Integer.parseInt(words[1]));
		}
		else if (words[0].equals(KILL)) {
			context.getBean(ThreadMischief.class).kill(Integer.parseInt(words[1]), Long.parseLong(words[2]));
		}
	}

	@Bean
	Mischief mischief() {
		return new Mischief();
	}

	@Bean
	ThreadMischief threadMischief() {
		return new ThreadMischief();
	}

	@Bean
	MischievousDataSource dataSource(DataSourceProperties properties, Mischief mischief, ThreadMischief threads) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(properties.determineUrl());
		pool.setUsername(properties.determineUsername());
		pool.setMaximumPoolSize(32);
		pool.setMinimumIdle(2);
		pool.setConnectionTimeout(2000);
		pool.setInitializationFailTimeout(-1);
		return new MischievousDataSource(pool, mischief, threads);
	}

	@Bean
	ReadModel readModel(JdbcTemplate jdbc, Mischief mischief) {
		return new ReadModel(jdbc, mischief);
	}

	@Bean
	Projectors projectors(ReadModel readModel) {
		return new Projectors(readModel);
	}

	@Bean
	RebuiltProjector rebuiltProjector(ReadModel readModel) {
		return new RebuiltProjector(readModel);
	}

}
