package dev.eventing.sdk.guarantees;

import java.util.ArrayList;
import java.util.List;

import io.nats.client.api.MessageInfo;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;

/** The stream that takes the dead letters of a world, once a test has created it. */
final class DeadLetterStream {

	private final JetStreamApi jetStream;

	private final String root;

	private boolean exists;

	DeadLetterStream(JetStreamApi jetStream, String root) {
		this.jetStream = jetStream;
		this.root = root;
	}

	/** Creates one that takes all dead letters of the world. */
	void create() {
		create("dlq." + this.root + ".>", -1);
	}

	/** Creates one that takes no message larger than this. */
	void create(int maxMessageSize) {
		create("dlq." + this.root + ".>", maxMessageSize);
	}

	/** Creates one that takes the letters of this subject only. */
	void create(String subject) {
		create(subject, -1);
	}

	private void create(String subject, int maxMessageSize) {
		this.jetStream.call((management) -> management.addStream(StreamConfiguration.builder()
			.name(name())
			.subjects(subject)
			.maximumMessageSize(maxMessageSize)
			.storageType(StorageType.Memory)
			.build()));
		this.exists = true;
	}

	private String name() {
		return "dlq-" + this.root;
	}

	/** How many messages it holds. */
	long messages() {
		return this.jetStream.call((management) -> management.getStreamInfo(name()).getStreamState().getMsgCount());
	}

	/** The ids of the letters in it, in its order. */
	List<String> letters() {
		return this.jetStream.call((management) -> {
			List<String> letters = new ArrayList<>();
			long last = management.getStreamInfo(name()).getStreamState().getLastSequence();
			for (long sequence = 1; sequence <= last; sequence++) {
				letters.add(management.getMessage(name(), sequence).getHeaders().getFirst("Eventing-Dead-Letter-Id"));
			}
			return letters;
		});
	}

	MessageInfo message(long sequence) {
		return this.jetStream.call((management) -> management.getMessage(name(), sequence));
	}

	/** Deletes it if there is one. */
	void delete() {
		if (this.exists) {
			this.jetStream.call((management) -> management.deleteStream(name()));
		}
	}

}
