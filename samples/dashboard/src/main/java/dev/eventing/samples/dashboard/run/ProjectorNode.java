package dev.eventing.samples.dashboard.run;

import java.io.IOException;

import dev.eventing.samples.dashboard.DashboardApplication;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * The process of the projector. It ends with its input, so that it does not outlive the
 * program that started it.
 */
public final class ProjectorNode {

	private ProjectorNode() {
	}

	/** Runs it; the arguments are properties. */
	public static void main(String[] args) throws IOException {
		ConfigurableApplicationContext context = DashboardApplication.withProfile("projector").run(args);
		while (System.in.read() >= 0) {
			// The parent process writes nothing; the end of the input is the signal.
		}
		context.close();
		System.exit(0);
	}

}
