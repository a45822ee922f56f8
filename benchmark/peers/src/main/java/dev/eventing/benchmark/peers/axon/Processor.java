package dev.eventing.benchmark.peers.axon;

import java.util.concurrent.Executors;

import org.axonframework.common.AxonThreadFactory;
import org.axonframework.config.EventProcessingConfigurer;
import org.axonframework.eventhandling.TrackingEventProcessorConfiguration;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.eventing.benchmark.peers.Progress;

/**
 * The processors of Axon that read an event store. Either has a segment and a thread for
 * each core, as its reference guide recommends for throughput.
 */
enum Processor {

	/** One reader hands events to a pool; the guide's default choice. */
	POOLED {
		@Override
		void register(EventProcessingConfigurer processing, String name, Batches batches) {
			processing.registerPooledStreamingEventProcessor(name, (configuration) -> configuration.eventStore(),
					(configuration, builder) -> builder.initialSegmentCount(batches.segments())
						.workerExecutor((processor) -> Executors.newScheduledThreadPool(batches.segments(),
								new AxonThreadFactory("Worker - " + processor)))
						.coordinatorExecutor((processor) -> Executors.newScheduledThreadPool(1,
								new AxonThreadFactory("Coordinator - " + processor)))
						.batchSize(batches.perTransaction()));
		}
	},

	/** Each thread reads all events and handles its segment's. */
	TRACKING {
		@Override
		void register(EventProcessingConfigurer processing, String name, Batches batches) {
			processing.registerTrackingEventProcessor(name, (configuration) -> configuration.eventStore(),
					(configuration) -> TrackingEventProcessorConfiguration.forParallelProcessing(batches.segments())
						.andInitialSegmentsCount(batches.segments())
						.andBatchSize(batches.perTransaction()));
		}
	},

	/** The same that is started by hand, and resets what it handles. */
	RESET {
		@Override
		void register(EventProcessingConfigurer processing, String name, Batches batches) {
			processing.registerTrackingEventProcessor(name, (configuration) -> configuration.eventStore(),
					(configuration) -> TrackingEventProcessorConfiguration.forParallelProcessing(batches.segments())
						.andInitialSegmentsCount(batches.segments())
						.andBatchSize(batches.perTransaction())
						.andAutoStart(false));
		}

		@Override
		Object handler(JdbcTemplate jdbc, Progress progress) {
			return new RebuiltAccounts(jdbc, progress);
		}
	};

	/** Registers a processor of this name. */
	abstract void register(EventProcessingConfigurer processing, String name, Batches batches);

	/** The handler of events. */
	Object handler(JdbcTemplate jdbc, Progress progress) {
		return new AccountsProjection(jdbc, progress);
	}

	/**
	 * What is tuned.
	 *
	 * @param segments into how many parts the stream is cut, each with a thread
	 * @param perTransaction events handled in one transaction (one unless told otherwise)
	 * @param perRead events read in one statement (100 unless told otherwise)
	 */
	record Batches(int segments, int perTransaction, int perRead) {

		static Batches tuned() {
			return new Batches(Math.max(2, Runtime.getRuntime().availableProcessors()), 500, 1000);
		}

	}

}
