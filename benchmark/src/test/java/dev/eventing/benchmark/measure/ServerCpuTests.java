package dev.eventing.benchmark.measure;

import java.io.BufferedReader;
import java.io.IOException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;

@EnabledOnOs(OS.LINUX)
class ServerCpuTests {

	private static final String COUNT = "i=0; while [ $i -lt 500000 ]; do i=$((i+1)); done";

	@Test
	void aProcessThatRunsCounts() throws Exception {
		assertThat(secondsOf(COUNT + "; echo done; read end")).isPositive();
	}

	@Test
	void whatAnEndedChildHadUsedCounts() throws Exception {
		assertThat(secondsOf("(" + COUNT + "); echo done; read end")).isPositive();
	}

	private static double secondsOf(String script) throws IOException, InterruptedException {
		double before = ServerCpu.seconds();
		Process process = new ProcessBuilder("/bin/sh", "-c", script).start();
		try (BufferedReader output = process.inputReader()) {
			assertThat(output.readLine()).isEqualTo("done");
			return ServerCpu.seconds() - before;
		}
		finally {
			process.destroy();
			process.waitFor();
		}
	}

}
