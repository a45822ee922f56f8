package dev.eventing.benchmark.measure;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import com.sun.management.OperatingSystemMXBean;

/** Measures what work takes: time, processors, heap. For one thread at a time. */
public final class Meter {

	private static final double NANOS_PER_SECOND = 1e9;

	private static final double MILLIS_PER_SECOND = 1e3;

	/**
	 * The clock of processor time advances by this on Linux: less cannot be told from
	 * none.
	 */
	private static final double CPU_TICK_SECONDS = 0.01;

	private static final Duration QUIET = Duration.ofMillis(50);

	private final CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();

	private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

	private final List<MemoryPoolMXBean> heap = ManagementFactory.getMemoryPoolMXBeans()
		.stream()
		.filter((pool) -> pool.getType() == MemoryType.HEAP)
		.toList();

	private final Duration patience;

	/**
	 * Measures nothing yet.
	 * @param patience how long it waits at most for compilers to be done with what the
	 * preparation of some work gave them to do
	 */
	public Meter(Duration patience) {
		this.patience = patience;
	}

	/**
	 * Runs the work and says what it took. Before, the heap is collected and compilers
	 * finish what the preparation gave them to do, so that each begins alike.
	 */
	public Usage measure(Work work) throws Exception {
		return measure(() -> {
			// nothing comes before
		}, work);
	}

	/**
	 * The same of work that something else begins, which is not measured: the clock runs
	 * from its end.
	 */
	public Usage measure(Work beginning, Work work) throws Exception {
		collectGarbage();
		awaitIdleCompilers();
		beginning.run();
		this.heap.forEach(MemoryPoolMXBean::resetPeakUsage);
		double servers = ServerCpu.seconds();
		long compiled = this.compilers.getTotalCompilationTime();
		long cpu = this.system.getProcessCpuTime();
		long begun = System.nanoTime();
		work.run();
		double seconds = (System.nanoTime() - begun) / NANOS_PER_SECOND;
		return new Usage(seconds,
				Math.max(CPU_TICK_SECONDS, (this.system.getProcessCpuTime() - cpu) / NANOS_PER_SECOND),
				(this.compilers.getTotalCompilationTime() - compiled) / MILLIS_PER_SECOND,
				Math.max(0, ServerCpu.seconds() - servers),
				this.heap.stream().mapToLong((pool) -> pool.getPeakUsage().getUsed()).sum());
	}

	/** The heap that is in use once garbage is collected, in bytes. */
	public static long usedHeap() {
		collectGarbage();
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
	}

	private static void collectGarbage() {
		ManagementFactory.getMemoryMXBean().gc();
	}

	private void awaitIdleCompilers() {
		long deadline = System.nanoTime() + this.patience.toNanos();
		long before = -1;
		long compiled = this.compilers.getTotalCompilationTime();
		while (compiled != before && System.nanoTime() - deadline < 0) {
			before = compiled;
			LockSupport.parkNanos(QUIET.toNanos());
			compiled = this.compilers.getTotalCompilationTime();
		}
	}

	/** The measured work. */
	public interface Work {

		void run() throws Exception;

	}

}
