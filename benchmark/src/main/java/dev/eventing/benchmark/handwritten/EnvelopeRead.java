package dev.eventing.benchmark.handwritten;

import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.nats.client.impl.Headers;

/**
 * Reads what the headers say of each event before it is applied, as the SDK does for its
 * handlers. Shows what of a handler's time that is.
 */
final class EnvelopeRead implements Effects {

	private final Effects effects;

	EnvelopeRead(Effects effects) {
		this.effects = effects;
	}

	@Override
	public void apply(List<Incoming> fresh) throws SQLException {
		List<Envelope> envelopes = new ArrayList<>(fresh.size());
		fresh.forEach((event) -> envelopes.add(Envelope.of(event.message().getHeaders())));
		if (!envelopes.stream().allMatch(Envelope::isUnderstood)) {
			throw new IllegalStateException("Not all of the batch are events of version 1 of CloudEvents");
		}
		this.effects.apply(fresh);
	}

	@Override
	public void close() throws SQLException {
		this.effects.close();
	}

	/** What else is known of an event. */
	private record Envelope(String specVersion, String type, String source, Instant time, String streamId,
			long streamVersion) {

		static Envelope of(Headers headers) {
			return new Envelope(headers.getFirst("ce-specversion"), headers.getFirst("ce-type"),
					headers.getFirst("ce-source"), Instant.parse(headers.getFirst("ce-time")),
					headers.getFirst("ce-subject"), Long.parseLong(headers.getFirst("ce-sequence")));
		}

		boolean isUnderstood() {
			return this.specVersion.startsWith("1");
		}

	}

}
