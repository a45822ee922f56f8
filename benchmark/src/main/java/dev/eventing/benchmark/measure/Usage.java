package dev.eventing.benchmark.measure;

/**
 * What something took.
 *
 * @param seconds of the clock
 * @param cpuSeconds of the processors, by this JVM
 * @param compilerSeconds how long threads of the JVM's compilers were at work; part of
 * {@code cpuSeconds} as far as they had a processor
 * @param serverCpuSeconds of the processors, by the NATS and PostgreSQL servers
 * @param peakHeapBytes the most heap in use, the peaks of all its pools together
 */
public record Usage(double seconds, double cpuSeconds, double compilerSeconds, double serverCpuSeconds,
		long peakHeapBytes) {
}
