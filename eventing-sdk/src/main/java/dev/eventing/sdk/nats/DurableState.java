package dev.eventing.sdk.nats;

import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import io.nats.client.api.ClusterInfo;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.StreamInfo;

/**
 * The state of a durable consumer.
 *
 * @param source the stream it reads
 * @param floor the stream sequence up to which everything is settled
 * @param delivered the highest stream sequence handed over so far
 * @param handedOut how many hand-overs there were so far, those of one event each counted
 * @param unsettled how many deliveries are not settled
 * @param pending how many events wait to be delivered for the first time
 * @param requests how many requests for deliveries are open
 * @param changed what others have changed
 */
public record DurableState(StreamState source, long floor, long delivered, long handedOut, long unsettled, long pending,
		int requests, Changed changed) {

	/** The state of a durable of the SDK that delivers the subjects that it must. */
	public DurableState(StreamState source, long floor, long delivered, long handedOut, long unsettled, long pending,
			int requests) {
		this(source, floor, delivered, handedOut, unsettled, pending, requests, Changed.NOTHING);
	}

	static DurableState of(ConsumerInfo info, StreamInfo stream, Changed changed) throws IOException {
		requireLeader(info, stream.getConfiguration().getReplicas());
		// Server 2.10 reports 0 as long as there are no events after the start of a
		// durable.
		long floor = Math.max(info.getAckFloor().getStreamSequence(),
				info.getConsumerConfiguration().getStartSequence() - 1);
		return new DurableState(StreamState.of(stream), floor, info.getDelivered().getStreamSequence(),
				info.getDelivered().getConsumerSequence(), info.getNumAckPending(), info.getNumPending(),
				(int) info.getNumWaiting(), changed);
	}

	/**
	 * Rejects an answer about a durable with replicas that does not come from its leader.
	 * A server that restarts and does not know the state yet answers with zeros, and
	 * names no leader.
	 * @throws IOException if it names no leader
	 */
	static void requireLeader(ConsumerInfo info, int replicasOfStream) throws IOException {
		int own = info.getConsumerConfiguration().getNumReplicas();
		ClusterInfo cluster = info.getClusterInfo();
		if (((own > 0) ? own : replicasOfStream) > 1 && (cluster == null || cluster.getLeader() == null)) {
			throw new IOException("Durable '" + info.getName() + "' has no leader now.");
		}
	}

	/** Whether it delivers other subjects than it must. */
	public boolean filteredOtherwise() {
		return this.changed == Changed.ITS_FILTER;
	}

	/** Whether others than the SDK have made it, in place of a former one. */
	public boolean madeByHand() {
		return this.changed == Changed.ALL;
	}

	/** The stream's name. */
	public String stream() {
		return this.source.name();
	}

	/** When the stream was made: tells its incarnations apart. */
	public Instant streamCreated() {
		return this.source.created();
	}

	/** The last sequence of the stream, of whichever subject. */
	public long lastInStream() {
		return this.source.last();
	}

	/**
	 * Whether it has handed over or settled sequences that the stream does not have: the
	 * stream has lost its end. The stream gives these sequences to other events, which
	 * the durable would not deliver.
	 */
	public boolean isAheadOfItsStream() {
		return Math.max(this.floor, this.delivered) > lastInStream();
	}

	/** What others than the SDK have changed of a durable, by hand or by another tool. */
	public enum Changed {

		/** Nothing that matters to its deliveries. */
		NOTHING,

		/** It delivers other subjects than it must. */
		ITS_FILTER,

		/** They have made it, in place of a former one. */
		ALL

	}

	/**
	 * Where a stream stands.
	 *
	 * @param name its name
	 * @param created when it was made: tells its incarnations apart
	 * @param last its last sequence, of whichever subject
	 */
	public record StreamState(String name, Instant created, long last) {

		/** Truncates times to microseconds, as the database stores them. */
		static StreamState of(StreamInfo stream) {
			return new StreamState(stream.getConfiguration().getName(),
					stream.getCreateTime().toInstant().truncatedTo(ChronoUnit.MICROS),
					stream.getStreamState().getLastSequence());
		}

	}

}
